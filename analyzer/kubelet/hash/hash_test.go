package hash

import (
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// baseContainer sets fields that every minor since 1.16 knows, and nothing newer.
func baseContainer() *corev1.Container {
	return &corev1.Container{
		Name:    "a",
		Image:   "registry.example/app:1",
		Command: []string{"/app"},
		Env:     []corev1.EnvVar{{Name: "MODE", Value: "fast"}},
		Resources: corev1.ResourceRequirements{
			Limits: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")},
		},
		VolumeMounts: []corev1.VolumeMount{{Name: "token", MountPath: "/token", ReadOnly: true}},
		LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{
			Exec: &corev1.ExecAction{Command: []string{"true"}}}},
		SecurityContext: &corev1.SecurityContext{},
	}
}

func mustHash(t *testing.T, minor int, c *corev1.Container) Value {
	t.Helper()
	r, err := Hash(minor, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// textOf returns what the kubelet of a minor hashes: the print of the struct, or the JSON.
func textOf(minor int, c *corev1.Container) string {
	switch {
	case minor < fnvStructFrom:
		return string(printAPI(true, c).text)
	case minor <= LastStruct:
		p := &structPrint{last: minor, keep: true}
		p.raw("(v1.Container)")
		p.value(containerShape(), reflect.ValueOf(c).Elem())
		return string(p.text)
	case minor <= LastWholeSpec:
		p := newJSONPrint(minor)
		p.keep, p.long = true, minor < goShortEscapesAlwaysFrom
		p.whole(c)
		return string(p.text)
	}
	p := newJSONPrint(minor)
	p.keep = true
	p.nameImage(c)
	return string(p.text)
}

func TestTheKubeletsOwnGoldenValuesHold(t *testing.T) {
	optional := true
	c := &corev1.Container{
		Name:    "test_container",
		Image:   "foo/image:v1",
		Command: []string{"/bin/testcmd"},
		Args:    []string{"/bin/sh", "-c", "echo abc"},
		Ports:   []corev1.ContainerPort{{ContainerPort: 8001}},
		Env: []corev1.EnvVar{{Name: "ENV_FOO", Value: "bar"}, {
			Name: "ENV_BAR",
			ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{
				LocalObjectReference: corev1.LocalObjectReference{Name: "foo"}, Key: "bar", Optional: &optional,
			}},
		}},
		Resources: corev1.ResourceRequirements{
			Limits:   corev1.ResourceList{"foo": resource.MustParse("1G")},
			Requests: corev1.ResourceList{"foo": resource.MustParse("500M")},
		},
	}
	for minor, want := range map[int]Value{
		16: {Algorithm: FNV32aJSON, Sum: 0x311670a, Hex: "311670a"},
		30: {Algorithm: FNV32aJSON, Sum: 0x311670a, Hex: "311670a"},
		31: {Algorithm: FNV32aNameImage, Sum: 0x8e45cbd0, Hex: "8e45cbd0"},
	} {
		if diff := cmp.Diff(want, mustHash(t, minor, c)); diff != "" {
			t.Errorf("1.%d (-want +got):\n%s", minor, diff)
		}
	}
}

func TestTheTextIsTheJSONThatTheKubeletHashes(t *testing.T) {
	want := `{"name":"a","image":"registry.example/app:1","command":["/app"],"env":[{"name":"MODE","value":"fast"}],` +
		`"resources":{"limits":{"cpu":"500m"}},"volumeMounts":[{"name":"token","readOnly":true,"mountPath":"/token"}],` +
		`"livenessProbe":{"exec":{"command":["true"]}},"securityContext":{}}`
	if diff := cmp.Diff(want, textOf(25, baseContainer())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	bare := textOf(25, &corev1.Container{Name: "a"})
	if diff := cmp.Diff(`{"name":"a","resources":{}}`, bare); diff != "" {
		t.Errorf("resources must always be there (-want +got):\n%s", diff)
	}
}

func TestAMutationChangesOnlyTheHashesThatCoverIt(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	tests := map[string]struct {
		mutate             func(*corev1.Container)
		json, nameAndImage bool
	}{
		"nothing changed":             {func(*corev1.Container) {}, false, false},
		"another image":               {func(c *corev1.Container) { c.Image += "0" }, true, true},
		"another name":                {func(c *corev1.Container) { c.Name = "b" }, true, true},
		"another value of a variable": {func(c *corev1.Container) { c.Env[0].Value = "slow" }, true, false},
		"another argument":            {func(c *corev1.Container) { c.Args = []string{"-v"} }, true, false},
		"another CPU limit": {func(c *corev1.Container) { c.Resources.Limits["cpu"] = resource.MustParse("1") },
			true, false},
		"the CPU limit spelt otherwise": {func(c *corev1.Container) { c.Resources.Limits["cpu"] = resource.MustParse("0.5") },
			false, false},
		"an empty list in place of nil": {func(c *corev1.Container) { c.Args = []string{} }, false, false},
		"no security context":           {func(c *corev1.Container) { c.SecurityContext = nil }, true, false},
		"a field that 1.25 drops":       {func(c *corev1.Container) { c.RestartPolicy = &always }, false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			mutant := baseContainer()
			test.mutate(mutant)
			if got := mustHash(t, 25, mutant).Hex != mustHash(t, 25, baseContainer()).Hex; got != test.json {
				t.Errorf("v1.25 sees a change: %v, want %v", got, test.json)
			}
			if got := mustHash(t, 36, mutant).Hex != mustHash(t, 36, baseContainer()).Hex; got != test.nameAndImage {
				t.Errorf("v1.36 sees a change: %v, want %v", got, test.nameAndImage)
			}
		})
	}
}

func TestHashLeavesTheContainerAlone(t *testing.T) {
	for _, c := range corpus(t) {
		before := c.DeepCopy()
		for minor := OldestMinor; minor <= NewestMinor; minor++ {
			mustHash(t, minor, c)
		}
		All(c)
		AllWithoutResources(c)
		if diff := cmp.Diff(before, c); diff != "" {
			t.Fatalf("changed by hashing (-before +after):\n%s", diff)
		}
	}
}

func TestErasOutsideTheModelAreNamedInTheError(t *testing.T) {
	for minor, want := range map[int]string{
		4:  "hash container for kubelet v1.4: hashes of this era are not modelled",
		-1: "hash container for kubelet v1.-1: hashes of this era are not modelled",
	} {
		_, err := Hash(minor, baseContainer())
		if !errors.Is(err, ErrEraNotModelled) || err.Error() != want {
			t.Errorf("Hash(%d): %v, want %s", minor, err, want)
		}
	}
	for _, minor := range []int{26, 31} {
		if _, err := WithoutResources(minor, baseContainer()); !errors.Is(err, ErrEraNotModelled) {
			t.Errorf("WithoutResources(%d): %v, want ErrEraNotModelled", minor, err)
		}
	}
}

func TestNoContainerIsAnErrorAndNoPanic(t *testing.T) {
	for _, minor := range []int{5, 15, 16, 31} {
		if r, err := Hash(minor, nil); err == nil {
			t.Errorf("Hash(%d, nil) = %v", minor, r)
		}
	}
	if r, err := WithoutResources(28, nil); err == nil {
		t.Errorf("WithoutResources(28, nil) = %v", r)
	}
	if All(nil) != nil || AllJSON(nil) != nil || AllWithoutResources(nil) != nil {
		t.Error("no container has hashes")
	}
}

func TestANewerMinorIsTakenForTheNewest(t *testing.T) {
	if diff := cmp.Diff(mustHash(t, NewestMinor, baseContainer()),
		mustHash(t, NewestMinor+9, baseContainer())); diff != "" {
		t.Errorf("(-newest +newer):\n%s", diff)
	}
}

func TestEveryMinorHasExactlyOneEra(t *testing.T) {
	for minor := eras[0].From; minor <= NewestMinor; minor++ {
		n := 0
		for _, e := range eras {
			if e.From <= minor && minor <= e.To {
				n++
			}
		}
		if n != 1 {
			t.Errorf("v1.%d is in %d eras", minor, n)
		}
	}
}

func TestAllJoinsTheMinorsThatAgree(t *testing.T) {
	grace := int64(5)
	profile := &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}
	tests := map[string]struct {
		mutate func(*corev1.Container)
		want   string
	}{
		"two eras when no newer field is set": {func(*corev1.Container) {}, "json 16-30, image 31 on"},
		"a field of 1.19 splits the JSON era": {
			func(c *corev1.Container) { c.SecurityContext.SeccompProfile = profile }, "json 16-18, json 19-30, image 31 on",
		},
		"fields of two minors split it twice": {func(c *corev1.Container) {
			c.SecurityContext.SeccompProfile, c.LivenessProbe.TerminationGracePeriodSeconds = profile, &grace
		}, "json 16-18, json 19-20, json 21-30, image 31 on"},
		"a field after the JSON era splits nothing": {func(c *corev1.Container) {
			c.RestartPolicyRules = []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestart}}
		}, "json 16-30, image 31 on"},
		"a backspace is written in two ways in late patches of 1.27 to 1.29": {
			func(c *corev1.Container) { c.Args = []string{"\b"} }, "json 16-29, json 27-30, image 31 on",
		},
		"both at once": {func(c *corev1.Container) {
			c.Args, c.SecurityContext.SeccompProfile = []string{"\f"}, profile
		}, "json 16-18, json 19-29, json 27-30, image 31 on"},
	}
	short := strings.NewReplacer(Adler32Struct, "adler", FNV32aStruct, "struct",
		FNV32aJSON, "json", FNV32aNameImage, "image")
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := baseContainer()
			test.mutate(c)
			var got []string
			for _, h := range All(c) {
				if h.ToMinor <= LastStruct {
					continue // the same for all rows here: none of their fields was known then
				}
				minors := fmt.Sprintf("%d-%d", h.FromMinor, h.ToMinor)
				if h.ToMinor == NewestMinor {
					minors = fmt.Sprintf("%d on", h.FromMinor)
				}
				got = append(got, short.Replace(h.Algorithm)+" "+minors)
			}
			if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAllJSONIsThatPartOfAll(t *testing.T) {
	c := baseContainer()
	c.SecurityContext = &corev1.SecurityContext{
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault}}
	var want []EraHash
	for _, h := range All(c) {
		if h.Algorithm == FNV32aJSON {
			want = append(want, h)
		}
	}
	if diff := cmp.Diff(want, AllJSON(c)); diff != "" || len(want) < 2 {
		t.Errorf("%d of All, -All +AllJSON:\n%s", len(want), diff)
	}
}

func TestAFieldSplitsTheStructErasWhereItsTypeGotIt(t *testing.T) {
	tests := map[string]struct {
		mutate func(*corev1.Container)
		want   string
	}{
		"a bare container changes with Container's own fields": {
			func(c *corev1.Container) { *c = corev1.Container{Name: "a"} }, "5-5 6-8 9-15",
		},
		"a volume mount changes with its fields too": {func(c *corev1.Container) {
			*c = corev1.Container{VolumeMounts: []corev1.VolumeMount{{Name: "d"}}}
		}, "5-5 6-7 8-8 9-13 14-15"},
		"a security context changes often": {func(c *corev1.Container) {
			*c = corev1.Container{SecurityContext: &corev1.SecurityContext{}}
		}, "5-5 6-7 8-8 9-9 10-11 12-14 15-15"},
		"a TCP probe changes at 1.7": {func(c *corev1.Container) {
			c.SecurityContext, c.VolumeMounts = nil, nil
			c.LivenessProbe.ProbeHandler = corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{}}
		}, "5-5 6-6 7-8 9-15"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := baseContainer()
			test.mutate(c)
			var got []string
			for _, h := range allStruct(nil, c) {
				got = append(got, fmt.Sprintf("%d-%d", h.FromMinor, h.ToMinor))
			}
			if diff := cmp.Diff(test.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAContainerWithoutResourcesHasOneHashUnderBothKeys(t *testing.T) {
	c := baseContainer()
	withResources, err := WithoutResources(28, c)
	if err != nil {
		t.Fatal(err)
	}
	c.Resources = corev1.ResourceRequirements{}
	if got := mustHash(t, 28, c); got.Hex != withResources.Hex || got.Algorithm == withResources.Algorithm {
		t.Errorf("%v and %v: want the same hash by two names", got, withResources)
	}
}

// naiveSum builds the print that the sums avoid, with the standard library alone.
func naiveSum(text []byte) uint32 {
	sum := fnv.New32a()
	fmt.Fprintf(sum, "([]uint8)%v", text)
	return sum.Sum32()
}

func naiveFNV(text []byte) uint32 {
	sum := fnv.New32a()
	sum.Write(text)
	return sum.Sum32()
}

func TestPatchesDisagreeAboutEscapesOnly(t *testing.T) {
	odd := &corev1.Container{Name: "a", Image: "b", Args: []string{"\b"}}
	for version, long := range map[[2]int]bool{
		{26, 15}: true, {27, 15}: true, {27, 16}: false, {27, -1}: false, {28, 11}: true,
		{28, 12}: false, {29, 6}: true, {29, 7}: false, {30, 0}: false,
	} {
		got, err := OfPatch(version[0], version[1], odd)
		if err != nil {
			t.Fatal(err)
		}
		if want := printJSON(version[0], long, odd).sum; got.Sum != want || want == printJSON(version[0], !long, odd).sum {
			t.Errorf("1.%d.%d: %x, want %x", version[0], version[1], got.Sum, want)
		}
	}
	for minor := OldestMinor; minor <= NewestMinor; minor++ {
		for _, patch := range []int{-1, 0, 99} {
			got, err := OfPatch(minor, patch, baseContainer())
			if want := mustHash(t, minor, baseContainer()); err != nil || got != want {
				t.Errorf("1.%d.%d: %v, %v; want %v", minor, patch, got, err, want)
			}
		}
	}
	if _, err := OfPatch(31, 0, nil); err == nil {
		t.Error("no container: no error")
	}
	if _, err := OfPatch(4, 0, odd); !errors.Is(err, ErrEraNotModelled) {
		t.Errorf("1.4: %v, want ErrEraNotModelled", err)
	}
}
