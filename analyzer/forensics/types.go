package forensics

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Stored is one container instance with the hash that a kubelet stored with it. Unknown fields are zero.
type Stored struct {
	ContainerID string
	Attempt     int // -1 when unknown
	Image       string
	Runtime     string // the runtime in the API's id: docker, containerd, cri-o
	Created     time.Time
	// Hash is the annotation io.kubernetes.container.hash, unchanged, "" when it was not read, and Second
	// io.kubernetes.container.hashWithoutResources.
	Hash, Second string
	// Kubelet is the version that created the instance, where the node's records show it.
	Kubelet string
	// Evidence are the observations of the instance.
	Evidence []string
}

// Question is one container with its instances, oldest first.
type Question struct {
	Spec   evidence.Container
	Stored []Stored
	// Kubelet is the version that the node has now, "" when unknown.
	Kubelet string
}

// maker is one with its comparison key.
type maker struct {
	report.HashMaker
	from, to  int
	thisImage bool
	template  bool // Source is that of a whole spec
}

// plain reports whether no field was left out, set or changed.
func (i *maker) plain() bool { return len(i.Without)+len(i.With)+len(i.Changed) == 0 }

// covers reports whether kubelets of this minor are among the makers.
func (i *maker) covers(minor int) bool { return i.from <= minor && minor <= i.to }
