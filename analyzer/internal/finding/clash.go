package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file doubts what two authorities describe as two different ends of one instance: it ran and never ran; it was
// killed and what it ran on went down first; it ended alone and with its sandbox.

// started doubts a start that failed by one source and succeeded by another.
func (f *Findings) started() {
	in, e := f.R.From, &f.Exit
	switch {
	case !e.Known || e.Invented:
	case e.NotStarted && !in.Started.IsZero() && !in.Finished.Equal(in.Started): // runtimes date both alike, or no start
		f.Doubt("its reason says that it never ran, but its start and end times say that it did", e.Evidence...)
	case e.NotStarted:
		for _, m := range in.Marks {
			switch m.Obs.Fact.(type) {
			case evidence.TaskStarted, evidence.ContainerStarted, evidence.ExecStarted:
				f.Doubt("its reason says that it never ran, but a log says that it did", m.Obs.ID)
			}
		}
	default:
		for _, m := range in.MarksWith(timeline.HasFailure) {
			failed, byRuntime := m.Obs.Fact.(evidence.RuntimeFailed)
			kubelet, _ := m.Obs.Fact.(evidence.StartFailed)
			if byRuntime && failed.Op == "StartContainer" && m.Obs.Subject.ContainerID == in.ID ||
				kubelet.Reason == "RunContainerError" && f.MayLive(in, m.At) {
				f.Doubt("a log says that its start failed, but its exit code says that it ran", m.Obs.ID)
			}
		}
	}
}

// overtaken doubts a kill, or a stop request, after which what it ran on went down before its end was observed.
func (f *Findings) overtaken() {
	began, cites := f.Kill.At, f.Kill.Evidence
	if f.Kill.Answer != Yes {
		began, cites = f.Stop.At, f.Stop.Evidence
	}
	if f.Kill.Answer != Yes && f.Stop.Answer != Yes {
		return
	}
	end, boot, start, kubelet := f.R.From.Finished, &f.NodeEvents.Boot, &f.NodeEvents.Runtime, &f.NodeEvents.Kubelet
	// Who starts dates the ends that it did not see by that, and no kubelet tells when what stopped before had begun to
	// go down.
	first := func(p *Point) bool {
		return p.Answer == Yes && p.At.After(began) && (!p.At.After(end.Add(tolerance.Slack)) ||
			p.At.Sub(end) < tolerance.Settle && (len(f.Witness.Kubelet) == 0 || !f.Witness.Seen.Before(p.At)))
	}
	switch {
	case f.Exit.Lost:
		f.Doubt("it was being stopped, and the runtime lost it before it saw an end", cites...)
	case first(boot):
		f.Doubt("it was being stopped, and its node booted before the kubelet's log shows its end", boot.Evidence...)
	case first(start):
		f.Doubt("it was being stopped, and the runtime was started before the kubelet's log shows its end",
			start.Evidence...)
	case first(kubelet), first(&f.NodeEvents.Between):
		f.Doubt("it was being stopped when the kubelet went away, perhaps together with the whole machine",
			slices.Concat(kubelet.Evidence, f.NodeEvents.Between.Evidence)...)
	case boot.Answer == Yes && boot.At.After(end) && !f.watched(began, end):
		f.Doubt("it was being stopped, its node booted before the next start, and no log covers the time when "+
			"the node went down", boot.Evidence...)
	case f.UnitStop.Answer == Yes:
		f.Doubt("it was being stopped, and systemd was stopping the unit that it ran in", f.UnitStop.Evidence...)
	default:
		// A stop of the units of all pods takes the node down. A busy journal stores its line late.
		m := stop.UnitStopping(&f.Basis, f.R.From, began)
		if m != nil && m.Obs.Subject.ContainerID == "" && m.Obs.Subject.PodUID == "" {
			f.Doubt("it was being stopped, and right after that systemd began to stop the unit of all pods", m.Obs.ID)
		}
	}
}

// goingDown doubts an end of the process's own after something began to take the machine down: what is stopped then
// chooses its exit code, and its log need not say what it stops, nor go on until the next boot.
func (f *Findings) goingDown() {
	end := f.R.From.Finished
	told := slices.ContainsFunc([]YesNo{f.Kill.Answer, f.Stop.Answer, f.OOM.Answer, f.Exit.Fault.Answer},
		func(a YesNo) bool { return a == Yes })
	if f.Node == nil || end.IsZero() || told || !f.Exit.OfProcess() {
		return
	}
	for _, m := range timeline.Since(f.Node.AdminActions, end.Add(-tolerance.DownLag)) {
		if m.At.After(end.Add(tolerance.Slack)) {
			return
		}
		if _, power := m.Obs.Fact.(evidence.PowerChange); power {
			f.Doubt("the machine was going down when it ended", m.Obs.ID)
		}
	}
}

// watched reports whether a log of the kubelet that has the end covers the time.
func (f *Findings) watched(from, until time.Time) bool {
	ok, _ := f.KubeletLogCovers(from, until)
	return ok
}

// beforeBoot doubts a boot between two containers of one sandbox, and times that put the start of the running instance
// before a boot: neither survives one.
func (f *Findings) beforeBoot() {
	if boot, box := &f.NodeEvents.Boot, f.R.From.SandboxID; boot.Answer == Yes && box != "" && f.R.To != nil &&
		f.R.To.SandboxID == box {
		f.Doubt("the next container started in the same sandbox, which does not survive the boot between them",
			boot.Evidence...)
	}
	to, read := f.R.To, f.T.Snapshot.CollectedAt
	if f.Node == nil || to == nil || to.Exited() || f.R.Next != nil || to.Started.IsZero() {
		return
	}
	for _, m := range f.Node.BootsAfter(to.Started.Add(tolerance.Slack)) {
		_, kernel := m.Obs.Fact.(evidence.KernelBooted) // an event may be minutes late
		if kernel && f.Node.Binds(m.Obs.Source.Origin) && (read.IsZero() || m.At.Before(read)) {
			f.Doubt("the running container has a start time before its node's boot", m.Obs.ID)
		}
	}
}

// twice doubts an end if a log records an earlier end of the same instance, which ends only once. A machine restored
// from a snapshot keeps its boot id, its container ids and the log of the discarded past; so may a merged log.
func (f *Findings) twice() {
	end := f.R.From.Finished
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished, evidence.TaskExited:
			if !m.At.IsZero() && m.At.Before(end.Add(-tolerance.Slack)) {
				f.Doubt("a log shows an earlier end of the same container", m.Obs.ID)
			}
		}
	}
}

// overlap doubts an end where containers of one name ran at one time: one of them is of another machine, of a status
// that was put back, or dated by another clock, so that nothing is known of what came before.
func (f *Findings) overlap() {
	for r := f.R; r != nil && r.Prev != nil && r != f.R.Prev.Prev; r = r.Prev {
		a, b := r.Prev.From, r.From
		if !a.Started.IsZero() && !b.Started.IsZero() && a.Finished.Sub(b.Started) > tolerance.Slack &&
			b.Finished.Sub(a.Started) > tolerance.Slack {
			f.Doubt("going by their times, two containers of this name ran at once in the pod", slices.Concat(a.Records, b.Records)...)
			return
		}
	}
}

// replaced doubts an end that nobody requested if the sandbox was replaced, too, and the old one's end has no time. A
// boot behind the end replaces it, and if it had ended before that, the runtime's log would have it.
func (f *Findings) replaced() {
	box, boot := f.T.SandboxOf(f.R.From), &f.NodeEvents.Boot
	if boot.Answer == Yes && boot.At.After(f.R.From.Finished) && f.RuntimeLog {
		return
	}
	if f.Sandbox.Changed.Answer == Yes && f.Kill.Answer != Yes && f.Stop.Answer != Yes && f.OOM.Answer != Yes &&
		f.Exit.OfProcess() && (box == nil || len(box.Died) == 0) {
		f.Doubt("its sandbox was replaced too, and nothing shows when the old one ended", f.Sandbox.Changed.Evidence...)
	}
}
