package likelihood

import (
	"slices"
	"syscall"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Look is the form of an end: its code and its reason, without its context.
type Look string

// The looks.
const (
	Zero        Look = "exit 0"
	Code        Look = "an exit code of its own"
	Killed      Look = "SIGKILL"
	Asked       Look = "SIGTERM"
	Signalled   Look = "another signal that is sent"
	Fault       Look = "a signal of a crash"
	Label       Look = "OOMKilled"
	LabelCode   Look = "OOMKilled with another code"
	Lost        Look = "255, as for a lost process"
	Vanished    Look = "a record that is gone"
	VanishedAll Look = "a record that is gone, of a pod that failed"
	Unstated    Look = "an exit of which nothing is known"
	NotStarted  Look = "a process that never ran"
	InitDone    Look = "an init container that succeeded, and ran again"
	MadeAnew    Look = "a pod whose sandbox was recreated"
	NotMade     Look = "a pod that cannot be made"
	Replaced    Look = "killed because its definition changed"
	TakenDown   Look = "killed by the kubelet with its pod"
	Stopped     Look = "killed by the kubelet without a stated reason"
)

// LookOf returns the form of an end.
func LookOf(f *finding.Findings) Look {
	e, kill := &f.Exit, &f.Kill
	sig := syscall.Signal(e.Signal())
	switch {
	case f.R.WholePod() && f.R.Kind == timeline.KindRestart:
		return MadeAnew
	case f.R.WholePod() && f.R.Kind == timeline.KindRefused:
		return NotMade
	case f.R.WholePod() && signs.TakenDown(f):
		return TakenDown
	case f.R.WholePod(), e.NotStarted, e.LastFailed && kill.Answer != finding.Yes:
		return NotStarted
	case kill.Answer != finding.Yes, kill.Unlogged, kill.Late, kill.Close && ofHealth(kill.Reason):
	case kill.Close && kill.Reason == evidence.KillPod && finding.Faults[sig] && f.End.Answer != finding.Yes &&
		f.Sandbox.Changed.Answer != finding.Yes:
		return Fault // no kill ends with one, and nothing else says why the pod was stopped
	case kill.Reason == evidence.KillDefinition, kill.Reason == "" && signs.Rehashed(f) &&
		f.Sandbox.Changed.Answer != finding.Yes:
		return Replaced
	case kill.Reason == evidence.KillPod, kill.Reason == "" && f.R.To == nil && static(f), signs.StoppedOnDelete(f):
		return TakenDown
	default:
		return Stopped
	}
	switch {
	case !e.Known && f.OOM.Label:
		return Label
	case !e.Known:
		return Unstated
	case e.Invented && f.R.To == nil && f.R.Pod != nil && f.R.Pod.Phase == "Failed":
		return VanishedAll
	case e.Invented:
		return Vanished
	case e.Lost, e.Code == 255:
		return Lost
	case f.OOM.Label && e.Code == 137:
		return Label
	case f.OOM.Label && sig == syscall.SIGTERM && f.End.Answer == finding.Yes:
		return Asked // whatever was killed before: who ends a pod requests the stop of its containers
	case f.OOM.Label, f.OOM.Notice.Answer == finding.Yes && e.Chosen():
		return LabelCode
	case sig == syscall.SIGKILL:
		return Killed
	case sig == syscall.SIGTERM, e.StoppedOnWindows():
		return Asked
	case sig == syscall.SIGINT, sig == syscall.SIGHUP, sig == syscall.SIGQUIT:
		return Signalled
	case sig > 0:
		return Fault
	case e.Code == 0 && f.R.ContainerKind == evidence.KindInit:
		return InitDone
	case e.Code == 0:
		return Zero
	}
	return Code
}

// ofHealth reports whether what a process does before it ends by itself may be the reason for a kill: its probes or its
// hook fail. That any other kill falls into the second of such an end is rare.
func ofHealth(r evidence.KillReason) bool {
	return r == evidence.KillLiveness || r == evidence.KillStartup || r == evidence.KillPostStart
}

// ends are the causes behind an end of each form, per hundred. A missing cause is rarer than all of them; if a rule
// claims it anyway it counts as rare.
var ends = map[Look]map[causes.ID]float64{
	Zero: {
		causes.AppExitZero: 55, causes.LivenessProbeFailed: 15, causes.NodeReboot: 6,
		causes.SandboxDied: 2, causes.StartupProbeFailed: 3,
		causes.SpecImageChanged: 3, causes.HashKubeletUpgrade: 3, causes.RuntimeRestarted: 4,
		causes.KilledExternally: 2, causes.NodeShutdown: 2, causes.KubeletRestarted: 3,
		causes.PodDeleted: 1, causes.APIEvicted: 1, causes.TaintEvicted: .5,
	},
	Code: {
		causes.AppExitError: 85, causes.LivenessProbeFailed: 6, causes.StartupProbeFailed: 2,
		causes.OOMChildProcess: 2, causes.NodeReboot: 2, causes.RuntimeRestarted: 1, causes.KubeletRestarted: 1,
		causes.SandboxDied: 1, causes.PodDeleted: 1, causes.NodeShutdown: .5, causes.KilledExternally: .5,
		causes.SpecImageChanged: .5, causes.HashKubeletUpgrade: .5, causes.APIEvicted: .5,
	},
	Killed: { // AppExitError: a shell returns 137 itself when its child was killed
		causes.LivenessProbeFailed: 30, causes.StartupProbeFailed: 8, causes.OOMContainerLimit: 14,
		causes.OOMNode: 12, causes.OOMPodLimit: 2, causes.NodeReboot: 8,
		causes.AppSignal: 4, causes.PostStartHookFailed: 12, causes.RuntimeRestarted: 5,
		causes.KilledExternally: 7, causes.SpecImageChanged: 3, causes.HashKubeletUpgrade: 3,
		causes.SandboxDied: 3, causes.NodeShutdown: 2, causes.KubeletRestarted: 3, causes.AppExitError: 1,
		causes.PodDeleted: 2, causes.APIEvicted: 1, causes.EvictedMemory: 1, causes.EvictedDisk: 1, causes.TaintEvicted: .5,
	},
	Asked: { // a machine that goes down rather leaves 255 or 137: none of 15 public ends with 143 came from a reboot
		causes.LivenessProbeFailed: 35, causes.StartupProbeFailed: 10, causes.NodeReboot: 4,
		causes.RuntimeRestarted: 6, causes.KilledExternally: 9, causes.SpecImageChanged: 4,
		causes.HashKubeletUpgrade: 3, causes.SandboxDied: 7, causes.AppExitError: 5,
		causes.NodeShutdown: 5, causes.AppSignal: 2, causes.PostStartHookFailed: 8, causes.KubeletRestarted: 4,
		causes.PodDeleted: 12, causes.APIEvicted: 8, causes.EvictedMemory: 3, causes.EvictedDisk: 3, causes.TaintEvicted: 3,
	},
	Signalled: {
		causes.LivenessProbeFailed: 20, causes.AppSignal: 25, causes.AppExitError: 15,
		causes.KilledExternally: 15, causes.NodeReboot: 8, causes.RuntimeRestarted: 6,
	},
	Fault: {causes.AppSignal: 95, causes.AppExitError: 3, causes.LivenessProbeFailed: 2, causes.KilledExternally: 1},
	Label: {
		causes.OOMContainerLimit: 65, causes.OOMNode: 20, causes.OOMPodLimit: 6,
		causes.LivenessProbeFailed: 3, causes.OOMChildProcess: 2,
	},
	LabelCode: {causes.OOMChildProcess: 75, causes.AppExitError: 4, causes.OOMNode: 5,
		causes.OOMPodLimit: 2, causes.AppExitZero: 2, causes.LivenessProbeFailed: 3},
	Lost: {
		causes.NodeReboot: 45, causes.RuntimeRestarted: 30, causes.AppExitError: 20, causes.KilledExternally: 2,
		causes.SandboxDied: .5, causes.OOMNode: .5, causes.OOMPodLimit: .3, causes.NodeShutdown: .3, // holder gone
	},
	Vanished: {
		causes.NodeReboot: 30, causes.ContainerStatusUnknown: 25, causes.EvictedDisk: 12,
		causes.EvictedMemory: 12, causes.NodeShutdown: 8, causes.RuntimeRestarted: 8, causes.PodDeleted: 5,
		causes.TaintEvicted: 3, causes.APIEvicted: 3, causes.SandboxDied: 2, causes.OOMNode: 2, causes.OOMPodLimit: 1,
	},
	VanishedAll: {
		causes.EvictedDisk: 35, causes.EvictedMemory: 20, causes.ContainerStatusUnknown: 20, causes.NodeShutdown: 10,
		causes.PodDeleted: 5, causes.NodeReboot: 4, causes.TaintEvicted: 3, causes.APIEvicted: 3, causes.EvictedPID: 1,
	},
	InitDone: {causes.InitRerun: 40, causes.SandboxDied: 20, causes.NodeReboot: 20,
		causes.RestartAllContainers: 5, causes.RuntimeRestarted: 5},
	MadeAnew: {causes.NodeReboot: 45, causes.SandboxDied: 35, causes.RuntimeRestarted: 10,
		causes.PodCgroupMissing: 3, causes.CgroupDriverMismatch: 3, causes.KubeletRestarted: 3},
	NotMade: {causes.CreateError: 60, causes.NodeReboot: 15, causes.SandboxDied: 10, causes.RuntimeRestarted: 5,
		causes.PodCgroupMissing: 3, causes.CgroupDriverMismatch: 3},
	Replaced: {causes.HashKubeletUpgrade: 45, causes.SpecImageChanged: 35,
		causes.HashAPIServerChange: 15, causes.SpecChanged: 10},
	Stopped: {
		causes.ResizeRestart: 25, causes.ResizeRecordMissing: 5,
		causes.LivenessProbeFailed: 40, causes.StartupProbeFailed: 12, causes.SandboxDied: 10,
		causes.SpecImageChanged: 8, causes.HashKubeletUpgrade: 8, causes.PodDeleted: 10,
	},
	TakenDown: {
		causes.PodDeleted: 40, causes.StaticPodRemoved: 40, causes.StaticPodChanged: 40,
		causes.StaticPodKubeletUpgrade: 40, causes.SandboxDied: 15, causes.NodeShutdown: 8,
		causes.APIEvicted: 8, causes.EvictedMemory: 5, causes.EvictedDisk: 5, causes.TaintEvicted: 3,
	},
	Unstated: {
		causes.AppExitError: 30, causes.LivenessProbeFailed: 15, causes.NodeReboot: 15,
		causes.OOMContainerLimit: 8, causes.AppExitZero: 8, causes.SandboxDied: 8,
		causes.RuntimeRestarted: 16, causes.StartupProbeFailed: 5,
		causes.KubeletRestarted: 4, causes.PodDeleted: 5, causes.HashKubeletUpgrade: 3,
		causes.SpecImageChanged: 2, causes.NodeShutdown: 3, causes.OOMNode: 4, causes.KilledExternally: 3,
		causes.AppSignal: 3, causes.OOMPodLimit: 1, causes.EvictedMemory: 1, causes.EvictedDisk: 1, causes.APIEvicted: 1,
		causes.TaintEvicted: 1, causes.InitContainerFailed: 1, causes.OOMChildProcess: .5,
	},
}

// behindAny are rarer causes that may be behind an end of any form, where nothing rules them out: mostly those that
// recreate a whole pod.
var behindAny = map[causes.ID]float64{
	causes.SandboxMissing: .4, causes.SandboxNoIP: .4, causes.SandboxNetworkChanged: .1,
	causes.SandboxMultipleReady: .1, causes.PodCgroupMissing: .5, causes.CgroupDriverMismatch: .5,
	causes.RuntimeSwitched: .2, causes.ContainerUnknownState: .2, causes.HashAPIServerChange: .3,
	causes.SpecChanged: .2, causes.ResizeRestart: .5, causes.ResizeRecordMissing: .2,
	causes.RestartAllContainers: .3, causes.StaticPodChanged: 1, causes.StaticPodRemoved: .5,
	causes.StaticPodKubeletUpgrade: 1, causes.ProbeTimeoutEnforced: .5, causes.ProbeFailuresCarriedOver: .3,
	causes.StartupProbeRerun: .5, causes.AdmissionRejected: .5, causes.PodOrphaned: .3,
	causes.PodReplaced: .5, causes.InitRerun: .2,
}

// ofAnyCause are the forms that show little about their cause.
var ofAnyCause = map[Look]bool{Zero: true, Killed: true, Asked: true, Signalled: true,
	Vanished: true, Unstated: true, MadeAnew: true, Stopped: true, TakenDown: true, InitDone: true}

// known returns the share of a cause behind ends of a form, false where none is known.
func known(look Look, id causes.ID) (float64, bool) {
	n, ok := ends[look][id]
	if !ok && ofAnyCause[look] {
		n, ok = behindAny[id]
	}
	return n, ok
}

// rare is the share of a cause that the table does not list for a form.
const rare = 1

// ofInit is the share of what an end by itself is called if it is an init container's: hardly any has a probe.
const ofInit = 30

// static reports whether the pod is static, including one that is known only by its UID.
func static(f *finding.Findings) bool {
	return f.Static.Answer == finding.Yes || f.Static.Answer == finding.Unknown && timeline.ComputedUID(f.R.PodUID)
}

// fewHave is how rare it is, one in so many containers, to have what a cause needs, where that is unknown.
var fewHave = map[causes.ID]float64{
	// Many have no probe.
	causes.LivenessProbeFailed: 3, causes.StartupProbeFailed: 3,
	// Hooks are rare, few pods are static, hardly any has a policy that restarts it.
	causes.PostStartHookFailed: 20,
	causes.StaticPodChanged:    20, causes.StaticPodRemoved: 20, causes.StaticPodKubeletUpgrade: 20,
	causes.ResizeRestart: 50, causes.ResizeRecordMissing: 50,
	// Containers survive a restart of any runtime but Docker.
	causes.RuntimeRestarted: 8,
}

// share returns how often a cause is behind ends of this form, given the spec.
func share(f *finding.Findings, look Look, id causes.ID) float64 {
	n, listed := known(look, id)
	switch {
	case !listed && id == causes.InitContainerFailed:
		return ofInit
	case !listed:
		return rare
	}
	switch s := f.R.Spec; id {
	case causes.PodDeleted, causes.EvictedDisk, causes.EvictedMemory, causes.APIEvicted, causes.TaintEvicted:
		if f.R.To != nil {
			return 0 // a pod that has ended is not started again
		}
	case causes.RuntimeRestarted:
		if !f.OfDocker() && look != Lost && f.NodeEvents.Runtime.Answer != finding.Yes && !signs.RuntimeSomewhere(f) {
			return n / fewHave[id]
		}
	case causes.KubeletRestarted:
		if f.NodeEvents.Kubelet.Answer != finding.Yes || f.Sandbox.Changed.Answer != finding.Yes {
			return 0 // a new kubelet stops pods, not single containers
		}
	case causes.PostStartHookFailed:
		if s == nil || !s.PostStart {
			return 0
		}
	case causes.LivenessProbeFailed, causes.StartupProbeFailed:
		if s == nil {
			return n / fewHave[id]
		}
	case causes.OOMContainerLimit:
		if s != nil && s.MemoryLimit == 0 {
			return rare / 10.
		}
	case causes.StaticPodChanged, causes.StaticPodRemoved, causes.StaticPodKubeletUpgrade:
		if !static(f) {
			return n / fewHave[id]
		}
	case causes.ResizeRestart, causes.ResizeRecordMissing:
		c := f.ContainerSpec(f.R.Container)
		if c == nil || !slices.ContainsFunc(c.ResizePolicy, func(p corev1.ContainerResizePolicy) bool {
			return p.RestartPolicy == corev1.RestartContainer
		}) {
			return n / fewHave[id]
		}
	case causes.OOMPodLimit:
		if p := f.R.Pod; p != nil && p.MemoryLimit > 0 {
			return 8 * n
		}
	}
	return n
}
