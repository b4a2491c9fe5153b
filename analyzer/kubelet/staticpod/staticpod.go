// Package staticpod knows how the kubelet names static pods, those that it reads from a file or a URL: the UID that it
// makes of them, and which versions make another one. A static pod with another UID is another pod: all of its
// containers are killed and new ones are made, which is why most upgrades in place restart the control plane.
//
// It may import the standard library, analyzer/kubelet and its sub-packages. Collected evidence (diag), I/O and the
// clock never enter.
package staticpod

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// FromManifest is the algorithm of a UID that the manifest sets: every version takes it as it is.
const FromManifest = "manifest"

// PodName returns the name that the kubelet of 1.minor gives to a static pod: the node's name behind that of the
// manifest, in lower case since 1.10 (config/common.go generatePodName).
func PodName(minor int, name, node string) string {
	if minor >= 10 {
		node = strings.ToLower(node)
	}
	return name + "-" + node
}

// UIDChange is one minor that gives every static pod without a UID of its own another UID than the minor before it.
type UIDChange struct {
	Minor int
	// Recipe: the way to compute the UID changed.
	Recipe bool
	// Fields are those that came into every pod's print, went from it, or changed their type.
	Fields []string
}

// Why puts the change into words.
func (c UIDChange) Why() string {
	fields := "changed in every pod: " + strings.Join(c.Fields, ", ")
	switch {
	case c.Recipe && len(c.Fields) > 0:
		return "the UID is computed in another way, and " + fields
	case c.Recipe:
		return "the UID is computed in another way"
	}
	return fields
}

// Between returns the changes that lie between two minors, oldest first: with any of them, every static pod without a
// UID of its own is recreated when the kubelet goes from one to the other in place, up or down. Without one, a static
// pod is recreated all the same if it uses a part of the API whose type changed.
func Between(from, to int) []UIDChange {
	if from > to {
		from, to = to, from
	}
	var some []UIDChange
	for _, c := range changes {
		if from < c.Minor && c.Minor <= to {
			some = append(some, c)
		}
	}
	return some
}

// Run returns the minors around 1.minor, both ends included, that no UIDChange parts. Minors of different runs never
// make the same UID of a manifest.
func Run(minor int) (from, to int) {
	minor = min(max(minor, kubelet.OldestMinor), kubelet.NewestMinor)
	from, to = kubelet.OldestMinor, kubelet.NewestMinor
	for _, c := range changes {
		if c.Minor <= minor {
			from = c.Minor
		} else {
			return from, c.Minor - 1
		}
	}
	return from, to
}
