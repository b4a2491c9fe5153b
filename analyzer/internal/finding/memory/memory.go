// Package memory finds what kernel, runtime, kubelet and daemons of the node report about memory at an end: whose
// limit, which process, and whether the record fits the end. It may import basis and what basis may import.
package memory

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
)

type finder struct {
	*basis.Basis
	OOM *OOM
}

// Find collects what names the container.
func Find(b *basis.Basis) (o OOM) {
	(&finder{b, &o}).oom()
	return o
}

// FindShortage adds the messages about the whole node's memory around the end.
func (o *OOM) FindShortage(b *basis.Basis, end time.Time) { (&finder{b, o}).shortage(end) }

// FindUndated adds the kernel's records without a time to an end without one.
func (o *OOM) FindUndated(b *basis.Basis) { (&finder{b, o}).calledAlike() }

// OOMLevel is whose limit the out-of-memory killer enforced.
type OOMLevel string

// The levels.
const (
	OOMContainer OOMLevel = "container"
	OOMPod       OOMLevel = "pod"
	OOMNode      OOMLevel = "node"
)

// OOM is what kernel, runtime and daemons report about memory.
type OOM struct {
	basis.Point // the kernel's record at the end of the instance
	Level       OOMLevel
	Victim      string // name of the killed process
	PID         int    // its number, 0 where the record has none
	Limit       int64  // of the cgroup that was full, in bytes; 0 where the record has none
	// ByPod: the full cgroup is the pod's, but its limit is just that of its only container. The pause process is
	// charged there too, so the pod's cgroup is full a moment earlier.
	ByPod bool
	// Unsure: the pod's cgroup was full, and the spec that shows whether its limit is a single container's is unknown.
	Unsure bool
	// Lone: no other container of the pod is known from that time, so that its limit is usually this one's.
	Lone bool
	// Earlier is a kernel record of this container from before its end: a child was killed and the container continued.
	Earlier basis.Point
	// Child: the kernel killed a process at the end, not the main one, and the exit code is not known.
	Child bool
	// Asked: the kernel killed a process of it at its end because someone requested a kill (SysRq f).
	Asked basis.Point
	// Shortage is the kubelet's message that the node ran out of memory at the end. It names a process and no
	// container.
	Shortage basis.Point
	// Own: a daemon killed it because of the memory pressure in its own cgroup, or in its pod's.
	Own bool
	// Killer is the node's daemon that kills when memory runs short, if the shortage is its message: systemd-oomd,
	// earlyoom. Named: it names this container. Told: it names this container or its pod, and nothing vouches for the
	// message; or a kernel names a process called like the container.
	Killer      string
	Named, Told bool
	// Elsewhere: at that moment another container of the node was killed for memory, so that the kubelet's message may
	// be about its process.
	Elsewhere bool
	// Unplaced is a kill for a cgroup's limit at the end whose record does not name the cgroup that was full.
	Unplaced basis.Point
	// Notice is the runtime's TaskOOM at the end. It is raised for an ancestor's
	// limit and for child processes too.
	Notice basis.Point
	// Label is true when the runtime reports the reason OOMKilled.
	Label bool
}
