package finding

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// OwnProcesses reports whether the container's main process is PID 1 of a process namespace that it shares with no
// other container: of signals from outside, the kernel delivers only SIGKILL and those that it has a handler for.
func (f *Findings) OwnProcesses() bool {
	return f.R.Pod != nil && !f.R.Pod.HostPID && !f.R.Pod.ShareProcessNamespace && !f.visited()
}

// visited reports whether an ephemeral container was, or may have been, in the process namespace of the old instance,
// as with kubectl debug --target.
func (f *Findings) visited() bool {
	o := f.PodObject()
	return o != nil && slices.ContainsFunc(o.Spec.EphemeralContainers, func(c corev1.EphemeralContainer) bool {
		return c.TargetContainerName == f.R.Container && !f.missed(o.Status.EphemeralContainerStatuses, c.Name)
	})
}

// fromWithin doubts an end that nobody requested from outside where the process may still have got a signal: from a
// command that someone ran in the container, or from the kernel for corrupted memory.
func (f *Findings) fromWithin() {
	in, e := f.R.From, &f.Exit
	if !e.OfProcess() || in.Finished.IsZero() || f.Kill.Answer == Yes || f.Stop.Answer == Yes || f.OOM.Answer == Yes {
		return
	}
	for _, m := range timeline.Since(in.MarksWith(timeline.HasExec), in.Finished.Add(-tolerance.Session)) {
		switch exec := m.Obs.Fact.(type) {
		case evidence.ExecStarted:
			switch {
			case !f.MayLive(in, m.At):
			case exec.Attached:
				f.Doubt("someone attached to the process before it ended (kubectl attach): what was typed there may have ended it",
					m.Obs.ID)
			default:
				f.Doubt("a command was run in the container before it ended (kubectl exec): if that command sent "+
					"a signal, the end looks the same", m.Obs.ID)
			}
		case evidence.ExecExited:
			if !f.runsCommands(true) && m.At.Before(in.Finished.Add(tolerance.Dies)) {
				f.Doubt("a command was run in the container, which has no probe or hook that runs one: if that "+
					"command sent a signal, the end looks the same", m.Obs.ID)
			}
		}
	}
	if f.runsCommands(false) {
		f.Doubt("the kubelet runs commands in the container (a probe with exec, or a postStart hook): one of them may have " +
			"ended the process")
	}
	if f.Node == nil {
		return
	}
	for _, m := range timeline.Since(f.Node.Corruptions, in.Finished.Add(-tolerance.OOMLag)) {
		if m.At.After(in.Finished.Add(tolerance.Slack)) {
			break
		}
		f.Doubt("the node has a hardware memory error, and the kernel killed a process because of it at the same "+
			"time", m.Obs.ID)
	}
}

// runsCommands reports whether the kubelet itself runs commands in the container: before its end, or also at its end
// (atEnd). At the end, an unknown spec counts as yes.
func (f *Findings) runsCommands(atEnd bool) bool {
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
func (f *Findings) missed(all []corev1.ContainerStatus, name string) bool {
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
