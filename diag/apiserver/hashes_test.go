package apiserver

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Every image that was seen is hashed with the spec as it is; the spec with one field
// less is hashed with its own image only.
func TestVariedSpecsAreHashedWithTheirOwnImageOnly(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "u1", Namespace: "shop", Name: "web-0"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "web:2"}}}}
	seen := imagesSeen{}
	seen.add("shop", "web-0", "a", "web:1")
	got := hashPod(pod, seen, func(c *corev1.Container) []evidence.SpecHash {
		return []evidence.SpecHash{{Hex: "1"}, {Hex: "2", Without: "resizePolicy"}, {Hex: "3", With: "securityContext.procMount"}}
	})
	want := []evidence.SpecHash{
		{Hex: "1", Image: "web:2"}, {Hex: "2", Image: "web:2", Without: "resizePolicy"}, {Hex: "3", Image: "web:2", With: "securityContext.procMount"}, {Hex: "1", Image: "web:1"},
	}
	if len(got) != 1 {
		t.Fatalf("%d containers, want 1", len(got))
	}
	if diff := cmp.Diff(want, got[0].Hashes); diff != "" {
		t.Errorf("hashes (-want +got):\n%s", diff)
	}
	if !slices.ContainsFunc(want, evidence.SpecHash.Varied) || want[0].Varied() {
		t.Error("Varied does not tell a varied spec from the one as it is")
	}
}

// The names of fields are as untrusted as all else that a bundle holds.
func TestTheNamesOfFieldsAreMadeSafe(t *testing.T) {
	got := safeHashes([]evidence.SpecHash{{Without: "a\x1b[31m", With: "b\n"}})
	if len(got) != 1 || got[0].Without == "a\x1b[31m" || got[0].With == "b\n" {
		t.Errorf("%+v", got)
	}
}
