package collect

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
)

const (
	podOfWhole = `{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"web-0","namespace":"shop","uid":"u1"},
"spec":{"nodeName":"n1","containers":[{"name":"app","image":"web:3","env":[{"name":"K","value":"s3cret"}]}]}}]}`
	recordsOfWhole = `{"runtime":"containerd","runtimeVersion":"2.1","sandboxes":[],"containers":[
{"id":"11","namespace":"shop","pod":"web-0","podUID":"u1","name":"app","attempt":0,"state":"CONTAINER_EXITED","createdAt":1772359201900000000,"image":"docker.io/library/web:1","annotations":{"io.kubernetes.container.hash":"HASH"}},
{"id":"22","namespace":"shop","pod":"web-0","podUID":"u1","name":"app","attempt":1,"state":"CONTAINER_EXITED","createdAt":1772359301900000000,"image":"sha256:ab"},
{"id":"33","namespace":"shop","pod":"web-0","podUID":"u1","name":"app","attempt":2,"state":"CONTAINER_RUNNING","createdAt":1772359401900000000,"image":"web:3"},
{"id":"44","namespace":"shop","pod":"other","podUID":"u2","name":"app","attempt":0,"state":"CONTAINER_RUNNING","createdAt":1772359401900000000,"image":"x:1"}]}`
)

// hashed stands in for the kubelets' hashes. Like them, it needs the whole spec.
func hashed(c *corev1.Container) []evidence.SpecHash {
	if len(c.Env) > 0 && c.Env[0].Value == "" {
		return nil
	}
	return []evidence.SpecHash{{Image: c.Image, Hex: "1"}}
}

// An image that only the runtime knows any more is hashed with the whole spec all the same, in a cluster and for a
// bundle.
func TestImagesOfTheRuntimesRecordsAreHashedWithTheWholeSpec(t *testing.T) {
	spec := corev1.Container{Name: "app", Image: "web:3", Env: []corev1.EnvVar{{Name: "K", Value: "s3cret"}}}
	r := &Reader{Hashing: Hashing{Present: hashed, Near: func(apiobject.Ancestry) []evidence.SpecHash { return nil }}}
	api := apiobject.Decode([]evidence.File{evidence.Bytes("cluster/pods.json", []byte(podOfWhole))}, r.hasher())
	r.specs.add(apiobject.Ancestry{PodUID: "u1", Spec: &spec})
	runtime := cri.NewPiece("n1", evidence.Bytes("nodes/n1/cri.json", []byte(recordsOfWhole)), time.Time{})
	images := func() (all []string) {
		for _, h := range diag.Observe(diag.Collection{Pieces: []evidence.RawEvidence{api}},
			time.Time{}).Pods[0].Containers[0].Hashes {
			if h.Image != "web:3" && h.Source != "the runtime's record" {
				t.Errorf("%+v", h)
			}
			if !slices.Contains(all, h.Image) {
				all = append(all, h.Image)
			}
		}
		return all
	}
	if got := images(); !slices.Equal(got, []string{"web:3"}) {
		t.Errorf("before the runtime was asked: %v", got)
	}
	r.HashLater([]evidence.RawEvidence{runtime, api})
	if got := images(); !slices.Equal(got, []string{"web:3", "docker.io/library/web:1", "web:1"}) {
		t.Errorf("afterwards: %v", got)
	}
	if len(r.specs.all) != 0 {
		t.Error("the specs are still in memory")
	}
}

func TestFewImagesOfTheRuntimeAreHashed(t *testing.T) {
	w := wholeSpec{spec: &corev1.Container{Name: "app", Image: "web:3"}, images: []string{"web:3", "web:0"}}
	images := []string{"web:0"}
	for i := range 3 * maxLater {
		images = append(images, "web:old"+string(rune('a'+i)))
	}
	seen := map[string]bool{}
	for _, h := range w.hashes(images, hashed) {
		seen[h.Image] = true
		if h.Varied() {
			t.Errorf("%+v", h)
		}
	}
	if len(seen) != maxLater || seen["web:0"] {
		t.Errorf("hashed %v", seen)
	}
	var none fullSpecs
	none.hashLater(nil, hashed) // a listing remembers nothing
}
