package finding

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// nameImageFrom is the first minor that hashes only name and image (kubelet v1.31 container/helpers.go HashContainer).
const nameImageFrom = hash.LastWholeSpec + 1

// versions settles which kubelet decided and which one was there before.
func (f *Findings) versions() {
	if f.Node == nil {
		return
	}
	at := cmp.Or(f.Kill.DecidedAt, f.Kill.At, f.R.End())
	v := &f.Versions
	v.At, v.Certain = f.Node.VersionAt(at)
	started := cmp.Or(f.R.From.Created, f.R.From.Started) // a kubelet's log repeats the start of what it finds running
	run, before := f.Node.KubeletAt(at)
	// A change of versions from before the old instance was made is none of its affairs.
	if first := f.Node.Upgraded(at); first != nil && (started.IsZero() || first.Start.After(started)) {
		v.Before, v.UpgradedAt, v.Evidence = before.Version, first.Start, ids(first.Obs, before.Obs)
		last, _ := f.Node.KubeletAt(first.Start.Add(-1)) // one of a version that is not known may lie between
		v.Seen = last == before && f.startsSeen(before.Start, at)
	} else if run != nil {
		v.Evidence = ids(run.Obs)
	}
	made, started := f.Node.MakerOf(f.R.From)
	counted := made != nil && made.Obs != nil && f.T.Counted(made.Obs.ID)
	// Of what nothing but a monitoring system knows nothing is proven: its readings may rule out what they can.
	seen := f.seen(at)
	if logged := f.logged(started, seen); logged || f.T.EventsCovered(started) && !counted ||
		counted && f.R.From.OnlyCounted() && f.metered(started, seen) {
		saw, _ := f.Node.KubeletAt(seen)
		v.SameProcess = made == saw && (made != nil || logged) // and no start between both moments
	}
	v.SameVersion = v.SameProcess ||
		made != nil && !counted && f.startsSeen(made.Start, at) && f.Node.OneVersion(started, at)
	v.Extrapolated = release.Unmodelled(v.At, v.Before)
	if v.Before == "" && run != nil && !v.SameVersion && at.Sub(run.Start) < tolerance.Settle {
		v.UpgradedAt = run.Start // it started anew; whether with another version is not known
	}
}

// seen is when the kubelet had seen the end. A runtime dates the end of what it lost by its own start, which may come
// before that of the kubelet: whoever decided comes first, then its log's word, then the next container.
func (f *Findings) seen(end time.Time) time.Time {
	if f.Kill.Answer == Yes {
		return end
	}
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished:
			return evidence.Later(m.At, end)
		}
	}
	if f.R.To != nil {
		return evidence.Later(f.R.To.Started, end)
	}
	return end
}

// metered tells whether a monitoring system read its series all over the time: a kubelet that is started anew shows
// another start in the next reading.
func (f *Findings) metered(from, until time.Time) bool {
	ok, _ := f.Node.Covered(evidence.SourceMetrics, from, until, func(*evidence.Origin) bool { return true })
	return ok
}

// logged tells whether the kubelet's log covers the time.
func (f *Findings) logged(from, until time.Time) bool {
	if f.Node == nil || from.IsZero() {
		return false
	}
	ok, _ := f.Node.Covered(evidence.SourceKubeletLog, from, until, f.Node.Binds)
	return ok
}

// startsSeen tells whether no start of a kubelet in the time can be missing.
func (f *Findings) startsSeen(from, until time.Time) bool {
	return f.logged(from, until) || f.T.EventsCovered(from)
}

// images settles which image each instance was made from. Events give the spec's name
// of it; records may have another: of an image with two tags the runtime tells one, and
// of one whose tag was moved what it is still called.
func (f *Findings) images() {
	r, im := f.R, &f.Images
	old, seen := asked(r.From)
	im.Old, im.Evidence = cmp.Or(r.From.Image, old), append(im.Evidence, seen...)
	if r.To != nil {
		next, seen := asked(r.To)
		im.New, im.Evidence = cmp.Or(r.To.Image, next), append(im.Evidence, seen...)
		if old != "" && next != "" {
			im.Old, im.New = old, next
		} else {
			im.Aliased = f.aliased(next)
			if f.twoNames() && familiar(im.Old) == familiar(im.New) {
				im.Aliased, im.OneName, im.Old, im.New = true, true, old, next
			}
		}
	}
	if old, new := familiar(im.Old), familiar(im.New); old != "" && new != "" && !im.Aliased {
		im.Differ = No
		if old != new {
			im.Differ = Yes
		}
		if im.Evidence == nil {
			im.Evidence = f.bothRecords()
		} else {
			im.Evidence = slices.Concat(im.Evidence, r.From.Records, r.To.Records)
		}
	}
	if r.Pod == nil {
		return
	}
	for _, w := range r.Pod.SpecWrites {
		if f.Kill.Answer == Yes && w.Time.Sub(f.Kill.At) > tolerance.EndingLag {
			continue // nobody was killed for what was written later
		}
		if w.OnlyImages && slices.Contains(w.Images, r.Container) && w.Time.After(im.Write) &&
			w.Time.Sub(r.Pod.CreatedAt) > time.Second {
			im.Write, im.Manager = w.Time, w.Manager
		}
	}
}

// asked is the spec's name of an instance's image, as its events tell; "" without such.
func asked(in *timeline.Instance) (image string, ids []string) {
	for _, m := range in.MarksWith(timeline.HasImage) {
		if seen, ok := m.Obs.Fact.(evidence.ImageSeen); ok {
			if image == "" {
				image = seen.Image
			}
			ids = append(ids, m.Obs.ID)
		}
	}
	return image, ids
}

// aliased compares the name that a record has for the new instance's image with the one
// that was asked for; where no event tells that, with the present spec's.
func (f *Findings) aliased(asked string) bool {
	r := f.R
	if asked == "" && r.Spec != nil && r.Next == nil && !r.To.Exited() {
		asked = r.Spec.Image
	}
	known, recorded := familiar(asked), familiar(r.To.Image)
	return known != "" && recorded != "" && known != recorded
}

// twoNames tells that the kubelet was given two images although the runtime may call both by one name: it tells some
// name of an image (containerd container_status.go toCRIContainerStatus, CRI-O container_status.go), and two tags may
// be of one. The kubelet that made both containers hashes nothing but the container's name and image.
func (f *Findings) twoNames() bool {
	from, to := f.R.From.Hash, f.R.To.Hash
	return from != "" && to != "" && from != to && f.Versions.SameVersion && release.Minor(f.Versions.At) >= nameImageFrom
}

// familiar brings an image to the form in which sources can be compared: the API
// repeats what the runtime resolved ("docker.io/library/busybox:1"), events what
// the spec says ("busybox:1"). A bare id names no image and gives "".
func familiar(image string) string {
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

// hashes looks for the specs and kubelets that make the stored hashes.
func (f *Findings) hashes() {
	r, h := f.R, &f.Hashes
	h.Old = r.From.Hash
	h.Evidence = r.From.Records
	if r.To != nil {
		h.New = r.To.Hash
		h.Evidence = f.bothRecords()
	}
	f.said()
	if r.Spec == nil || h.Old == "" && h.New == "" {
		return
	}
	for _, k := range f.variedHashes() {
		if k.Hex == h.Old && h.Old != "" {
			h.OldVaried = append(h.OldVaried, k)
		}
	}
	known := f.knownHashes()
	for _, k := range known {
		if k.Hex == h.Old && h.Old != "" {
			h.OldMade = append(h.OldMade, k)
		}
		if k.Hex == h.New && h.New != "" {
			h.NewMade = append(h.NewMade, k)
		}
	}
}

// Expected returns the hash that a kubelet of this minor computes from the present spec, or "" when it is not known.
func (f *Findings) Expected(minor int) string {
	if f.R.Spec == nil {
		return ""
	}
	for _, k := range f.knownHashes() {
		if k.SpecImage && k.Covers(minor) {
			return k.Hex
		}
	}
	return ""
}

// knownHashes are the collected hashes of the spec and, because they need no
// values that are secret, name-and-image hashes of every image that was seen.
func (f *Findings) knownHashes() []Identity {
	spec := f.R.Spec
	var out []Identity
	for _, h := range spec.Hashes {
		if h.Algorithm == hash.FNV32aJSONWithoutResources || h.Varied() {
			continue // the one is stored beside the hash and never compared alone, the other is no hash of this spec
		}
		out = append(out, Identity{FromMinor: h.FromMinor, ToMinor: h.ToMinor,
			Algorithm: h.Algorithm, Hex: h.Hex, Image: h.Image, SpecImage: h.Image == spec.Image})
	}
	for _, image := range []string{spec.Image, f.Images.Old, f.Images.New} {
		if image == "" || slices.ContainsFunc(out, func(i Identity) bool {
			return i.Image == image && i.Covers(nameImageFrom)
		}) {
			continue
		}
		res, err := hash.Hash(nameImageFrom, &corev1.Container{Name: spec.Name, Image: image})
		if err == nil {
			out = append(out, Identity{FromMinor: nameImageFrom, ToMinor: kubelet.NewestMinor,
				Algorithm: res.Algorithm, Hex: res.Hex, Image: image, SpecImage: image == spec.Image})
		}
	}
	return out
}

// variedHashes are the collected hashes of the spec with one defaulted field less, or more.
func (f *Findings) variedHashes() []Identity {
	var out []Identity
	for _, h := range f.R.Spec.Hashes {
		if h.Varied() {
			out = append(out, Identity{FromMinor: h.FromMinor, ToMinor: h.ToMinor,
				Algorithm: h.Algorithm, Hex: h.Hex, Image: h.Image, SpecImage: h.Image == f.R.Spec.Image,
				Without: h.Without, With: h.With})
		}
	}
	return out
}

// said takes both hashes from the kubelet's own words, where the runtime's records do not tell the stored one.
func (f *Findings) said() {
	if f.Kill.Message == "" {
		return
	}
	stored, expected, ok := bothHashes(f.Kill.Message)
	if !ok {
		return
	}
	h := &f.Hashes
	h.Expected = expected
	if h.Old == "" {
		h.Old = stored
	}
	h.Evidence = append(slices.Clip(h.Evidence), f.Kill.Evidence...)
}

// bothHashes reads "Container spec hash changed (1559107639 vs 1428860573).": the
// stored hash first, both in decimal (kubelet v1.8–v1.13 kuberuntime_manager.go
// computePodActions), and returns them in hex.
func bothHashes(message string) (stored, expected string, ok bool) {
	_, rest, found := strings.Cut(message, "hash changed (")
	if !found {
		return "", "", false
	}
	was, rest, _ := strings.Cut(rest, " vs ")
	is, _, closed := strings.Cut(rest, ")")
	a, err := strconv.ParseUint(was, 10, 32)
	b, also := strconv.ParseUint(is, 10, 32)
	if !closed || err != nil || also != nil {
		return "", "", false
	}
	return strconv.FormatUint(a, 16), strconv.FormatUint(b, 16), true
}

// Describe says what made a hash, in words.
func (i Identity) Describe() string {
	switch {
	case i.Without != "":
		return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of this spec without %s",
			i.Algorithm, i.FromMinor, i.ToMinor, i.Without)
	case i.With != "":
		return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of this spec with %s",
			i.Algorithm, i.FromMinor, i.ToMinor, i.With)
	}
	return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of image %s", i.Algorithm, i.FromMinor, i.ToMinor, i.Image)
}
