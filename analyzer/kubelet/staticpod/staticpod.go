// Package staticpod knows which kubelet versions compute another UID for the same static pod, which they read from a
// file or a URL. A static pod with another UID is another pod: all of its containers are killed and new ones are
// created, which is why most upgrades in place restart the control plane.
//
// It may import the standard library, analyzer/kubelet and its sub-packages. Collected evidence (diag), I/O and the
// clock never enter.
package staticpod

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// UIDChange is one minor that computes another UID than the previous minor for every static pod without a UID of its
// own.
type UIDChange struct {
	Minor int
	// Recipe: the way to compute the UID changed.
	Recipe bool
	// Fields are those that were added to every pod's print, were removed, or changed their type.
	Fields []string
}

// changes are the minors that change every static pod's UID, oldest first: the internal API's types in the print of
// every pod (Pod, ObjectMeta, PodSpec, PodStatus, PodSecurityContext, which is never nil after defaulting, Container
// and its ResourceRequirements) changed, or the recipe did. Rows after 1.24 are generated (make generate) from
// inventories; older ones were read from the last patch of each minor (pkg/api/types.go up to 1.8,
// pkg/apis/core/types.go after; metav1 ObjectMeta) and stay unchanged. First and last patches agree in the minors where
// both were read. 1.17, 1.20, 1.22 and 1.29 changed nothing there.
var changes = sync.OnceValue(func() (all []UIDChange) {
	var rows map[int]UIDChange
	if err := json.Unmarshal(changesFile, &rows); err != nil {
		panic(fmt.Sprintf("read a table of this program: %v", err)) // a test reads it
	}
	for _, minor := range slices.Sorted(maps.Keys(rows)) {
		c := rows[minor]
		c.Minor = minor
		all = append(all, c)
	}
	return all
})

//go:embed changes.json
var changesFile []byte

// Why describes the change.
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

// Between returns the changes between two minors, oldest first: with any of them, every static pod without a UID of its
// own is recreated when the kubelet goes from one to the other in place, up or down. Even without one, a static pod is
// recreated if it uses a part of the API whose type changed.
func Between(from, to int) []UIDChange {
	if from > to {
		from, to = to, from
	}
	var some []UIDChange
	for _, c := range changes() {
		if from < c.Minor && c.Minor <= to {
			some = append(some, c)
		}
	}
	return some
}
