// Package staticpod knows which kubelet versions make another UID of the same static pod, which they read from a file
// or a URL. A static pod with another UID is another pod: all of its containers are killed and new ones are made,
// which is why most upgrades in place restart the control plane.
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

// UIDChange is one minor that gives every static pod without a UID of its own another UID than the minor before it.
type UIDChange struct {
	Minor int
	// Recipe: the way to compute the UID changed.
	Recipe bool
	// Fields are those that came into every pod's print, went from it, or changed their type.
	Fields []string
}

// changes are the minors that change every static pod's UID, oldest first: the types of the internal API that stand in
// the print of every pod (Pod, ObjectMeta, PodSpec, PodStatus, PodSecurityContext, which is never nil after defaulting,
// Container and its ResourceRequirements) are others, or the recipe is. Rows behind 1.24 are generated (make generate)
// from inventories; older ones were read from the last patch of each minor (pkg/api/types.go up to 1.8,
// pkg/apis/core/types.go after; metav1 ObjectMeta) and stay as they stand. First and last patches agree in the minors
// of which both were read. 1.17, 1.20, 1.22 and 1.29 changed nothing there.
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
	for _, c := range changes() {
		if from < c.Minor && c.Minor <= to {
			some = append(some, c)
		}
	}
	return some
}
