package collect

import (
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
)

// fullSpecs keeps complete containers of the cluster, including values, until the runtime has reported which images
// their instances had: it is read after the API server, and an image can only be hashed with the rest of the spec. They
// never leave memory.
type fullSpecs struct {
	mu  sync.Mutex // an abandoned collection may still be running
	all []wholeSpec
}

type wholeSpec struct {
	podUID string
	spec   *corev1.Container
	images []string // hashed already
}

// maxLater is how many images of one container are hashed late.
const maxLater = 8

func (w *fullSpecs) add(a apiobject.Ancestry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, wholeSpec{a.PodUID, a.Spec.DeepCopy(), append(slices.Clone(a.Images), a.Spec.Image)})
}

// hashLater adds the hashes of images that only the runtime's records name to those of the pods, and drops the specs.
func (w *fullSpecs) hashLater(pieces []evidence.RawEvidence, present func(*corev1.Container) []evidence.SpecHash) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.all
	w.all = nil
	if len(all) == 0 {
		return
	}
	images := runtimeImages(pieces)
	for i := range all {
		more := all[i].hashes(images[instanceOf{all[i].podUID, all[i].spec.Name}], present)
		for _, p := range pieces {
			if api, ok := p.(*apiobject.Piece); ok && len(more) > 0 {
				api.AddHashes(all[i].podUID, all[i].spec.Name, more)
			}
		}
	}
}

// hashes returns those of the spec with images that were not hashed yet.
func (w *wholeSpec) hashes(images []string,
	present func(*corev1.Container) []evidence.SpecHash) (out []evidence.SpecHash) {
	late := 0
	for _, image := range images {
		if slices.Contains(w.images, image) || late == maxLater {
			continue
		}
		late++
		w.images = append(w.images, image)
		other := *w.spec
		other.Image = image
		for _, h := range present(&other) {
			if !h.Varied() {
				h.Source = "the runtime's record"
				out = append(out, h)
			}
		}
	}
	return out
}

// instanceOf identifies the container of an instance.
type instanceOf struct{ podUID, container string }

// runtimeImages returns the images in the runtime's records, as recorded and as people write them.
func runtimeImages(pieces []evidence.RawEvidence) map[instanceOf][]string {
	b := evidence.NewBuilder(time.Time{})
	for _, p := range pieces {
		if _, api := p.(*apiobject.Piece); !api && slices.ContainsFunc(p.Files(), isRuntimes) {
			p.Observe(b)
		}
	}
	out := map[instanceOf][]string{}
	for _, o := range b.Build().Observations {
		r, ok := o.Fact.(evidence.ContainerRecord)
		if !ok || strings.HasPrefix(r.Image, "sha256:") {
			continue
		}
		of := instanceOf{o.Subject.PodUID, o.Subject.Container}
		for _, image := range []string{r.Image, apiobject.Familiar(r.Image)} {
			if image != "" && !slices.Contains(out[of], image) {
				out[of] = append(out[of], image)
			}
		}
	}
	return out
}

// HashLater adds the hashes of images that only the runtime's records among the pieces name, for callers that read the
// node separately from the cluster.
func (r *Reader) HashLater(pieces []evidence.RawEvidence) { r.specs.hashLater(pieces, r.Present) }

// isRuntimes reports whether a file has the runtime's records.
func isRuntimes(f evidence.File) bool {
	name := path.Base(f.Path)
	return name == "cri.json" || name == cri.DiskName
}
