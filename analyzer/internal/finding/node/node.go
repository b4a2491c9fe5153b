// Package node finds the state of the node around an end: where the pod's cgroup was, which container runtime the
// kubelet used, what a monitoring system counted. It may import basis, stop and definition.
package node

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
)

// Facts is the state of the node around the end: where the pod's cgroup was, which runtime the kubelet used, what a
// monitoring system counted.
type Facts struct {
	Cgroup  Cgroup
	Switch  Switch
	Metrics Metrics
}

type finder struct {
	*basis.Basis
	*Facts
	Kill     *stop.KubeletKill
	Versions *definition.Versions
}

// Find derives them.
func Find(b *basis.Basis, kill *stop.KubeletKill, v *definition.Versions) (n Facts) {
	f := finder{b, &n, kill, v}
	f.cgroup()
	f.runtimeSwitch()
	f.metrics()
	return n
}

// Cgroup is the facts about the pod's cgroup: where the kubelet had it, and where it looks for it.
type Cgroup struct {
	// Missing is the kubelet's line that it did not find it, right before a kill.
	Missing basis.Point
	// Moved: the kubelet that created the new sandbox requested another cgroup than the one that created the old. Old
	// and New are the two.
	Moved    basis.Point
	Old, New string
	// Drivers: the two are named by different cgroup drivers.
	Drivers bool
	// Told: the kubelet was started with another cgroup setting than the one that created the old instance. Setting is
	// its name, Old and New its values where no record has the cgroups.
	Told    basis.Point
	Setting string
	// Outside: processes of the pod run outside of it. Certain is false where the kubelet's driver is known only from
	// its configuration.
	Outside basis.Point
	Certain bool
	// SpecForm: the runtime treats systemd's cgroup specifications as directory names.
	SpecForm bool
}

// Switch is a change of the container runtime that the kubelet uses, during the old instance's life. From and To are
// names or endpoints.
type Switch struct {
	basis.Point
	From, To string
	// Inferred: the two are known from other containers of the node.
	Inferred bool
	// Left is another runtime that still had pods at collection, or still has a stored sandbox of this one.
	Left basis.Point
}
