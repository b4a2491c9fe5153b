package apiobject

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ImagesSeen holds the images named by something other than the spec, by container.
type ImagesSeen map[ContainerKey][]imageSeen

// ContainerKey identifies a container by names, whatever the pod's UID.
type ContainerKey struct{ Namespace, Pod, Container string }

// imageSeen is an image and what names it: "an event".
type imageSeen struct{ image, source string }

// maxImages is how many images of one container are hashed; beyond that, the spec's and the first ones are kept.
const maxImages = 16

// Add records an image, once, and what names it.
func (s ImagesSeen) Add(namespace, pod, container, image, source string) {
	k := ContainerKey{namespace, pod, container}
	if len(s[k]) >= maxImages || image == "" {
		return
	}
	for _, have := range s[k] {
		if have.image == image {
			return
		}
	}
	s[k] = append(s[k], imageSeen{image, source})
}

// maxSearched is how many hashes of similar specs are kept per container.
const maxSearched = 3584

// HashPod computes the hashes of every container, with the spec's image and every other image that its workload's
// history, its status or its events name, and the hashes of specs that it may have had.
func HashPod(p *corev1.Pod, seen ImagesSeen, past []Revision, hash Hasher) []ContainerHashes {
	if hash.Present == nil || p.UID == "" {
		return nil
	}
	images := imagesOf(p, seen, past, hash.Near != nil)
	known := map[string]bool{}
	var out []ContainerHashes
	for c := range Containers(&p.Spec) {
		if known[c.Name] {
			continue
		}
		known[c.Name] = true
		h := ContainerHashes{PodUID: string(p.UID), Namespace: p.Namespace, Pod: p.Name, Container: c.Name}
		about := Ancestry{PodUID: string(p.UID), Spec: c}
		for _, seen := range images[ContainerKey{"", "", c.Name}] {
			other := *c
			other.Image = seen.image
			if seen.image != c.Image {
				about.Images = append(about.Images, seen.image)
			}
			present := hash.Present(&other)
			if seen.image != c.Image { // two changes at once would not prove either
				present = slices.DeleteFunc(present, evidence.SpecHash.Varied)
			}
			for i := range present {
				present[i].Image, present[i].Source = seen.image, seen.source
			}
			if h.Hashes == nil {
				h.Hashes = present
			} else {
				h.Hashes = append(h.Hashes, present...)
			}
		}
		if hash.Near != nil {
			about.Earlier = earlier(past, c.Name)
			near := hash.Near(about)
			h.Hashes = append(h.Hashes, near[:min(len(near), maxSearched)]...)
		}
		out = append(out, h)
	}
	return out
}

// imagesOf collects the images of each container, its own first. wide includes those that specs rarely contain.
func imagesOf(p *corev1.Pod, seen ImagesSeen, past []Revision, wide bool) ImagesSeen {
	images := ImagesSeen{}
	for c := range Containers(&p.Spec) {
		images.Add("", "", c.Name, c.Image, "")
	}
	for i := range past {
		for _, c := range past[i].images() {
			images.Add("", "", c.Name, c.Image, past[i].Source)
		}
	}
	for s := range Statuses(&p.Status) {
		images.Add("", "", s.Name, s.Image, "the pod's status")
		if wide {
			images.Add("", "", s.Name, Familiar(s.Image), "the pod's status")
			images.Add("", "", s.Name, digested(s.ImageID), "the pod's status")
		}
	}
	for _, c := range LastApplied(p.Annotations).Images() {
		images.Add("", "", c.Name, c.Image, "what kubectl applied last")
	}
	for c := range Containers(&p.Spec) {
		for _, one := range seen[ContainerKey{p.Namespace, p.Name, c.Name}] {
			images.Add("", "", c.Name, one.image, one.source)
		}
	}
	return images
}

// Familiar is the short form in which people write a Docker Hub image: runtimes resolve "web:1" to
// "docker.io/library/web:1", and the status repeats that. It is "" where there is no shorter form, and for a bare ID.
func Familiar(image string) string {
	short, ok := strings.CutPrefix(image, "docker.io/")
	if !ok {
		return ""
	}
	return strings.TrimPrefix(short, "library/")
}

// digested is an image ID that a spec could contain, "web@sha256:…": some tools pin images that way. Docker puts a
// scheme before it; a bare digest names no image.
func digested(imageID string) string {
	image := strings.TrimPrefix(imageID, "docker-pullable://")
	if name, _, ok := strings.Cut(image, "@sha256:"); !ok || name == "" || strings.Contains(name, "://") {
		return ""
	}
	return image
}

// applied is the part of a manifest that is read: names and images of containers.
type applied struct {
	InitContainers []namedImage `json:"initContainers"`
	Containers     []namedImage `json:"containers"`
}

type namedImage struct {
	Name  string `json:"name"`
	Image string `json:"image"`
}

func (a applied) Images() []namedImage { return slices.Concat(a.InitContainers, a.Containers) }

// LastApplied returns the containers, with names and images, of the manifest that kubectl applied last, a pod's or a
// workload's: it still has an image that another client has changed since. Nothing else in the annotation is read.
func LastApplied(annotations map[string]string) applied {
	text := annotations[corev1.LastAppliedConfigAnnotation]
	if text == "" {
		return applied{}
	}
	var manifest struct {
		Spec struct {
			applied
			Template struct {
				Spec applied `json:"spec"`
			} `json:"template"`
		} `json:"spec"`
	}
	if json.Unmarshal([]byte(text), &manifest) != nil {
		return applied{} // it is not a manifest, whoever wrote it
	}
	if in := manifest.Spec.Template.Spec; len(in.Images()) > 0 {
		return in
	}
	return manifest.Spec.applied
}
