package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/definition"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/memory"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/node"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
)

// The parts of Findings under the names that rules use: a rule imports only this package.
type (
	// Basis is what all facts rest on.
	Basis = basis.Basis
	// YesNo is the answer of the evidence to a question.
	YesNo = basis.YesNo
	// Point is the answer to one question, with time and evidence.
	Point = basis.Point
	// Doubt is what does not fit with the rest.
	Doubt = basis.Doubt
	// Exit is how the old instance ended.
	Exit = basis.Exit
	// ProbeKind is a kind of probe whose failure kills.
	ProbeKind = basis.ProbeKind
	// Stops are the facts about who requested the end.
	Stops = stop.Stops
	// KubeletKill is the kubelet's kill.
	KubeletKill = stop.KubeletKill
	// OOMLevel is whose limit was enforced.
	OOMLevel = memory.OOMLevel
	// Versions are the kubelet's versions around the restart.
	Versions = definition.Versions
	// Images is which image each instance was made from.
	Images = definition.Images
	// Cgroup is the facts about the pod's cgroup.
	Cgroup = node.Cgroup
	// Switch is a change of the container runtime.
	Switch = node.Switch
	// ProbesCounted are its counts of probe failures.
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

// Faults are the signals of a process's own errors: no kill by the kubelet ends with one.
var Faults = stop.Faults
