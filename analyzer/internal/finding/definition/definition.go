// Package definition finds which kubelets ran around a restart, and what the old and the new instance were made from:
// stored hashes, images, writes to the spec. It may import basis, stop and the kubelet's hashes.
package definition

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Definition holds the kubelets around the restart and what the containers were made from.
type Definition struct {
	Versions Versions
	Hashes   Hashes
	Images   Images
}

type finder struct {
	*basis.Basis
	*Definition
	Kill *stop.KubeletKill
}

// Find compares what the old and the new instance were made from.
func Find(b *basis.Basis, kill *stop.KubeletKill) (d Definition) {
	f := finder{b, &d, kill}
	f.versions()
	if b.R.Kind != timeline.KindNone {
		f.images()
		f.hashes()
	}
	return d
}

// Expected returns the hash that a kubelet of this minor computes from the present spec, or "" when unknown.
func (d *Definition) Expected(b *basis.Basis, minor int) string {
	if b.R.Spec == nil {
		return ""
	}
	for _, k := range knownHashes(b.R.Spec, d.Images.Old, d.Images.New) {
		if k.Image == b.R.Spec.Image && k.Covers(minor) {
			return k.Hex
		}
	}
	return ""
}

// Versions are the kubelet's versions around the restart.
type Versions struct {
	At      string // of the kubelet that decided; "" when unknown
	Certain bool   // its own log says so
	// of the last process before it with another version in the old instance's life; "" when none is known
	Before     string
	UpgradedAt time.Time
	// Seen: log or events cover the time from the start of that process to the decision, so that no kubelet start in
	// between is missing.
	Seen bool
	// SameVersion: all processes from the one that made the old instance to the one that decided had one version.
	SameVersion bool
	// Compared: the process before the one that decided had its version, too, and should have found the same.
	Compared bool
	// SameProcess: one kubelet process made the old instance and saw it end.
	SameProcess bool
	// Extrapolated is At or Before if that version is not modelled: what follows from its rules is assumed, not known.
	// "" where both are modelled.
	Extrapolated string
	Evidence     []string
}

// Hashes is what the stored hashes prove.
type Hashes struct {
	Old, New string // stored hashes of the old and the new instance
	// OldMade and NewMade are specs that would make them; empty when nothing known matches.
	OldMade, NewMade []evidence.SpecHash
	// OldVaried are the hashes of the spec with one defaulted field less, or more, that equal the old one.
	OldVaried []evidence.SpecHash
	// Expected is the hash that the kubelet itself logged as expected (≤1.13), in hex.
	Expected string
	Evidence []string
}

// Images are the images that the old and the new instance were made from.
type Images struct {
	Old, New string
	Differ   basis.YesNo
	// Aliased: the runtime reports the new instance's image under another name than its spec, so that its names do not
	// show an edit.
	Aliased bool
	// OneName: the runtime reports both images under one name, but the hashes, which cover only the container's name
	// and image, differ.
	OneName bool
	// Write is the last write to the spec's images that left a trace, and who made it.
	Write   time.Time
	Manager string
	// Updated: right before it decided, the kubelet was given a change of the pod.
	Updated  basis.Point
	Evidence []string
}
