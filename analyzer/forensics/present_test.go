package forensics

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

// What a collection keeps covers every minor for the spec as it is, and names for every other hash the field that it
// omits or adds.
func TestTheHashesOfACollectionCoverEveryMinor(t *testing.T) {
	c := &corev1.Container{Name: "test_container", Image: "foo/image:v1",
		TerminationMessagePolicy: corev1.TerminationMessageReadFile}
	varied := 0
	covered := map[int]bool{}
	for _, h := range Present(c) {
		if h.Image != c.Image || h.Hex == "" || h.FromMinor > h.ToMinor {
			t.Errorf("%+v", h)
		}
		if h.Varied() {
			varied++
			continue
		}
		for minor := h.FromMinor; minor <= min(h.ToMinor, hash.NewestMinor); minor++ {
			covered[minor] = true
		}
		if h.FromMinor == 31 && h.Hex != "8e45cbd0" { // kubelet v1.31 container/helpers_test.go
			t.Errorf("v1.31 stores %s", h.Hex)
		}
	}
	for minor := 5; minor <= hash.NewestMinor; minor++ {
		if !covered[minor] {
			t.Errorf("no hash for v1.%d", minor)
		}
	}
	if varied == 0 {
		t.Error("a field that API servers came to default is not left out anywhere")
	}
}
