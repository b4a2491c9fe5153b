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

// What was searched near the spec is hashed with other images too, up to a bound for the whole container.
func TestSearchedHashesAreBoundedPerContainer(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "u1", Namespace: "shop", Name: "web-0"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "web:2"}}}}
	seen := imagesSeen{}
	seen.add("shop", "web-0", "a", "web:1")
	for each, want := range map[int]int{10: 20, maxSearched - 1: maxSearched, maxSearched + 7: maxSearched} {
		got := hashPod(pod, seen, func(*corev1.Container) []evidence.SpecHash {
			return append(slices.Repeat([]evidence.SpecHash{{Hex: "2", Without: "env", Searched: true}}, each), evidence.SpecHash{Hex: "1"})
		})
		searched := 0
		for _, h := range got[0].Hashes {
			if h.Searched {
				searched++
			}
		}
		if searched != want || len(got[0].Hashes) != want+2 {
			t.Errorf("%d each: %d searched of %d, want %d and two more", each, searched, len(got[0].Hashes), want)
		}
	}
	if maxSearched >= maxHashes {
		t.Error("a bundle with that many hashes could not be read back")
	}
}

// kubectl apply leaves the image that it set in an annotation; the pod's may be another one since.
func TestTheImageThatWasAppliedIsHashedToo(t *testing.T) {
	for name, test := range map[string]struct {
		annotation string
		want       []string
	}{
		"another image":   {`{"spec":{"containers":[{"name":"a","image":"web:1","env":[{"name":"K","value":"s3cret"}]}]}}`, []string{"web:2", "web:1"}},
		"the same image":  {`{"spec":{"containers":[{"name":"a","image":"web:2"}]}}`, []string{"web:2"}},
		"no such one":     {`{"spec":{"containers":[{"name":"b","image":"web:1"}],"initContainers":[{"name":"c","image":"x"}]}}`, []string{"web:2"}},
		"no manifest":     {`[1,2`, []string{"web:2"}},
		"of another kind": {`{"spec":{"containers":"x"}}`, []string{"web:2"}},
		"none":            {"", []string{"web:2"}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := &corev1.Pod{
				ObjectMeta: metav1.ObjectMeta{UID: "u1", Name: "web-0", Annotations: map[string]string{corev1.LastAppliedConfigAnnotation: test.annotation}},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: "web:2"}}},
			}
			var got []string
			for _, h := range hashPod(pod, imagesSeen{}, func(c *corev1.Container) []evidence.SpecHash { return []evidence.SpecHash{{Hex: "1"}} })[0].Hashes {
				got = append(got, h.Image)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The names of fields are as untrusted as all else that a bundle holds.
func TestTheNamesOfFieldsAreMadeSafe(t *testing.T) {
	got := safeHashes([]evidence.SpecHash{{Without: "a\x1b[31m", With: "b\n"}})
	if len(got) != 1 || got[0].Without == "a\x1b[31m" || got[0].With == "b\n" {
		t.Errorf("%+v", got)
	}
}
