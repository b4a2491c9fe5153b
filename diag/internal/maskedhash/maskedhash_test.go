package maskedhash

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestOfMaskedValuesNoHashIsMade(t *testing.T) {
	base := func() *corev1.Container {
		return &corev1.Container{Name: "a", Image: "x:1", Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "s"}}}
	}
	inner := func(*corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{FromMinor: 16, ToMinor: 30, Hex: "a"}, {FromMinor: 31, ToMinor: 36, Hex: "b"}}
	}
	cases := map[string]struct {
		change func(c *corev1.Container)
		want   int // hashes
		gaps   int
	}{
		"nothing is masked":           {func(*corev1.Container) {}, 2, 0},
		"a password in a word":        {func(c *corev1.Container) { c.Env[0].Value = "a*b" }, 2, 0},
		"sos masks a value":           {func(c *corev1.Container) { c.Env[0].Value = "********" }, 1, 1},
		"a word in place of a value":  {func(c *corev1.Container) { c.Env[0].Value = "<REDACTED>" }, 1, 1},
		"an argument is masked":       {func(c *corev1.Container) { c.Args = []string{"--token=[redacted]"} }, 1, 1},
		"the image's host is renamed": {func(c *corev1.Container) { c.Image = "obfuscateddomain0.com/x:1" }, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := New(apiobject.Hasher{Present: inner})
			container := base()
			c.change(container)
			if got := h.Hasher().Present(container); len(got) != c.want || len(h.Gaps()) != c.gaps {
				t.Errorf("hashes %v, gaps %v", got, h.Gaps())
			}
			if none := New(apiobject.Hasher{}).Hasher(); none.Present != nil || none.Near != nil {
				t.Error("hashes without a hasher")
			}
		})
	}
}

// Neighbours are of kubelets that hash the whole spec: nothing masked may be among them.
func TestNothingIsLookedForNearMaskedValues(t *testing.T) {
	plain := corev1.Container{Name: "a", Image: "x:1", Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "s"}}}
	masked := *plain.DeepCopy()
	masked.Env[0].Value = "********"
	var asked []apiobject.Ancestry
	h := New(apiobject.Hasher{Near: func(a apiobject.Ancestry) []evidence.SpecHash {
		asked = append(asked, a)
		return []evidence.SpecHash{{Hex: "1", Searched: true}}
	}}).Hasher()
	if got := h.Near(apiobject.Ancestry{Spec: &masked}); got != nil || len(asked) != 0 {
		t.Errorf("%v near a mask", got)
	}
	if got := h.Near(apiobject.Ancestry{Spec: &plain,
		Earlier: []apiobject.Earlier{{Source: "1", Container: &masked}, {Source: "2", Container: &plain}}}); len(got) != 1 {
		t.Errorf("%v near a whole spec", got)
	}
	if len(asked) != 1 || len(asked[0].Earlier) != 1 || asked[0].Earlier[0].Source != "2" {
		t.Errorf("asked about %+v", asked)
	}
}
