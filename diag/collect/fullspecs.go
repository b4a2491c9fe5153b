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

// fullSpecs remembers containers as the cluster has them, values and all, until the
// runtime has told which images their instances had: it is asked after the API server,
// and an image can be hashed only with the rest of the spec. They never leave memory.
type fullSpecs struct {
	mu  sync.Mutex // a collection may have been given up while it still runs
	all []wholeSpec
}

type wholeSpec struct {
	podUID string
	spec   *corev1.Container
	images []string // that were hashed
}

// maxLater is how many images of one container are hashed late.
const maxLater = 8

func (w *fullSpecs) add(a apiobject.Ancestry) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, wholeSpec{a.PodUID, a.Spec.DeepCopy(), append(slices.Clone(a.Images), a.Spec.Image)})
}

// hashLater adds the hashes of the images that only the runtime's records name to those
// of the pods, and forgets the specs.
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

// hashes are those of the spec with images that it was not hashed with yet.
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

// instanceOf is the container that an instance is of.
type instanceOf struct{ podUID, container string }

// runtimeImages are the images in the runtime's records, as they stand there and as
// people write them.
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

// HashLater adds the hashes of images that only the records of the runtime among the pieces name. It is for who reads
// the node apart from the cluster.
func (r *Reader) HashLater(pieces []evidence.RawEvidence) { r.specs.hashLater(pieces, r.Present) }

// isRuntimes tells the files of the runtime's records.
func isRuntimes(f evidence.File) bool {
	name := path.Base(f.Path)
	return name == "cri.json" || name == cri.DiskName
}
