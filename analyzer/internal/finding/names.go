package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/memory"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
)

// The parts of Findings by the names that rules know: a rule imports this package alone.
type (
	// Basis is what all facts rest on.
	Basis = basis.Basis
	// YesNo is what the evidence says about a question.
	YesNo = basis.YesNo
	// Point is one point in question.
	Point = basis.Point
	// Doubt is what does not fit with the rest.
	Doubt = basis.Doubt
	// Exit is how the old instance ended.
	Exit = basis.Exit
	// ProbeKind is a probe that kills.
	ProbeKind = basis.ProbeKind
	// Stops are what is known of who asked for the end.
	Stops = stop.Stops
	// KubeletKill is the kubelet's kill.
	KubeletKill = stop.KubeletKill
	// OOM is what is said about memory.
	OOM = memory.OOM
	// OOMLevel is whose limit was enforced.
	OOMLevel = memory.OOMLevel
	// Versions is the kubelet's version around the restart.
	Versions = definition.Versions
	// Hashes is what the stored hashes prove.
	Hashes = definition.Hashes
	// Images is which image each instance was made from.
	Images = definition.Images
	// Cgroup is what is known of the pod's cgroup.
	Cgroup = node.Cgroup
	// Switch is a change of the container runtime.
	Switch = node.Switch
	// Metrics is what a monitoring system counted.
	Metrics = node.Metrics
	// ProbesCounted is how often a probe failed by that.
	ProbesCounted = node.ProbesCounted
)

// The answers, the probes that kill, and whose limit the out-of-memory killer enforced.
const (
	Unknown = basis.Unknown
	NoTrace = basis.NoTrace
	No      = basis.No
	Yes     = basis.Yes

	Liveness = basis.Liveness
	Startup  = basis.Startup

	OOMContainer = memory.OOMContainer
	OOMPod       = memory.OOMPod
	OOMNode      = memory.OOMNode
)
