package timeline

import "github.com/restartwhy/kubectl-restartwhy/diag/evidence"

// FactMask is a set of kinds of facts. Who looks for a rare one among the marks of an instance or a
// pod asks first whether there is any, and seldom has to look.
type FactMask uint32

// The kinds that are looked for.
const (
	HasKill         FactMask = 1 << iota // KillDecided, KillStarted
	HasProbe                             // ProbeFailed
	HasHook                              // HookFailed
	HasStop                              // StopRequested
	HasMemory                            // OOMKill, TaskOOM
	HasExec                              // ExecStarted, ExecExited
	HasImage                             // ImageSeen
	HasFailure                           // StartFailed, RuntimeFailed
	HasRecord                            // MissingActuatedRecord, PodResize
	HasSandbox                           // SandboxJudged, SandboxChanged
	ToldReadiness                        // ReadinessEarly, ReadinessChanged, ProbeResult
	ToldCgroup                           // CgroupMissing
	toldContainer                        // ContainerRecord, RestartCount
	toldLife                             // ContainerStarted, ContainerDied, ContainerFinished
	toldRuntime                          // RuntimeCreated, TaskExited
	toldBox                              // SandboxRecord, SandboxCreated, SandboxStopRequested
	toldNode                             // what nodeStories reads
	toldConfig                           // what configs reads
	toldMirror                           // MirrorPod
	toldCgroupState                      // CgroupState
	toldClock                            // ClockCompared
	toldOfEnd                            // what may be about the end of a pod
	toldAnything                         // set in every set that was filled
)

// toldDated are facts of which the records may know the moment, too.
const toldDated = toldLife | toldRuntime | HasMemory

// toldBy is the kind of a fact.
func toldBy(f evidence.Fact) FactMask {
	switch f.(type) {
	case evidence.ContainerRecord, evidence.RestartCount:
		return toldContainer
	case evidence.KillDecided:
		return HasKill
	case evidence.KillStarted:
		return HasKill | toldLife
	case evidence.ContainerStarted, evidence.ContainerDied, evidence.ContainerFinished:
		return toldLife
	case evidence.RuntimeCreated, evidence.TaskExited:
		return toldRuntime
	case evidence.StopRequested:
		return HasStop
	case evidence.ProbeFailed:
		return HasProbe
	case evidence.HookFailed:
		return HasHook
	case evidence.OOMKill:
		return HasMemory | toldNode
	case evidence.ExecStarted, evidence.ExecExited:
		return HasExec
	case evidence.Segfault:
		return toldNode
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
		return toldBox | toldConfig
	case evidence.SandboxCreated, evidence.SandboxStopRequested:
		return toldBox
	case evidence.CgroupState:
		return toldCgroupState
	case evidence.KubeletStarted, evidence.RuntimeStarted, evidence.UnitState,
		evidence.KernelBooted, evidence.NodeRebooted, evidence.HostOOMKills, evidence.SystemOOM, evidence.OOMSeen,
		evidence.UserspaceOOMKill,
		evidence.KubeletSetting, evidence.RuntimeEndpoint, evidence.CgroupPlacement,
		evidence.PackageChanged, evidence.RestartAsked, evidence.PowerChange,
		evidence.NodeShutdown, evidence.KubeletExited, evidence.RuntimeStopping,
		evidence.UnitChanged, evidence.RuntimeTrouble, evidence.SandboxCheckpoint, evidence.ClockSet, evidence.RunsSince,
		evidence.NodeCordoned, evidence.RuntimeSettings:
		return toldNode
	case evidence.PodConfig, evidence.PodTeardown:
		return toldConfig | toldOfEnd
	case evidence.StaticManifest, evidence.ManifestRead:
		return toldConfig
	case evidence.PodEvicted, evidence.PodRejected, evidence.PodDeleted:
		return toldOfEnd
	case evidence.MirrorPod:
		return toldMirror
	case evidence.ClockCompared:
		return toldClock
	}
	return 0
}

// HasAny tells whether any mark of the instance may be of one of the kinds. What is no
// instance of a timeline's may tell anything.
func (i *Instance) HasAny(kinds FactMask) bool { return i.told == 0 || i.told&kinds != 0 }

// PodTells tells whether anything that was said of the pod, at any time, may be of one of the kinds.
func (r *Restart) PodTells(kinds FactMask) bool { return r.pod == nil || r.pod.tells&kinds != 0 }

// mark adds what was said about the instance.
func (i *Instance) mark(m Occurrence) {
	i.Marks = append(i.Marks, m)
	i.told |= toldBy(m.Obs.Fact) | toldAnything
}

// marked makes the marks those of the instance, which had none.
func (i *Instance) marked(marks []Occurrence) *Instance {
	i.Marks, i.told = marks, toldAnything
	for _, m := range marks {
		i.told |= toldBy(m.Obs.Fact)
	}
	return i
}
