package definition

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// images finds the image of each instance. Events have the spec's name; records may have another one: for an image with
// two tags the runtime reports either, and for one whose tag was moved the remaining name.
func (f *finder) images() {
	r, im := f.R, &f.Images
	old, seen := asked(r.From, time.Time{})
	if r.To != nil && f.Kill.Answer == basis.Yes && !f.Kill.At.IsZero() && len(r.To.MarksWith(timeline.HasImage)) == 0 {
		old, seen = asked(r.From, f.Kill.At)
	}
	im.Old, im.Evidence = cmp.Or(r.From.Image, old), append(im.Evidence, seen...)
	if r.To != nil {
		next, seen := asked(r.To, time.Time{})
		if next == "" && f.Kill.Answer == basis.Yes {
			next, seen = askedSince(r.From, f.Kill.At)
		}
		im.New, im.Evidence = cmp.Or(r.To.Image, next), append(im.Evidence, seen...)
		if old != "" && next != "" {
			im.Old, im.New = old, next
		} else {
			im.Aliased = f.aliased(next)
			if f.twoNames() && Familiar(im.Old) == Familiar(im.New) {
				im.Aliased, im.OneName, im.Old, im.New = true, true, old, next
			}
		}
	}
	if old, new := Familiar(im.Old), Familiar(im.New); old != "" && new != "" && !im.Aliased {
		im.Differ = basis.No
		if old != new {
			im.Differ = basis.Yes
		}
		if im.Evidence == nil {
			im.Evidence = f.BothRecords()
		} else {
			im.Evidence = slices.Concat(im.Evidence, r.From.Records, r.To.Records)
		}
	}
	f.updated()
	if r.Pod == nil {
		return
	}
	for _, w := range r.Pod.SpecWrites {
		if f.Kill.Answer == basis.Yes && w.Time.Sub(f.Kill.At) > tolerance.EndingLag {
			continue // what was written later killed nobody
		}
		if w.OnlyImages && slices.Contains(w.Images, r.Container) && w.Time.After(im.Write) &&
			w.Time.Sub(r.Pod.CreatedAt) > time.Second {
			im.Write, im.Manager = w.Time, w.Manager
		}
	}
}

// updated looks for the update of this pod alone that the kubelet was given right before it found the container
// changed. It gets none when it starts: then it is given the whole pod (ADD), and changes of the status alone are no
// updates. A changed API server gives it many pods in one update.
func (f *finder) updated() {
	at := f.Kill.DecidedAt
	if at.IsZero() {
		return
	}
	for _, m := range f.T.Config(f.R.Namespace, f.R.PodName, at.Add(-tolerance.UpdateLag), at) {
		if c, ok := m.Obs.Fact.(evidence.PodConfig); ok && c.Op == "UPDATE" && c.Others == 0 &&
			basis.Within(m.At, at.Add(-tolerance.UpdateLag), at) {
			f.Images.Updated = basis.Found(m.At, m.Obs.ID)
		}
	}
}

// asked returns the spec's name of an instance's image from its events before a time; "" without any. Where nothing
// shows the instance before it, the events of both precede its start: its own is the last one, and the first where its
// start is unknown.
func asked(in *timeline.Instance, before time.Time) (image string, ids []string) {
	start := in.Begin()
	for _, m := range in.MarksWith(timeline.HasImage) {
		seen, ok := m.Obs.Fact.(evidence.ImageSeen)
		if ok && (before.IsZero() || m.At.Before(before)) && (image == "" || !start.IsZero() && !m.At.After(start)) {
			image, ids = seen.Image, []string{m.Obs.ID}
		}
	}
	return image, ids
}

// askedSince returns the image of the next instance, from what the kubelet did after it killed this one: where only
// events show the next, they are all kept with this one.
func askedSince(in *timeline.Instance, killed time.Time) (image string, ids []string) {
	for _, m := range in.MarksWith(timeline.HasImage) {
		if seen, ok := m.Obs.Fact.(evidence.ImageSeen); ok && !killed.IsZero() && !m.At.Before(killed) {
			return seen.Image, []string{m.Obs.ID}
		}
	}
	return "", nil
}

// aliased reports whether the image name in the new instance's record differs from the requested one; without an event
// about that, from the present spec's.
func (f *finder) aliased(asked string) bool {
	r := f.R
	if asked == "" && r.Spec != nil && r.Next == nil && !r.To.Exited() {
		asked = r.Spec.Image
	}
	known, recorded := Familiar(asked), Familiar(r.To.Image)
	return known != "" && recorded != "" && known != recorded
}

// twoNames reports whether the kubelet was given two images although the runtime may report both under one name: the
// runtime reports any name of an image (containerd container_status.go toCRIContainerStatus, CRI-O
// container_status.go), and it may have two tags. The hash of the kubelet that created both covers only the container's
// name and image.
func (f *finder) twoNames() bool {
	from, to := f.R.From.Hash, f.R.To.Hash
	return from != "" && to != "" && from != to &&
		f.Versions.SameVersion && release.Minor(f.Versions.At) > hash.LastWholeSpec
}

// Familiar normalizes an image name so that sources can be compared: the API has what the runtime resolved
// ("docker.io/library/busybox:1"), events what the spec says ("busybox:1"). A bare id names no image and gives "".
func Familiar(image string) string {
	if image == "" || strings.HasPrefix(image, "sha256:") {
		return ""
	}
	for _, prefix := range []string{"docker.io/", "index.docker.io/", "library/"} {
		image = strings.TrimPrefix(image, prefix)
	}
	if last := image[strings.LastIndexByte(image, '/')+1:]; !strings.ContainsAny(last, ":@") {
		image += ":latest"
	}
	return image
}
