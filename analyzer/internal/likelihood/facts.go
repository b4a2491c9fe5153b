package likelihood

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// fact is something about an end that makes causes more or less likely.
type fact struct {
	// what describes it, for readers of the table.
	what  string
	holds func(*finding.Findings) bool
	times factors
}

// factors say how much more often causes are behind an end where a fact holds.
type factors map[causes.ID]float64

// facts are all of them. The factors apply to odds: 10 is "one in ten becomes one in two".
var facts = slices.Concat(ofOneCause, ofPeople, ofProbes, []fact{
	{"several pods of the node, of more than one workload, lost a container in the same two seconds", withOthers,
		factors{causes.NodeReboot: 6, causes.RuntimeRestarted: 8, causes.NodeShutdown: 3, causes.HashKubeletUpgrade: 4,
			causes.AppExitError: .3, causes.AppExitZero: .2, causes.AppSignal: .2, causes.LivenessProbeFailed: .5,
			causes.OOMContainerLimit: .5}},
	{"containers of several pods ended together, and of some the runtime found nothing: it was stopped in the middle",
		halfStopped, factors{causes.NodeReboot: 25, causes.RuntimeRestarted: 2, causes.AppExitError: .1,
			causes.AppExitZero: .1, causes.LivenessProbeFailed: .2, causes.PodDeleted: .2}},
	{"a table lists containers of several pods that ended together, and the kubelet's container ended or was started then",
		signs.WithKubelet, factors{causes.NodeReboot: 20, causes.RuntimeRestarted: 12, causes.AppExitError: .1,
			causes.AppExitZero: .1, causes.LivenessProbeFailed: .1, causes.PodDeleted: .1}},
	{"several pods of the node lost a container in the same two seconds, and this one its sandbox",
		func(f *finding.Findings) bool { return f.Together >= 2 && f.Sandbox.Changed.Answer == finding.Yes },
		factors{causes.KubeletRestarted: 5, causes.PodCgroupMissing: 5, causes.CgroupDriverMismatch: 5,
			causes.RuntimeSwitched: 5, causes.SandboxDied: .2}},
	{"the runtime was asked to stop it, and no log says by whom: mostly the kubelet asks",
		func(f *finding.Findings) bool {
			return f.Stop.Answer == finding.Yes && !f.StopBox && f.Kill.Answer != finding.Yes &&
				f.Kill.Answer != finding.No && !askedByNoKubelet(f)
		},
		factors{causes.LivenessProbeFailed: 6, causes.StartupProbeFailed: 6, causes.PodDeleted: 6,
			causes.SpecImageChanged: 4, causes.HashKubeletUpgrade: 3, causes.SandboxDied: 2, causes.NodeShutdown: 2,
			causes.KilledExternally: .3, causes.OOMContainerLimit: .05, causes.OOMNode: .05, causes.OOMPodLimit: .05,
			causes.AppExitError: .1, causes.AppExitZero: .1, causes.AppSignal: .1, causes.RuntimeRestarted: .1}},
	{"the runtime was asked to stop it with less time than any kubelet gives", askedByNoKubelet,
		factors{causes.KilledExternally: 60}},
	{"systemd began to stop its unit within the second of its end: after an end by itself there is none to stop",
		func(f *finding.Findings) bool { return f.UnitNear.Answer == finding.Yes },
		factors{causes.KilledExternally: 60, causes.AppExitError: .1, causes.AppExitZero: .1, causes.AppSignal: .1}},
	{"Windows ended the process, which was asked to end",
		func(f *finding.Findings) bool { return f.Exit.StoppedOnWindows() },
		factors{causes.AppExitError: .05, causes.AppSignal: .05}},
	{"the node ran out of memory and the kernel killed a process with the container's name, at an unknown time",
		func(f *finding.Findings) bool {
			return f.OOM.Shortage.Answer == finding.Yes && f.OOM.Shortage.At.IsZero() && f.OOM.Told
		}, factors{causes.OOMNode: 40}},
	{"the kernel killed a process at that moment for the limit of a cgroup that its line does not name",
		func(f *finding.Findings) bool { return f.OOM.Unplaced.Answer == finding.Yes },
		factors{causes.OOMContainerLimit: 15, causes.OOMPodLimit: 15, causes.OOMChildProcess: 10}},
	{"such a kill, and the container has a limit or may have one: it is not the node's", func(f *finding.Findings) bool {
		return f.OOM.Unplaced.Answer == finding.Yes && (f.R.Spec == nil || f.R.Spec.MemoryLimit > 0)
	}, factors{causes.OOMNode: .1}},
	{"such a kill, and the container has no limit: all pods together have one", func(f *finding.Findings) bool {
		return f.OOM.Unplaced.Answer == finding.Yes && f.R.Spec != nil && f.R.Spec.MemoryLimit == 0
	}, factors{causes.OOMNode: 5}},
	{"other nodes lost containers within half a minute", func(f *finding.Findings) bool { return f.R.Elsewhere >= 2 },
		factors{causes.NodeReboot: 5, causes.RuntimeRestarted: .7, causes.OOMNode: .5}},
	{"a server with probes ran for longer than a failing start takes", func(f *finding.Findings) bool {
		s := f.R.Spec
		return s != nil && s.Liveness != nil && f.Lived() > 10*time.Minute
	}, factors{causes.AppExitZero: .2}},
	{"it ran for more than an hour", func(f *finding.Findings) bool { return f.Lived() > time.Hour },
		factors{causes.AppExitZero: .5, causes.StartupProbeFailed: .1}},
	{
		"its pod ended at that moment", func(f *finding.Findings) bool {
			return f.End.Answer == finding.Yes && f.R.To == nil
		},
		factors{causes.AppExitError: .15, causes.AppExitZero: .1,
			causes.AppSignal: .1, causes.KilledExternally: .1, causes.LivenessProbeFailed: .1,
			causes.OOMChildProcess: .1, causes.NodeReboot: .3, causes.RuntimeRestarted: .3,
			// a container is replaced in a pod that continues
			causes.HashKubeletUpgrade: .1, causes.HashAPIServerChange: .1, causes.SpecImageChanged: .1, causes.SpecChanged: .1},
	},
	{"another container on the node kept running", signs.OthersRanOn,
		factors{causes.NodeReboot: .03, causes.NodeShutdown: .03, causes.RuntimeRestarted: .3}},
	{
		"the pod got a new sandbox", func(f *finding.Findings) bool { // repeated all the time if that fails
			return f.Sandbox.Changed.Answer == finding.Yes && f.R.Kind != timeline.KindRefused
		},
		factors{causes.SandboxDied: 15, causes.NodeReboot: 8, causes.RuntimeRestarted: 6,
			causes.NodeShutdown: 5, causes.AppExitError: .1, causes.AppExitZero: .1, causes.AppSignal: .1,
			causes.LivenessProbeFailed: .05, causes.StartupProbeFailed: .05, causes.OOMContainerLimit: .1,
			causes.SpecImageChanged: .05, causes.HashKubeletUpgrade: .05,
			causes.SandboxMissing: 10, causes.SandboxNoIP: 10, causes.SandboxNetworkChanged: 10,
			causes.SandboxMultipleReady: 10, causes.PodCgroupMissing: 5, causes.CgroupDriverMismatch: 5,
			causes.RuntimeSwitched:  10,
			causes.KubeletRestarted: 2, causes.HashAPIServerChange: .05, causes.SpecChanged: .05},
	},
	{"the kubelet stopped and recreated the pod, and no event mentions its sandbox", signs.WithoutBox,
		factors{causes.SandboxMissing: 40, causes.SandboxDied: .3, causes.SandboxNoIP: .3, causes.SandboxMultipleReady: .3,
			causes.PodCgroupMissing: .3, causes.CgroupDriverMismatch: .3}},
	{"the pod's sandbox was reported as changed before the container had ended", signs.BoxFirst,
		factors{causes.PodCgroupMissing: .1, causes.KubeletRestarted: .3, causes.CgroupDriverMismatch: .3,
			causes.RuntimeSwitched: .3}},
	{"the static pod was gone for longer than a new sandbox takes", func(f *finding.Findings) bool {
		end, to := f.R.From.Finished, f.R.To
		return to != nil && !end.IsZero() && f.Alike == 0 && to.Started.Sub(end) > 10*time.Second
	}, factors{causes.StaticPodRemoved: 20}},
	{"the static pod runs again under the same UID", func(f *finding.Findings) bool { return f.R.To != nil },
		factors{causes.StaticPodRemoved: .1, causes.StaticPodChanged: .1, causes.StaticPodKubeletUpgrade: .05}},
	{"the static pod continues under another UID",
		func(f *finding.Findings) bool { return f.R.To == nil && f.R.Successor != nil },
		factors{causes.StaticPodRemoved: .05, causes.StaticPodChanged: 2, causes.StaticPodKubeletUpgrade: 2}},
	{"nothing replaced the pod", func(f *finding.Findings) bool { return f.R.To == nil && f.R.Successor == nil },
		factors{causes.StaticPodRemoved: 3, causes.StaticPodKubeletUpgrade: .3, causes.PodReplaced: .1}},
	{"the kubelet stopped and recreated the pod again and again", signs.MadeAnewOften,
		factors{causes.CgroupDriverMismatch: 40, causes.PodCgroupMissing: 5, causes.SandboxNoIP: 3, causes.NodeReboot: .1,
			causes.KubeletRestarted: .1, causes.NodeShutdown: .05, causes.RuntimeRestarted: .2, causes.StaticPodRemoved: .05,
			causes.StaticPodChanged: .1}},
	{"the pod got a new sandbox each time", signs.BoxEachTime,
		factors{causes.SandboxDied: 10, causes.SandboxNoIP: 10, causes.SandboxMissing: 5, causes.AppExitError: .02,
			causes.AppExitZero: .1, causes.AppSignal: .1}},
	{"the kubelet found the sandboxes of several pods gone when it started",
		func(f *finding.Findings) bool { return signs.Comeback(f) != nil },
		factors{causes.NodeReboot: 10, causes.NodeShutdown: 3, causes.RuntimeRestarted: 2, causes.RuntimeSwitched: 2,
			causes.SandboxDied: .05, causes.SandboxMissing: .1, causes.SandboxNoIP: .1, causes.SandboxMultipleReady: .1,
			causes.KubeletRestarted: .2, causes.AppExitError: .3, causes.AppExitZero: .3, causes.AppSignal: .3,
			causes.OOMNode: .3, causes.KilledExternally: .3}},
	{"the pod kept its sandbox", func(f *finding.Findings) bool { return f.Sandbox.Changed.Answer == finding.No },
		factors{causes.SandboxDied: .02, causes.NodeReboot: .02, causes.NodeShutdown: .05}},
	{"one kubelet process ran the whole time, and its log covers the end",
		func(f *finding.Findings) bool { return f.KubeletLog && f.Versions.SameProcess },
		factors{causes.OOMNode: .1, causes.NodeReboot: .1, causes.RuntimeRestarted: .3, causes.NodeShutdown: .1}},
	{"the kubelet was running and saw it end",
		func(f *finding.Findings) bool { return signs.Witnessed(f) && !(f.KubeletLog && f.Versions.SameProcess) },
		factors{causes.NodeReboot: .1, causes.NodeShutdown: .3, causes.RuntimeRestarted: .5, causes.OOMNode: .5}},
	{"a kubelet started right before the end",
		func(f *finding.Findings) bool { return f.NodeEvents.Kubelet.Answer == finding.Yes },
		factors{causes.HashKubeletUpgrade: 3, causes.KubeletRestarted: 5, causes.AdmissionRejected: 3, causes.NodeReboot: 3,
			causes.StaticPodKubeletUpgrade: 3, causes.StartupProbeRerun: 3, causes.PodOrphaned: 2}},
	{"the kubelet got a change of the pod and stopped it at once, for no reason that it tells: old ones get a deletion so",
		signs.StoppedOnUpdate, factors{causes.PodDeleted: 5, causes.LivenessProbeFailed: .3, causes.StartupProbeFailed: .3}},
	{"the kubelet stopped a pod that it did not have to run: it had ended, or its object was gone",
		func(f *finding.Findings) bool { return f.End.Unwanted && f.Kill.Answer == finding.Yes },
		factors{causes.PodOrphaned: 60, causes.EvictedDisk: 6, causes.EvictedMemory: 6, causes.PodDeleted: 2,
			causes.LivenessProbeFailed: .02, causes.StartupProbeFailed: .02, causes.SpecImageChanged: .02,
			causes.HashKubeletUpgrade: .02}},
	{"a kubelet started less than two minutes before the kill", signs.StoppedByNew,
		factors{causes.KubeletRestarted: 3, causes.PodCgroupMissing: 6, causes.CgroupDriverMismatch: 2,
			causes.RuntimeSwitched: 3, causes.PodDeleted: .3, causes.SandboxDied: .5}},
	{"the events cover this time, and no kubelet started",
		func(f *finding.Findings) bool { return f.Events && f.NodeEvents.Kubelet.Answer != finding.Yes },
		factors{causes.HashKubeletUpgrade: .3, causes.KubeletRestarted: .2, causes.StaticPodKubeletUpgrade: .3,
			causes.StartupProbeRerun: .1, causes.RuntimeSwitched: .2}},
	{"the liveness probe cannot have failed often enough",
		func(f *finding.Findings) bool { return signs.Young(f, finding.Liveness) },
		factors{causes.LivenessProbeFailed: .03, causes.ProbeFailuresCarriedOver: 15}},
	{"the startup probe cannot have failed often enough",
		func(f *finding.Findings) bool { return signs.Young(f, finding.Startup) }, factors{causes.StartupProbeFailed: .03}},
	{"the kubelet was told that the pod is deleted, and at once stopped it without another reason", signs.StoppedOnDelete,
		factors{causes.PodDeleted: 10, causes.APIEvicted: 10, causes.TaintEvicted: 10}},
	{"the kubelet had just been given a change of this pod alone when it found the container changed, and hashes " +
		"nothing but name and image",
		func(f *finding.Findings) bool {
			return signs.Edited(f) && release.Minor(f.Versions.At) > hash.LastWholeSpec
		},
		factors{causes.SpecImageChanged: 10}},
	{"the kubelet before the one that found it changed had the same version",
		func(f *finding.Findings) bool { return f.Versions.Compared }, factors{causes.SpecImageChanged: 6}},
	{"containers on other nodes were replaced in the same half minute",
		func(f *finding.Findings) bool { return f.Kill.Reason == evidence.KillDefinition && f.R.Elsewhere > 0 },
		factors{causes.HashAPIServerChange: 5, causes.SpecImageChanged: 2, causes.HashKubeletUpgrade: .3}},
	{"a node rebooted right before, and it is not known which node the pod was on", signs.BootSomewhere,
		factors{causes.NodeReboot: 10}},
	{"a runtime started at that moment, and it is not known which node the pod was on", signs.RuntimeSomewhere,
		factors{causes.RuntimeRestarted: 5, causes.NodeReboot: 2}},
	{"nothing ran for longer than a back-off explains, and it was not in a restart loop", awayAtOnce,
		factors{causes.NodeReboot: 12, causes.RuntimeRestarted: 3, causes.NodeShutdown: 6, causes.AppExitError: .2,
			causes.AppExitZero: .2, causes.AppSignal: .3, causes.LivenessProbeFailed: .2, causes.StartupProbeFailed: .2,
			causes.KilledExternally: .3, causes.OOMContainerLimit: .3}},
	{"it restarted sooner than a machine boots", signs.Promptly,
		factors{causes.NodeReboot: .03, causes.NodeShutdown: .03}},
	{"it restarted within a second, and a new sandbox takes longer",
		func(f *finding.Findings) bool {
			return signs.WithinASecond(f) && f.Sandbox.Changed.Answer != finding.Yes
		},
		factors{causes.SandboxDied: .4, causes.SandboxMissing: .4, causes.SandboxNoIP: .4, causes.SandboxMultipleReady: .4,
			causes.PodCgroupMissing: .4, causes.CgroupDriverMismatch: .4}},
	{"it was lost and restarted sooner than a rebooted node's kubelet could restart it", signs.BackAtOnce,
		factors{causes.NodeReboot: .4}},
	{"the runtime stopped or started at that moment, and took the container or its sandbox along", signs.RuntimeWent,
		factors{causes.RuntimeRestarted: 10, causes.SandboxDied: .1, causes.AppExitZero: .2, causes.AppExitError: .3,
			causes.LivenessProbeFailed: .3, causes.NodeReboot: .5, causes.KilledExternally: .3}},
	{"the runtime's service was stopped and started, and no boot is known", signs.ServiceRestarted,
		factors{causes.NodeReboot: .1}},
	{"other dockerd containers ended in the same two seconds",
		func(f *finding.Findings) bool { return f.OfDocker() && f.Together > 0 && !halfStopped(f) },
		factors{causes.RuntimeRestarted: 10, causes.AppExitError: .3, causes.AppExitZero: .3, causes.AppSignal: .3}},
	{"it ran for less than half a minute",
		func(f *finding.Findings) bool { return f.Lived() >= 0 && f.Lived() < 30*time.Second },
		factors{causes.OOMNode: .2, causes.NodeReboot: .3}},
	{"it ended like this again and again at the same age",
		func(f *finding.Findings) bool { return f.Alike > 0 && !f.Clockwork },
		factors{causes.KilledExternally: .1, causes.NodeReboot: .02, causes.RuntimeRestarted: .02, causes.OOMNode: .2,
			causes.NodeShutdown: .02, causes.SandboxDied: .2, causes.SpecImageChanged: .02, causes.HashKubeletUpgrade: .02,
			causes.AppSignal: 3, causes.AppExitError: 3}},
	{"it has restarted often, and not with pods of others", oftenAlone,
		factors{causes.NodeReboot: .2, causes.RuntimeRestarted: .2, causes.NodeShutdown: .2, causes.SpecImageChanged: .1,
			causes.HashKubeletUpgrade: .1, causes.KilledExternally: .4, causes.OOMNode: .3, causes.LivenessProbeFailed: 2,
			causes.AppExitError: 2, causes.OOMContainerLimit: 1.5}},
	{"it ran for less than ten seconds",
		func(f *finding.Findings) bool { return f.Lived() >= 0 && f.Lived() < 10*time.Second },
		factors{causes.AppExitError: 2, causes.AppExitZero: 2, causes.AppSignal: 1.5, causes.NodeReboot: .2,
			causes.RuntimeRestarted: .2, causes.KilledExternally: .5, causes.SpecImageChanged: .2,
			causes.HashKubeletUpgrade: .1, causes.OOMNode: .4, causes.PostStartHookFailed: 3}},
	{"255 after more than an hour: few processes return that", func(f *finding.Findings) bool {
		return (f.Exit.Lost || f.Exit.Known && f.Exit.Code == 255) && f.Lived() > time.Hour && f.Alike == 0
	}, factors{causes.AppExitError: .1}},
	{"code 2: a Go program returns it for a stop signal that it does not handle",
		func(f *finding.Findings) bool { return f.Exit.Known && f.Exit.Code == 2 },
		factors{causes.LivenessProbeFailed: 8, causes.StartupProbeFailed: 8, causes.RuntimeRestarted: 4,
			causes.NodeReboot: 3, causes.KubeletRestarted: 4, causes.AppExitError: .4}},
	{"it ran for more than a week", func(f *finding.Findings) bool { return f.Lived() > 7*24*time.Hour },
		factors{causes.NodeReboot: 3, causes.HashKubeletUpgrade: 3, causes.SpecImageChanged: 2, causes.RuntimeRestarted: 3,
			causes.AppExitError: .7}},
	{"the node reports that it is, or was, low on memory",
		func(f *finding.Findings) bool { return signs.Condition(f, "MemoryPressure") },
		factors{causes.OOMNode: 8, causes.EvictedMemory: 8}},
	{"the node reports that it is, or was, low on disk space",
		func(f *finding.Findings) bool { return signs.Condition(f, "DiskPressure") }, factors{causes.EvictedDisk: 10}},
	{"the node became ready soon after the end", signs.CameBack,
		factors{causes.NodeReboot: 8, causes.RuntimeRestarted: 4, causes.NodeShutdown: 3, causes.AppExitError: .5,
			causes.AppExitZero: .3, causes.LivenessProbeFailed: .5}},
	{"the machine was being taken down", signs.GoingDown,
		factors{causes.NodeReboot: 15, causes.NodeShutdown: 5, causes.AppExitZero: .5, causes.AppExitError: .5,
			causes.LivenessProbeFailed: .3, causes.KilledExternally: .3, causes.OOMContainerLimit: .3}},
	{"the hashes of the old and the new container differ, but their images do not", signs.Rehashed,
		factors{causes.HashKubeletUpgrade: 60, causes.SpecImageChanged: 2, causes.SpecChanged: 8}},
	{"the old and the new container have the same hash", signs.SameHash,
		factors{causes.HashKubeletUpgrade: .02, causes.SpecImageChanged: .02}},
	{"it has no limit, and others on the node were killed with it", func(f *finding.Findings) bool {
		return f.OOM.Label && f.Together > 0 && f.R.Spec != nil && f.R.Spec.MemoryLimit == 0
	}, factors{causes.OOMNode: 5}},
})

// askedByNoKubelet reports whether the runtime was asked to stop the container within less than two seconds: a kubelet
// gives at least these (v1.28 and v1.37 kuberuntime_container.go killContainer; up to v1.20 not for a hard eviction),
// crictl none by default.
func askedByNoKubelet(f *finding.Findings) bool {
	const leastGrace, always = 2, 28 // seconds; the minor from which on it always does
	return f.Stop.Answer == finding.Yes && !f.StopBox && f.Kill.Answer != finding.Yes &&
		f.StopGrace >= 0 && f.StopGrace < leastGrace && release.Known(f.Versions.At) >= always
}
