package timeline

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// FactMask is a set of kinds of facts. It shows without a search whether a rare kind is among the marks of an instance
// or a pod.
type FactMask uint32

// The kinds that are looked for.
const (
	HasKill         FactMask = 1 << iota // KillDecided, KillStarted
	HasProbe                             // ProbeFailed
	HasHook                              // HookFailed
	HasStop                              // StopRequested
	HasRemoval                           // RemovalRequested
	HasMemory                            // OOMKill, TaskOOM
	HasExec                              // ExecStarted, ExecExited
	HasImage                             // ImageSeen
	HasFailure                           // StartFailed, RuntimeFailed
	HasRecord                            // MissingActuatedRecord, PodResize
	HasSandbox                           // SandboxJudged, SandboxChanged
	ToldReadiness                        // ReadinessEarly, ReadinessChanged, ProbeResult
	ToldCgroup                           // CgroupMissing
	ToldContainer                        // ContainerRecord, RestartCount
	ToldLife                             // ContainerStarted, ContainerDied, ContainerFinished
	ToldRuntime                          // RuntimeCreated, TaskExited
	ToldBox                              // SandboxRecord, SandboxCreated, SandboxStopRequested
	ToldNode                             // what nodeStories reads
	ToldConfig                           // what configs reads
	ToldMirror                           // MirrorPod
	ToldCgroupState                      // CgroupState
	ToldClock                            // ClockCompared
	ToldOfEnd                            // what may be about the end of a pod
	ToldAnything                         // set in every set that was filled
)

// ToldDated are facts whose moment the API's records may contain, too.
const ToldDated = ToldLife | ToldRuntime | HasMemory

// ToldBy returns the kind of a fact.
func ToldBy(f evidence.Fact) FactMask {
	switch f := f.(type) {
	case evidence.NameTold:
		if f.Sandbox {
			return ToldBox
		}
	case evidence.ContainerRecord, evidence.RestartCount:
		return ToldContainer
	case evidence.KillDecided:
		return HasKill
	case evidence.KillStarted:
		return HasKill | ToldLife
	case evidence.ContainerStarted, evidence.ContainerDied, evidence.ContainerFinished:
		return ToldLife
	case evidence.RuntimeCreated, evidence.TaskExited:
		return ToldRuntime
	case evidence.StopRequested:
		return HasStop
	case evidence.RemovalRequested:
		return HasRemoval
	case evidence.ProbeFailed:
		return HasProbe
	case evidence.HookFailed:
		return HasHook
	case evidence.OOMKill:
		return HasMemory | ToldNode
	case evidence.ExecStarted, evidence.ExecExited:
		return HasExec
	case evidence.Segfault:
		return ToldNode
	case evidence.TaskOOM:
		return HasMemory
	case evidence.ImageSeen:
		return HasImage
	case evidence.StartFailed, evidence.RuntimeFailed:
		return HasFailure
	case evidence.MissingActuatedRecord, evidence.PodResize:
		return HasRecord
	case evidence.SandboxJudged, evidence.SandboxUnready, evidence.SandboxChanged:
		return HasSandbox
	case evidence.ReadinessEarly, evidence.ReadinessChanged, evidence.ProbeResultChanged:
		return ToldReadiness
	case evidence.CgroupMissing:
		return ToldCgroup
	case evidence.SandboxRecord:
		return ToldBox | ToldConfig
	case evidence.SandboxCreated, evidence.SandboxStopRequested:
		return ToldBox
	case evidence.CgroupState:
		return ToldCgroupState
	case evidence.KubeletStarted, evidence.RuntimeStarted, evidence.UnitState,
		evidence.KernelBooted, evidence.NodeRebooted, evidence.HostOOMKills, evidence.SystemOOM, evidence.OOMSeen,
		evidence.UserspaceOOMKill, evidence.Signalled,
		evidence.KubeletSetting, evidence.RuntimeEndpoint, evidence.CgroupPlacement,
		evidence.PackageChanged, evidence.RestartAsked, evidence.PowerChange,
		evidence.NodeShutdown, evidence.KubeletExited, evidence.RuntimeStopping,
		evidence.UnitChanged, evidence.RuntimeTrouble, evidence.SandboxCheckpoint, evidence.ClockSet, evidence.RunsSince,
		evidence.NodeCordoned, evidence.RuntimeSettings:
		return ToldNode
	case evidence.PodConfig, evidence.PodTeardown:
		return ToldConfig | ToldOfEnd
	case evidence.StaticManifest, evidence.ManifestRead:
		return ToldConfig
	case evidence.PodEvicted, evidence.PodRejected, evidence.PodDeleted:
		return ToldOfEnd
	case evidence.MirrorPod:
		return ToldMirror
	case evidence.ClockCompared:
		return ToldClock
	}
	return 0
}

// HasAny reports whether any mark of the instance may be of one of the kinds. An instance that is in no timeline has no
// mask, so that any kind may be among its marks.
func (i *Instance) HasAny(kinds FactMask) bool { return i.Told == 0 || i.Told&kinds != 0 }

// PodTells reports whether any mark of the pod, at any time, may be of one of the kinds.
func (r *Restart) PodTells(kinds FactMask) bool { return r.Story == nil || r.Story.Kinds&kinds != 0 }

// MarksWith returns the marks of an instance if one of the kinds is among them, else nil: most instances have none of
// the kinds (3 µs less for each restart).
func (i *Instance) MarksWith(kinds FactMask) []Occurrence {
	if i.HasAny(kinds) {
		return i.Marks
	}
	return nil
}

// PodMarksWith returns the marks of the pod around a restart if its pod has one of the kinds at all.
func (r *Restart) PodMarksWith(kinds FactMask) []Occurrence {
	if r.PodTells(kinds) {
		return r.PodMarks
	}
	return nil
}

// Mark adds an observation about the instance.
func (i *Instance) Mark(m Occurrence) {
	i.Marks = append(i.Marks, m)
	i.Told |= ToldBy(m.Obs.Fact) | ToldAnything
}

// Marked sets the marks of the instance, which had none.
func (i *Instance) Marked(marks []Occurrence) *Instance {
	i.Marks, i.Told = marks, ToldAnything
	for _, m := range marks {
		i.Told |= ToldBy(m.Obs.Fact)
	}
	return i
}

// Has reports whether one of the marks is a fact of a type that fits; nil accepts all of the type.
func Has[F evidence.Fact](marks []Occurrence, fits func(F) bool) bool {
	return slices.ContainsFunc(marks, func(m Occurrence) bool {
		f, ok := m.Obs.Fact.(F)
		return ok && (fits == nil || fits(f))
	})
}
