package app

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds the cause of containers that could not be started, and of init containers that ran again although
// they had succeeded.

// startError is decisive given the runtime's own reason: there was no process.
func startError(f *finding.Findings) *causes.Claim {
	refused := refusedStart(f)
	if f.Exit.StartUnseen {
		return startUnseen(f)
	}
	if !f.Exit.NotStarted && !refused {
		return startTold(f)
	}
	reason, message, cites := f.Exit.Reason, f.R.From.Message.String(), f.Exit.Evidence
	if refused {
		reason, message, cites = f.R.Waiting.Reason, f.R.Waiting.Message, f.R.Waiting.Evidence
	}
	log, logged := failed(f)
	cites = append(slices.Clone(cites), logged...)
	if message == "" {
		message = log
	}
	what, text := couldNot(f, message)
	if reason != "" {
		text += " (" + reason + ")"
	}
	root := causes.Link{Cause: causes.StartError, Text: text, At: f.R.From.Finished, Evidence: cites}
	strength, ran := causes.Decisive, "it never ran; "
	switch {
	case unanswered(message), refused && mayBeOff(message):
		strength, ran = causes.Strong, "it is not known whether it ran; "
	case mayBeOff(message):
		strength = causes.Strong
	}
	return &causes.Claim{
		Strength: strength, Chain: []causes.Link{root, then(f)},
		Summary: causes.Who(f) + ": " + ran + what,
		Actions: startAdvice(f, message),
	}
}

// startTold claims a start that is known only from the runtime's error, without a status: from the pod's events, or
// lines of a log.
func startTold(f *finding.Findings) *causes.Claim {
	message, cites := failed(f)
	if !f.Exit.LastFailed {
		return nil
	}
	what, text := couldNot(f, message)
	root := causes.Link{Cause: causes.StartError, Text: text, At: f.R.From.Finished, Evidence: cites}
	return &causes.Claim{
		Strength: causes.Strong, Chain: []causes.Link{root, causes.Then(f)},
		Needs: []causes.Need{{What: "its state in the API, with reason and message",
			Consequence: "only an event or a line of a log says that its start failed",
			Command:     "kubectl get pod " + causes.InPod(f) + " -o yaml"}},
		Summary: causes.Who(f) + ": " + what,
		Actions: startAdvice(f, message),
	}
}

// couldNot says what failed: in plain words where the message is known, and in the runtime's words for the chain.
func couldNot(f *finding.Findings, message string) (plain, whole string) {
	const what = "the runtime could not start the process"
	if message == "" {
		return what, what
	}
	whole = what + ": " + message
	if told, ok := causes.ReadMessage(starts, message, f); ok {
		return what + ": " + told.Words, whole
	}
	if f.R.Mentioned() { // the text may be a row of a table
		return what, whole
	}
	return whole, whole
}

// then is causes.Then without the message, which the root of the chain has.
func then(f *finding.Findings) causes.Link {
	if refusedStart(f) {
		return causes.Link{Text: "not restarted: " + f.R.Waiting.Reason, Evidence: f.R.Waiting.Evidence}
	}
	return causes.Then(f)
}

// startAdvice returns what to do about a start that failed with this message; nil for an unknown one.
func startAdvice(f *finding.Findings, message string) []string {
	if told, ok := causes.ReadMessage(starts, message, f); ok {
		return []string{told.Advice}
	}
	return nil
}

// startUnseen claims from an exit code alone, which a process may have chosen as well.
func startUnseen(f *finding.Findings) *causes.Claim {
	what := "the runtime may have failed to start the process: it then reports code " + causes.Code(f.Exit.Code) +
		", and nothing shows that the process ran"
	root := causes.Link{Cause: causes.StartError, Text: what, At: f.R.From.Finished, Evidence: f.Exit.Evidence}
	return &causes.Claim{
		Strength: causes.Weak, Hedged: true, Chain: []causes.Link{root, causes.Then(f)},
		Needs:   append(causes.NeedRuntimeLog(f), causes.NeedLogs(f)...),
		Summary: causes.Who(f) + ": " + what,
		Actions: []string{"check whether the container logged anything: " + logs(f)},
	}
}

// refusedStart reports whether a container waits because its start failed. If the previous one ran and ended, that end
// is another matter.
func refusedStart(f *finding.Findings) bool {
	return f.R.Waiting.Reason == "RunContainerError" && !f.Exit.Known
}

// failed returns the last message in the logs about a failed start, and all their lines about it.
func failed(f *finding.Findings) (message string, cites []string) {
	for _, m := range f.R.From.Marks {
		switch e := m.Obs.Fact.(type) {
		case evidence.StartFailed:
			message = e.Message.String()
		case evidence.RuntimeFailed:
			if e.Op != "StartContainer" && e.Op != "CreateContainer" {
				continue
			}
			message = e.Message.String()
		default:
			continue
		}
		cites = append(cites, m.Obs.ID)
	}
	return message, cites[max(0, len(cites)-maxFailed):]
}

// maxFailed limits the cited lines: the kubelet retries for hours.
const maxFailed = 3

func againstStart(f *finding.Findings) causes.Against {
	switch {
	case f.Exit.NotStarted || f.Exit.StartUnseen || refusedStart(f) || f.Exit.LastFailed:
		return causes.Against{}
	case f.R.Kind == timeline.KindRefused:
		return causes.Contradict("it was never created: "+f.R.Waiting.Reason, f.R.Waiting.Evidence...)
	case f.Exit.Known:
		return causes.Contradict(causes.Exited(f, ": its process ran"), f.Exit.Evidence...)
	}
	return causes.KilledByKubelet(f)
}

// initRerun claims a second run of an init container in the same sandbox although it had succeeded: the kubelet looks
// for its record in the runtime, and the record was gone.
func initRerun(f *finding.Findings) *causes.Claim {
	again := f.R.BesideRunning() && f.End.Answer != finding.Yes // this run was already one too many
	behind := f.R.RanBehind() || again
	if !isInit(f) || f.R.To == nil && !again || !behind && (!f.Exit.Known || f.Exit.Code != 0) ||
		f.Sandbox.Changed.Answer == finding.Yes {
		return nil
	}
	at, records := f.R.From.Started, f.R.From.Records
	if !again {
		at, records = f.R.To.Started, f.R.To.Records
	}
	s := causes.Weak // that it ran again is not why it was killed for memory
	if (behind || f.Sandbox.Changed.Answer == finding.No) && !f.OOM.Label {
		s = causes.Strong
	}
	what := "it had succeeded and ran again in the same sandbox: its record was gone from the runtime"
	if behind {
		what = "it ran again beside the pod's containers, which start only after it has succeeded: its record was gone " +
			"from the runtime"
	}
	return &causes.Claim{
		Strength: s, Needs: causes.NeedLogs(f),
		Chain: []causes.Link{{Cause: causes.InitRerun, Text: what, At: at, Evidence: records},
			causes.Then(f)},
		Summary: "init " + causes.Who(f) + ": " + what,
	}
}

func againstRerun(f *finding.Findings) causes.Against {
	switch {
	case f.R.ContainerKind != "" && !isInit(f):
		return causes.Contradict("it is not an init container")
	case f.Exit.Known && f.Exit.Code != 0 && !f.R.BesideRunning():
		return causes.Contradict(causes.Exited(f, ": it had not succeeded"), f.Exit.Evidence...)
	case f.Sandbox.Changed.Answer == finding.Yes:
		return causes.Contradict("the pod got a new sandbox, so all of its init containers run again",
			f.Sandbox.Changed.Evidence...)
	case f.R.To == nil && !f.R.BesideRunning():
		return causes.Contradict("it did not run again")
	case f.RestartedAll.Answer == finding.Yes:
		return causes.Contradict("container "+f.RestartedAll.Container+
			" exited with a code for which its rule restarts all containers", f.RestartedAll.Evidence...)
	}
	return causes.Against{}
}
