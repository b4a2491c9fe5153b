// Package access finds who could reach the old instance's process: whoever shares its process namespace, ran a command
// in its container or sent it a signal from the node. It may import basis and what basis may import.
package access

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// Signals holds what the node reports of signals to the old instance's process.
type Signals struct {
	// Signalled is a signal of which systemd, the kernel or a command tells, Sender how it was sent.
	Signalled basis.Point
	Sender    string
	stored    bool                  // only the log dates it, which may have taken it late
	told      []timeline.Occurrence // other lines
}

// Find looks for signals to the process before its end. Who sends one, other than who stops a container, sets no limit:
// of what came longer before than a stop takes, nobody knows whether it led to the end. crashed: the code is of a
// signal that a process's own errors raise, which SIGTERM and SIGKILL do not explain.
func Find(f *basis.Basis, crashed bool) (a Signals) {
	in := f.R.From
	if f.Node == nil || in.Finished.IsZero() {
		return a
	}
	main, late := f.MainPID(), in.Finished.Add(tolerance.Settle)
	for _, m := range timeline.Within(f.Node.Signals, in.Finished.Add(-tolerance.AroundEnd), late) {
		sent := m.Obs.Fact.(evidence.Signalled)
		s := &m.Obs.Subject
		everyone := s.ContainerID == "" && s.PodUID == "" && len(sent.PIDs) == 0
		ours := s.ContainerID != "" && s.ContainerID == in.ID || s.ContainerID == "" && f.IsPod(s.PodUID) ||
			s.ContainerID == "" && s.PodUID == "" && main != 0 && slices.Contains(sent.PIDs, main)
		// What only the log dates may have been stored late.
		stored := !m.Obs.Source.Dated && !m.At.Before(in.Finished)
		switch lived := f.MayLive(in, m.At) || f.PerhapsInLife(in, m.At); {
		case !everyone && !ours:
		case stored && !everyone && !lived:
			a.told = append(a.told, m)
		case !lived:
		case senders[sent.By] == "", crashed && (sent.Signal == "SIGTERM" || sent.Signal == "SIGKILL"),
			in.Finished.Sub(m.At) > f.Longest():
			a.told = append(a.told, m)
		case a.Signalled.Answer != basis.Yes:
			a.Signalled, a.Sender = basis.Found(m.At, m.Obs.ID), senders[sent.By]
			a.stored = !m.Obs.Source.Dated
		}
	}
	return a
}

// senders are how those sent it who do not guess what a process got.
var senders = map[string]string{"systemd": "systemctl kill", "SysRq": "SysRq", "audit": "the kernel's audit records",
	"sudo": "a command run with sudo", "cron": "a job of cron", "unit": "systemd, as it stopped a unit"}

// Own reports whether the container's main process is PID 1 of a process namespace that it shares with no
// other container: of signals from outside, the kernel delivers only SIGKILL and those that it has a handler for.
// Without the pod's spec, nobody knows.
func Own(f *basis.Basis) bool {
	p := f.R.Pod
	return p != nil && len(p.Containers) > 0 && !p.HostPID && !p.ShareProcessNamespace && !visited(f)
}

// visited reports whether an ephemeral container was, or may have been, in the process namespace of the old instance,
// as with kubectl debug --target; or one that the pod's object does not have, since it was read earlier, or since
// someone made the container by hand.
func visited(f *basis.Basis) bool {
	o := f.PodObject()
	return o != nil && (unlisted(f, o) || slices.ContainsFunc(o.Spec.EphemeralContainers,
		func(c corev1.EphemeralContainer) bool {
			return c.TargetContainerName == f.R.Container && !missed(f, o.Whole().Status.EphemeralContainerStatuses, c.Name)
		}))
}

// unlisted reports whether a container ran beside the old instance that the pod's object does not have.
func unlisted(f *basis.Basis, o *podobject.Object) bool {
	return slices.ContainsFunc(f.R.Lives(), func(l timeline.Lineage) bool {
		listed := l.Container == f.R.Container || f.ContainerSpec(l.Container) != nil ||
			slices.ContainsFunc(o.Spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool {
				return c.Name == l.Container
			})
		return !listed && slices.ContainsFunc(l.Instances, func(in *timeline.Instance) bool {
			return in.Begun().Before(f.R.From.Finished) && (in.Finished.IsZero() || in.Finished.After(f.R.From.NotBefore()))
		})
	})
}

// Weaken doubts an end that nobody requested from outside where the process may still have got a signal: from a
// command that someone ran in the container, or from the kernel for corrupted memory.
//
// asked is when the kubelet or someone else began to stop it, zero where nobody did: the runtime then sends signals,
// too.
func (a *Signals) Weaken(f *basis.Basis, asked time.Time) {
	in, e := f.R.From, &f.Exit
	if !e.OfProcess() || in.Finished.IsZero() {
		return
	}
	for _, m := range a.told {
		if asked.IsZero() || m.At.Before(asked) || !m.Obs.Source.Dated {
			f.Doubt("a program of the node reports a signal, and names its process or container", m.Obs.ID)
		}
	}
	if !asked.IsZero() {
		if a.Signalled.Answer == basis.Yes && (a.stored || a.Signalled.At.Before(asked)) {
			f.Doubt("a signal was sent to its process, perhaps before anyone stopped it", a.Signalled.Evidence...)
		}
		return
	}
	if a.Signalled.Answer == basis.Yes {
		f.Doubt("a signal from outside was sent to its process before it ended", a.Signalled.Evidence...)
	}
	for _, m := range slices.Concat(timeline.Since(in.MarksWith(timeline.HasExec), in.Finished.Add(-tolerance.Session)),
		f.R.PodMarksWith(timeline.HasExec)) {
		switch exec := m.Obs.Fact.(type) {
		case evidence.ExecStarted:
			switch began := m.At.Add(-exec.Lasted); {
			case !f.MayLive(in, began) && !f.PerhapsInLife(in, began):
			case exec.Attached:
				f.Doubt("someone attached to the process before it ended (kubectl attach): what was typed there may have ended it",
					m.Obs.ID)
			default:
				f.Doubt("a command was run in the container before it ended (kubectl exec): if that command sent "+
					"a signal, the end looks the same", m.Obs.ID)
			}
		case evidence.ExecExited:
			if !runsCommands(f, true) && m.At.Before(in.Finished.Add(tolerance.Dies)) {
				f.Doubt("a command was run in the container, which has no probe or hook that runs one: if that "+
					"command sent a signal, the end looks the same", m.Obs.ID)
			}
		}
	}
	if runsCommands(f, false) {
		f.Doubt("the kubelet runs commands in the container (a probe with exec, or a postStart hook): one of them may have " +
			"ended the process")
	}
	if f.Node == nil {
		return
	}
	for _, m := range timeline.Since(f.Node.Corruptions, in.Finished.Add(-tolerance.AroundEnd)) {
		if m.At.After(in.Finished.Add(tolerance.Slack)) {
			break
		}
		f.Doubt("the node has a hardware memory error, and the kernel killed a process because of it before the end",
			m.Obs.ID)
	}
}

// runsCommands reports whether the kubelet itself runs commands in the container: before its end, or also at its end
// (atEnd). At the end, an unknown spec counts as yes.
func runsCommands(f *basis.Basis, atEnd bool) bool {
	c := f.R.Spec
	if c == nil {
		return atEnd
	}
	for _, p := range []*evidence.Probe{c.Liveness, c.Readiness, c.Startup} {
		if p != nil && p.Handler == "exec" {
			return true
		}
	}
	return c.PostStart || atEnd && c.PreStop
}

// missed reports whether an ephemeral container, which runs once, started after the end or had ended before the start.
func missed(f *basis.Basis, all []corev1.ContainerStatus, name string) bool {
	i := slices.IndexFunc(all, func(s corev1.ContainerStatus) bool { return s.Name == name })
	if i < 0 {
		return false
	}
	began, end := f.R.From.NotBefore(), f.R.From.Finished
	switch s := &all[i].State; {
	case s.Running != nil:
		return !end.IsZero() && s.Running.StartedAt.After(end.Add(tolerance.Slack))
	case s.Terminated != nil:
		return !end.IsZero() && s.Terminated.StartedAt.After(end.Add(tolerance.Slack)) ||
			!began.IsZero() && s.Terminated.FinishedAt.Time.Before(began.Add(-tolerance.Slack))
	}
	return false
}
