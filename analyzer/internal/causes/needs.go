package causes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file has the texts for what is missing, and how to get it: the same gap has the same text under every cause.

// The needs for logs.
var (
	needsKubeletLog = []Need{{Words: func(f *finding.Findings) Need {
		return Need{
			What:        rest(f, evidence.SourceKubeletLog) + "the kubelet's log around the end" + at(f),
			Consequence: "it would show or rule out a kill by the kubelet, with the reason",
			Command:     "kubectl restartwhy " + InPod(f) + " --evidence logs",
		}
	}}}
	needsRuntimeLog = []Need{{Words: func(f *finding.Findings) Need {
		return NeedNode(f, rest(f, evidence.SourceRuntimeLog)+"the container runtime's log around the end"+at(f),
			"it would show or rule out a stop through the runtime (crictl, an operator)")
	}}}
	needsKernelLog = []Need{{Words: func(f *finding.Findings) Need {
		return NeedNode(f, rest(f, evidence.SourceKernelLog)+"the kernel's log around the end"+at(f),
			"it would show or rule out the OOM killer, and whose limit was reached")
	}}}
	needsFault = []Need{{Words: func(f *finding.Findings) Need {
		return NeedNode(f, rest(f, evidence.SourceKernelLog)+"the kernel's log around the end"+at(f),
			"it would show the fault, with the process and the address")
	}}}
	needsBothLogs = slices.Concat(needsKubeletLog, needsRuntimeLog)
)

// rest returns a prefix for the case that some lines of a log exist, but not enough.
func rest(f *finding.Findings, log evidence.SourceKind) string {
	for _, marks := range [][]timeline.Occurrence{f.R.From.Marks, f.R.PodMarks} {
		for _, m := range marks {
			if m.Obs.Source.Kind == log {
				return "the rest of "
			}
		}
	}
	return ""
}

// NeedKubeletLog returns the need for the kubelet's log of the time.
func NeedKubeletLog(f *finding.Findings) []Need {
	if f.KubeletLog || f.Brief {
		return nil
	}
	return slices.Clip(needsKubeletLog)
}

// NeedRuntimeLog returns the need for the runtime's log of the time, where it can be read: not on Windows.
func NeedRuntimeLog(f *finding.Findings) []Need {
	if f.RuntimeLog || f.Exit.Windows || f.Brief {
		return nil
	}
	return slices.Clip(needsRuntimeLog)
}

// NeedLogs returns the needs for the kubelet's log and the runtime's.
func NeedLogs(f *finding.Findings) []Need {
	switch {
	case f.KubeletLog || f.Brief:
		return NeedRuntimeLog(f)
	case f.RuntimeLog, f.Exit.Windows:
		return NeedKubeletLog(f)
	}
	return slices.Clip(needsBothLogs)
}

// NeedKernelLog returns the need for the kernel's log of the time.
func NeedKernelLog(f *finding.Findings) []Need {
	if f.KernelLog || f.Exit.Windows || f.Brief {
		return nil
	}
	return slices.Clip(needsKernelLog)
}

// NeedFault returns the need for the kernel's log of a fault.
func NeedFault(f *finding.Findings) []Need {
	if f.KernelLog || f.Exit.Windows || f.Brief {
		return nil
	}
	return slices.Clip(needsFault)
}

// NeedRuntimeRecords returns the need for the runtime's records (stored hashes, images, sandboxes).
func NeedRuntimeRecords(f *finding.Findings, what string) []Need {
	return []Need{NeedNode(f, what,
		"the stored hash shows which kubelet version and which spec created the container")}
}

// NeedNode returns the need for what collect reads on the node itself.
func NeedNode(f *finding.Findings, what, consequence string) Need {
	return Need{What: what, Consequence: consequence,
		Command: "kubectl-restartwhy collect --local -o node.tar.zst && kubectl-restartwhy analyze node.tar.zst",
		Node:    OnNode(f)}
}

func at(f *finding.Findings) string {
	end := f.R.End()
	if end.IsZero() {
		return ""
	}
	var room [64]byte
	return string(append(end.UTC().AppendFormat(append(room[:0], " ("...), time.RFC3339), ')'))
}

// nodeless reports whether nothing names the node.
func nodeless(f *finding.Findings) bool {
	return f.R.Node == "" || f.R.Node == evidence.Unnamed || f.R.Node == evidence.UnnamedNode
}

// OnNode returns the node's name for a command.
func OnNode(f *finding.Findings) string {
	if nodeless(f) {
		return "NODE"
	}
	return report.Quote(f.R.Node)
}

// Node returns the node for a sentence that says what it is: "the kubelet of n1".
func Node(f *finding.Findings) string {
	if nodeless(f) {
		return "its node"
	}
	return f.R.Node
}

// TheNode returns the node for a sentence that does not say what it is.
func TheNode(f *finding.Findings) string {
	if nodeless(f) {
		return "its node"
	}
	return "node " + f.R.Node
}

// InPod returns the pod's name and namespace as arguments of kubectl.
func InPod(f *finding.Findings) string { return inPod(f.R) }

func inPod(x *timeline.Restart) string {
	if x.PodName == evidence.Unnamed {
		return "POD -n NAMESPACE"
	}
	return report.QuoteName("pod", x.PodName) + " -n " + report.Quote(x.Namespace)
}

// Logs returns the command for the container's last output.
func Logs(f *finding.Findings) string { return LogCommand(f.R) }

// LogCommand is Logs for a restart. An end that is the present state in the API needs no --previous, which would show
// the output of the instance before, or none.
func LogCommand(x *timeline.Restart) string {
	container := report.Quote(x.Container)
	if x.Container == evidence.Unnamed {
		container = "CONTAINER"
	}
	text := "kubectl logs " + inPod(x) + " -c " + container
	if x.To == nil && x.Pod != nil && x.Waiting.Reason == "" && x.Next == nil {
		return text
	}
	return text + " --previous"
}

// ThePod returns the pod for a sentence.
func ThePod(x *timeline.Restart) string {
	if x.PodName == evidence.Unnamed {
		return "a pod"
	}
	return "pod " + x.PodName
}

// Who returns the container for a sentence, or the pod where no container is known.
func Who(f *finding.Findings) string {
	if f.R.WholePod() {
		return ThePod(f.R)
	}
	if f.R.Container == evidence.Unnamed {
		return "a container"
	}
	return "container " + f.R.Container
}

// Lifetime returns how long the old instance lived, " after 7s", or "". Where only a look of the kubelet shows its
// start, which may be late, it lived at least as long.
func Lifetime(f *finding.Findings) string {
	in := f.R.From
	if in.Started.IsZero() || in.Finished.Before(in.Started) {
		return ""
	}
	lived := in.Finished.Sub(in.Started)
	if in.StartByPLEG() && !in.Aged() && !in.Coarse {
		return " after at least " + report.Lasted(max(lived, time.Second))
	}
	if lived < time.Second {
		return " right after its start"
	}
	return " after " + report.Lasted(lived)
}

// HeldUp returns the reason for which a container that ended is not started again, other than back-off: its image
// cannot be pulled, or it cannot be created. It is "" where there is none.
func HeldUp(f *finding.Findings) string {
	switch why := f.R.Waiting.Reason; why {
	case "CrashLoopBackOff", "PostStartHookError", "ContainerCreating", "PodInitializing":
		return ""
	default:
		if f.R.To != nil || f.R.Kind != timeline.KindDeath || !f.Exit.Known || f.R.Mentioned() {
			return "" // or the two are one: it never ran
		}
		return why
	}
}

// Then returns what came after: the new instance, or that there is none yet.
func Then(f *finding.Findings) Link {
	to := f.R.To
	switch {
	case to == nil && f.R.Waiting.Reason == "CrashLoopBackOff":
		text := "not restarted yet: the kubelet is waiting (CrashLoopBackOff"
		delay, _, told := strings.Cut(f.R.Waiting.Message, " restarting failed container")
		if told {
			text += ", " + delay
		}
		text += ")"
		if f.R.Restarts > 0 {
			text += " after " + report.Count(f.R.Restarts, "restart")
		}
		if due := NextStart(f); !due.IsZero() {
			text += "; the next start is due at " + due.UTC().Format(time.RFC3339)
		}
		if m := f.R.Waiting.Message; m != "" && !told && !f.R.Mentioned() { // a text's line is quoted once
			text += ": " + m
		}
		return Link{Cause: BackoffWaiting, Text: text, Evidence: f.R.Waiting.Evidence}
	case to == nil && f.R.Waiting.Reason != "":
		return Link{Text: "not restarted: " + strings.TrimSuffix(f.R.Waiting.Reason+": "+f.R.Waiting.Message, ": "),
			Evidence: f.R.Waiting.Evidence}
	case to == nil && f.End.Answer == finding.Yes && f.End.How == evidence.EndRejected:
		return Link{Cause: AdmissionRejected, Text: "not started again: the kubelet did not admit the pod (" +
			f.End.Reason + ": " + f.End.Message + ")", At: f.End.At, Evidence: f.End.Evidence}
	case to == nil && f.R.WholePod() && f.R.Kind == timeline.KindRestart:
		seen := f.Sandbox.Changed.Evidence
		if len(seen) == 0 {
			seen = f.R.From.Records // a table's row
		}
		return Link{Text: "the kubelet recreated the pod's sandbox", At: f.R.End(), Evidence: seen}
	case to == nil && f.R.Successor != nil:
		return inItsPlace(f.R.Successor)
	case to == nil && f.End.Answer == finding.Yes:
		return Link{Text: "not restarted: the pod has ended (" + string(f.End.How) + ")",
			At: f.End.At, Evidence: f.End.Evidence}
	case to == nil && f.R.Pod != nil && f.R.Pod.Ended():
		return Link{Text: "not restarted: the pod has ended (phase " + f.R.Pod.Phase + ")"}
	case to == nil && f.R.Pod != nil && f.R.Pod.RestartPolicy == "Never" && f.R.ContainerKind == evidence.KindApp:
		return Link{Text: "not restarted: the pod's restartPolicy is Never"}
	case to == nil && (f.KubeletLog || f.R.From.InStatus && !f.R.From.Before):
		return Link{Text: "not restarted so far"}
	case to == nil:
		return Link{Text: "the evidence does not show whether it was restarted"}
	case to.Started.IsZero():
		return Link{Text: "restarted", Evidence: to.Records}
	}
	text := "restarted"
	if to.Attempt > 0 {
		text = "restarted, restart count " + strconv.Itoa(to.Attempt)
	}
	return Link{Text: text, At: to.Started, Evidence: to.Records}
}

// inItsPlace returns where a static pod continues: under another UID.
func inItsPlace(next *timeline.Successor) Link {
	if next.Instance == nil {
		return Link{Role: report.RoleEffect, Text: "the static pod continues under UID " + next.PodUID,
			At: next.Came()}
	}
	return Link{Role: report.RoleEffect, Text: "restarted in the same static pod under UID " + next.PodUID,
		At: next.Instance.Started, Evidence: next.Instance.Records}
}

// codes caches the exit codes as text: nearly every sentence has one.
var codes = func() (all [256]string) {
	for i := range all {
		all[i] = strconv.Itoa(i)
	}
	return all
}()

// Code formats an exit code.
func Code(code int32) string {
	if code >= 0 && int(code) < len(codes) {
		return codes[code]
	}
	return strconv.Itoa(int(code))
}

// ExitText says how the old instance ended.
func ExitText(f *finding.Findings) string { return Exited(f, "") }

// Exited says how the old instance ended, followed by then.
func Exited(f *finding.Findings, then string) string {
	e := &f.Exit
	switch {
	case !e.Known && strings.HasSuffix(f.R.PodUID, evidence.Asked):
		return "the text asks why it ended or does not run" + then
	case !e.Known && f.R.Kind == timeline.KindRefused:
		return "it could not be started" + then
	case !e.Known:
		return "it ended" + then + " with an unknown exit code"
	case f.Kill.GraceOver:
		reason := ""
		if e.Reason != "" {
			reason = " (" + e.Reason + ")"
		}
		return fmt.Sprintf("exit code %d%s: it did not stop within its grace period of %d s and got SIGKILL%s",
			e.Code, reason, f.Kill.Grace, then)
	case e.Reason != "": // in every verdict, so without fmt
		return "exit code " + Code(e.Code) + " (" + e.Reason + ")" + then
	}
	return "exit code " + Code(e.Code) + then
}

// Said returns the link for the container's own last words, or for the text that tells of its end; an empty one if
// there are none.
func Said(f *finding.Findings) Link {
	switch m := f.R.From.Message; {
	case m.Empty():
		return Link{}
	case f.R.Mentioned():
		return Link{Text: "the text says: " + m.String(), Evidence: f.Exit.Evidence}
	default:
		return Link{Text: "its termination message: " + m.String(), Evidence: f.Exit.Evidence}
	}
}

// EndStep returns the link for the end itself.
func EndStep(f *finding.Findings) Link {
	if e := &f.Exit; f.OOM.Label && e.Known && e.Code != 137 && f.OOM.Answer != finding.Yes {
		// The runtime counts the out-of-memory kills in the cgroup, including a child's.
		return Link{Cause: OOMLabelStale,
			Text: Exited(f, ": the label OOMKilled comes from an earlier kill in the cgroup, not from this exit"),
			At:   f.R.From.Finished, Evidence: e.Evidence}
	}
	return Link{Text: ExitText(f), At: f.R.From.Finished, Evidence: f.Exit.Evidence}
}
