package hash

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

// The container without the field, as a kubelet hashed it before an API server set the field, is what Defaulted makes
// from the container with it, and vice versa.
func TestWhatAnAPIServerDefaultsIsFoundBothWays(t *testing.T) {
	const resources = `"resources":{"requests":{"cpu":"100m","memory":"64Mi"}}`
	for name, c := range map[string]struct {
		before, after string // the container's fields other than name and image
		field         string
		minors        []int
		oneWay        bool
	}{
		"procMount for a container with a security context": {
			`"securityContext":{"runAsUser":7}`, `"securityContext":{"runAsUser":7,"procMount":"Default"}`,
			"securityContext.procMount", []int{12, 13, 14, 15}, false},
		"resizePolicy for what is requested": {
			resources, resources +
				`,"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"},{"resourceName":"memory","restartPolicy":"NotRequired"}]`, "resizePolicy", []int{27, 28, 30}, false},
		"resizePolicy for a limit, which counts as a request": {
			`"resources":{"limits":{"memory":"64Mi"}}`,
			`"resources":{"limits":{"memory":"64Mi"}},"resizePolicy":[{"resourceName":"memory","restartPolicy":"NotRequired"}]`,
			"resizePolicy", []int{27, 30}, false},
		"terminationMessagePolicy, which stays": {
			`"tty":true`, `"tty":true,"terminationMessagePolicy":"File"`, "terminationMessagePolicy", []int{6, 7}, true},
	} {
		t.Run(name, func(t *testing.T) {
			before, after := decode(t, c.before), decode(t, c.after)
			check := func(from, to *corev1.Container, without, with string) {
				t.Helper()
				for _, minor := range c.minors {
					want, err := Hash(minor, to)
					if err != nil {
						t.Fatal(err)
					}
					found := false
					for _, v := range Defaulted(from) {
						for _, h := range v.Hashes {
							if h.FromMinor <= minor && minor <= h.ToMinor && v.Without == without && v.With == with {
								found = found || h.Hex == want.Hex && h.Algorithm == want.Algorithm
							}
						}
					}
					if !found {
						t.Errorf("v1.%d: the hash %s is not among %+v", minor, want.Hex, Defaulted(from))
					}
				}
			}
			check(after, before, c.field, "")
			if !c.oneWay {
				check(before, after, "", c.field)
			}
		})
	}
}

func TestWhatNoAPIServerDefaultsIsLeftAlone(t *testing.T) {
	for name, text := range map[string]string{
		"a container with nothing that is defaulted":   `"tty":true`,
		"a resize policy that somebody chose":          `"resources":{"requests":{"cpu":"1"}},"resizePolicy":[{"resourceName":"cpu","restartPolicy":"RestartContainer"}]`,
		"an unmasked /proc that somebody chose":        `"securityContext":{"procMount":"Unmasked"}`,
		"a termination message policy somebody chose":  `"terminationMessagePolicy":"FallbackToLogsOnError"`,
		"resources that no resize policy is about":     `"resources":{"requests":{"ephemeral-storage":"1Gi"}}`,
		"no security context, so no procMount either":  `"securityContext":null`,
		"an empty list of resize policies is as unset": `"resizePolicy":[]`,
	} {
		if got := Defaulted(decode(t, text)); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := Defaulted(nil); got != nil {
		t.Errorf("no container: %+v", got)
	}
}

// A minor that does not know the field has the same hash with and without it, so that no variant may claim it; and the
// input container stays unchanged.
func TestVariantsAreOfKubeletsThatKnowTheField(t *testing.T) {
	c := decode(t,
		`"securityContext":{"runAsUser":7,"procMount":"Default"},"terminationMessagePolicy":"File","resources":{"requests":{"cpu":"1"}},"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}]`)
	was := c.DeepCopy()
	since := map[string]int{"terminationMessagePolicy": 6, "securityContext.procMount": 12, "resizePolicy": 27}
	until := map[string]int{"terminationMessagePolicy": 7, "securityContext.procMount": 15, "resizePolicy": 30}
	seen := map[string]bool{}
	for _, v := range Defaulted(c) {
		seen[v.Without] = true
		for _, h := range v.Hashes {
			if h.FromMinor < since[v.Without] || h.ToMinor > until[v.Without] || h.FromMinor > h.ToMinor {
				t.Errorf("%s: minors %d to %d", v.Without, h.FromMinor, h.ToMinor)
			}
			for minor := h.FromMinor; minor <= h.ToMinor; minor++ {
				if plain, err := Hash(minor, c); err != nil || plain.Hex == h.Hex {
					t.Errorf("%s, v1.%d: the variant's hash is that of the container itself (%v)", v.Without, minor, err)
				}
			}
		}
	}
	if len(seen) != len(since) {
		t.Errorf("fields %v, want all of %v", seen, since)
	}
	if diff := cmp.Diff(was, c); diff != "" {
		t.Errorf("the container was changed:\n%s", diff)
	}
}

func decode(t *testing.T, fields string) *corev1.Container {
	t.Helper()
	var c corev1.Container
	if err := json.Unmarshal([]byte(`{"name":"a","image":"busybox:1",`+fields+`}`), &c); err != nil {
		t.Fatal(err)
	}
	return &c
}
