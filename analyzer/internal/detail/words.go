package detail

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// longest is how many characters of a message a mark quotes; the evidence has the rest.
const longest = 160

// told is the text for one occurrence of an observation. The zero lane means an observation that is no occurrence, such
// as a record.
type told struct {
	lane report.LaneKind
	at   time.Time
	text string
}

// tellAll returns the texts for an observation: one, or two for an aggregated event, which covers its first and its
// last occurrence.
func (n *names) tellAll(o *evidence.Observation) []told {
	if f, ok := o.Fact.(evidence.UnitState); ok {
		return unitTold(f)
	}
	lane, text := n.tell(o)
	if lane == "" || o.Time.IsZero() {
		return nil
	}
	count, first := timeline.Repeated(o)
	if count < 2 || first.IsZero() || !first.Before(o.Time) {
		return []told{{lane, o.Time, text}}
	}
	return []told{{lane, first, fmt.Sprintf("%s (the first of %d)", text, count)},
		{lane, o.Time, fmt.Sprintf("%s (the last of %d)", text, count)}}
}

func (n *names) tell(o *evidence.Observation) (report.LaneKind, string) {
	for _, tell := range []func(*names, *evidence.Observation) (report.LaneKind,
		string){kubeletTold, podTold, runtimeTold, nodeTold} {
		if lane, text := tell(n, o); lane != "" {
			return lane, text
		}
	}
	return "", ""
}

func kubeletTold(n *names, o *evidence.Observation) (report.LaneKind, string) {
	it := n.of(o)
	switch f := o.Fact.(type) {
	case evidence.KillDecided:
		return report.LaneKubelet, "decides to kill " + it + because(f.Message)
	case evidence.KillStarted:
		if f.GraceSeconds < 0 {
			return report.LaneKubelet, "kills " + it
		}
		return report.LaneKubelet, fmt.Sprintf("kills %s with a grace period of %d s", it, f.GraceSeconds)
	case evidence.KillFinished:
		return report.LaneKubelet, "has killed " + it
	case evidence.KillFailed:
		return report.LaneKubelet, "cannot kill " + it + because(f.Message)
	case evidence.ContainerStarted:
		return report.LaneKubelet, "sees that " + it + " started"
	case evidence.ContainerDied:
		return report.LaneKubelet, "sees that " + it + " ended"
	case evidence.ContainerFinished:
		return report.LaneKubelet, fmt.Sprintf("sees that %s ended with exit code %d", it, f.ExitCode)
	case evidence.HookFailed:
		how := " failed"
		if f.CalledOff {
			how = " was called off"
		}
		return report.LaneKubelet, "the " + cmp.Or(f.Hook, "lifecycle") + " hook of " + it + how + because(f.Output)
	case evidence.ContainerRemoved:
		return report.LaneKubelet, "removes the record of " + it
	case evidence.LogFileRead:
		return report.LaneKubelet, fmt.Sprintf("has read the whole log of attempt %d of %s", f.Attempt, it)
	case evidence.BackedOff:
		if f.Delay == 0 {
			return report.LaneKubelet, "waits before it starts " + it + " again"
		}
		return report.LaneKubelet, fmt.Sprintf("waits %s before it starts %s again", f.Delay, it)
	case evidence.RestartDecided:
		return report.LaneKubelet, "finds " + it + " dead and starts it again"
	case evidence.StartFailed:
		return report.LaneKubelet, "cannot start " + it + ": " + f.Reason + because(f.Message)
	case evidence.MissingActuatedRecord:
		return report.LaneKubelet, "has no record of the resources that it gave to " + it
	case evidence.ImageSeen:
		return report.LaneKubelet, "has the image of " + it + ": " + f.Image
	case evidence.ProbeFailed:
		if f.Errored {
			return report.LaneProbe, fmt.Sprintf("%s probe of %s could not run (not counted as a failure)%s",
				f.Probe, it, because(f.Output))
		}
		return report.LaneProbe, fmt.Sprintf("%s probe of %s failed%s", f.Probe, it, because(f.Output))
	case evidence.ProbeResultChanged:
		return report.LaneProbe, fmt.Sprintf("%s of %s is now: %s", f.Probe, it, cmp.Or(f.Status, "not ready"))
	case evidence.RestartAll:
		return report.LaneKubelet, "restarts all containers, step " + string(f.Step) + ", " + it
	}
	return "", ""
}

// sandboxReasons are texts for the conditions of PodSandboxChanged.
var sandboxReasons = map[evidence.SandboxReason]string{
	evidence.SandboxNone:     "there is none",
	evidence.SandboxMultiple: "several are ready",
	evidence.SandboxNotReady: "the last one is not ready",
	evidence.SandboxNetwork:  "its network differs from what the pod requests",
	evidence.SandboxNoIP:     "it has no IP address",
	evidence.SandboxInfra:    "image, ports or environment of the pause container changed",
}

func podTold(n *names, o *evidence.Observation) (report.LaneKind, string) {
	it := n.of(o)
	switch f := o.Fact.(type) {
	case evidence.SandboxJudged:
		return report.LaneKubelet, "wants a new sandbox for the pod: " + cmp.Or(sandboxReasons[f.Reason], string(f.Reason))
	case evidence.SandboxUnready:
		return report.LaneKubelet, "must replace the pod's sandbox: " +
			cmp.Or(sandboxReasons[f.Reason], string(f.Reason))
	case evidence.SandboxChanged:
		return report.LaneKubelet, "stops the pod and creates a new sandbox: the sandbox changed"
	case evidence.PodConfig:
		if f.Others < 0 {
			return report.LaneKubelet, "gets the API's list of its pods: there are none"
		}
		return report.LaneKubelet, fmt.Sprintf("gets %s for the pod from %s", f.Op, cmp.Or(f.Origin, "its source"))
	case evidence.PodRejected:
		return report.LaneKubelet, "rejects the pod: " + f.Reason + because(f.Message)
	case evidence.PodEvicted:
		if evidence.EndingOf(f.Reason).ByAPI() {
			return report.LaneAPI, "the pod is stopped: " + f.Reason + because(f.Message)
		}
		return report.LaneKubelet, "stops the pod: " + f.Reason + because(f.Message)
	case evidence.PodDeleted:
		if !f.By.Empty() {
			return report.LaneAPI, "the pod was deleted by " + f.By.String()
		}
		return report.LaneAPI, "the pod was deleted (deletion requested)"
	case evidence.PodTeardown:
		return report.LaneKubelet, "stops the pod: " + string(f.Reason) + because(f.Message)
	case evidence.UIDReused:
		return report.LaneKubelet, "the pod comes back under the same UID"
	case evidence.PodReplaced:
		return report.LaneKubelet, "another pod has the name now; the old UID is " + f.OldUID
	case evidence.PreemptionPlanned:
		return report.LaneKubelet, "must preempt pods for a critical one" + because(f.Resources)
	case evidence.CgroupMissing:
		return report.LaneKubelet, "cannot find the cgroup " + f.Cgroup + because(f.Missing)
	case evidence.StaticPodUID:
		return report.LaneKubelet, "computed the static pod's UID"
	case evidence.MirrorPod:
		return report.LaneKubelet, "mirror pod: " + string(f.Change)
	case evidence.ReadinessEarly:
		return report.LaneKubelet, "had a readiness result before its first sync of the pod"
	case evidence.ReadinessChanged:
		if f.Ready {
			return report.LaneAPI, "the pod is ready; its containers keep running"
		}
		return report.LaneAPI, "the pod is not ready; its containers keep running"
	case evidence.PodResize:
		return report.LaneKubelet, "resize of " + it + ": " + string(f.State) + because(f.Message)
	case evidence.APIEvent:
		if name := o.Subject.Container; name != "" && !strings.Contains(f.Message.String(), name) {
			return report.LaneAPI, f.Reason + " of " + name + because(f.Message)
		}
		return report.LaneAPI, f.Reason + because(f.Message)
	}
	return "", ""
}

func runtimeTold(n *names, o *evidence.Observation) (report.LaneKind, string) {
	it := n.of(o)
	switch f := o.Fact.(type) {
	case evidence.RuntimeCreated, evidence.SandboxCreated:
		return report.LaneRuntime, "created " + it
	case evidence.TaskStarted:
		return report.LaneRuntime, "started " + it
	case evidence.StopRequested:
		switch {
		case f.TimeoutSeconds >= 0:
			return report.LaneRuntime, fmt.Sprintf("gets a request to stop %s within %d s", it, f.TimeoutSeconds)
		case f.Signal != "":
			return report.LaneRuntime, "stops " + it + " with the signal " + f.Signal
		}
		return report.LaneRuntime, "gets a request to stop " + it
	case evidence.RemovalRequested:
		return report.LaneRuntime, "gets a request to remove " + it
	case evidence.SandboxStopRequested:
		return report.LaneRuntime, "gets a request to stop " + it
	case evidence.SandboxStopped:
		return report.LaneRuntime, "stopped " + it
	case evidence.ExecExited:
		return report.LaneRuntime, "a command that was run in " + it + " ended"
	case evidence.ExecStarted:
		if f.Attached {
			return report.LaneRuntime, "attaches someone to " + it + " (kubectl attach)"
		}
		return report.LaneRuntime, "runs a command in " + it + " (kubectl exec, crictl exec)"
	case evidence.TaskExited:
		if f.ExitCode != nil {
			return report.LaneRuntime, fmt.Sprintf("%s exited with code %d", it, *f.ExitCode)
		}
		return report.LaneRuntime, it + " exited"
	case evidence.Counted:
		return counted(f)
	case evidence.ProbeTotals:
		return report.LaneProbe, fmt.Sprintf("liveness probes failed %d times and startup probes %d times since the "+
			"kubelet was started", f.Liveness, f.Startup)
	case evidence.MemoryNear:
		return report.LaneRuntime,
			fmt.Sprintf("the memory of %s was above 90 %% of its limit, last %d MiB", it, f.WorkingSet>>20)
	case evidence.TaskOOM:
		return report.LaneRuntime, "is notified of an OOM kill in " + it
	case evidence.RuntimeFailed:
		return report.LaneRuntime, f.Op + " of " + it + " failed" + because(f.Message)
	case evidence.ShimLost:
		return report.LaneRuntime, "lost the shim of " + it + because(f.Message)
	case evidence.StateLost:
		return report.LaneRuntime, "does not know the state of " + it + because(f.Message)
	}
	return "", ""
}

// because returns the message after a colon, if there is one.
func because(message safetext.Text) string {
	text := strings.TrimSpace(message.String())
	if text == "" {
		return ""
	}
	return ": " + short(text)
}

func short(text string) string { return safetext.Shorten(text, longest) }
