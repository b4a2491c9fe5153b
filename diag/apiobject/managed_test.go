package apiobject

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

func TestWhoResizedThePod(t *testing.T) {
	written := objecttest.At(3)
	s := snapshotOf(objecttest.BasePod(func(p *corev1.Pod) {
		p.ManagedFields = []metav1.ManagedFieldsEntry{
			{Manager: "kubelet", Subresource: "status", Time: &written},
			{Manager: "vpa", Operation: "Update", Subresource: "resize", Time: &written},
		}
	}))
	if diff := cmp.Diff([]evidence.SpecWrite{{Manager: "vpa", Time: written.UTC()}}, s.Pods[0].SpecWrites); diff != "" {
		t.Error(diff)
	}
}

func TestWhoWroteTheImage(t *testing.T) {
	written := objecttest.At(3)
	for name, c := range writes {
		t.Run(name, func(t *testing.T) {
			s := snapshotOf(objecttest.BasePod(func(p *corev1.Pod) {
				p.ManagedFields = []metav1.ManagedFieldsEntry{
					{Manager: "kubelet", Operation: "Update", Subresource: "status", Time: &written,
						FieldsV1: metav1.NewFieldsV1(c.fields)},
					{Manager: "kubectl-set", Operation: "Update", Time: &written, FieldsV1: metav1.NewFieldsV1(c.fields)},
				}
			}))
			if diff := cmp.Diff(c.want, s.Pods[0].SpecWrites); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzImagesOwned reads any field set, as it is and after redaction, which must
// not make up images.
func FuzzImagesOwned(f *testing.F) {
	for _, c := range writes {
		f.Add([]byte(c.fields))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		images, only := imagesOwned(raw)
		if only && len(images) == 0 {
			t.Fatal("only images, but none")
		}
		pod := redact.Pod(
			&corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				ManagedFields: []metav1.ManagedFieldsEntry{{FieldsV1: metav1.NewFieldsV1(string(raw))}}}})
		var kept []string
		if w := specWrites(pod.ManagedFields); len(w) > 0 {
			kept = w[0].Images
		}
		if len(kept) > len(images) {
			t.Fatalf("redaction added images: %v, %v", images, kept)
		}
	})
}
