package finding

import (
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/memory"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file doubts that a stop ended a process that may have been dying before: a process that writes its core, or
// whose memory the kernel frees, answers no probe any more and still takes its time to end.

// dying looks for what had ended the main process before anyone stopped the container.
func (f *Findings) dying() {
	asked := f.stopped()
	if asked.IsZero() {
		return
	}
	if died := f.died(); !died.IsZero() && died.Before(asked) {
		f.Kill.Late = f.Kill.Answer == Yes
		if f.Stop.Answer == Yes {
			f.Stop.Answer = Unknown // what was stopped was dead
		}
	}
	f.crashed(asked)
	f.oomBefore(asked)
	if f.Node == nil {
		return
	}
	main := f.MainPID()
	for _, m := range timeline.Since(f.Node.Shortages, f.R.From.NotBefore()) {
		if !m.At.Before(asked) {
			break
		}
		var pid int
		all := false
		switch kill := m.Obs.Fact.(type) {
		case evidence.UserspaceOOMKill:
			pid = kill.PID
			s := &m.Obs.Subject
			all = s.ContainerID != "" && s.ContainerID == f.R.From.ID && !memory.Nested(kill.Cgroup, s.ContainerID) ||
				s.ContainerID == "" && f.IsPod(s.PodUID)
		case evidence.OOMSeen:
			pid = kill.PID
		}
		switch {
		case !f.MayLive(f.R.From, m.At):
		case all, pid != 0 && pid == main:
			f.Doubt("its main process had been chosen to be killed for the node's memory before anything stopped "+
				"the container", m.Obs.ID)
		case pid != 0 && main == 0 && asked.Sub(m.At) < tolerance.AroundEnd && m.Obs.Subject.ContainerID == "" &&
			!f.killedElsewhere(pid, m.At):
			f.Doubt("a process on the node had been chosen to be killed for the node's memory before anything "+
				"stopped the container, and nothing shows whose process it was",
				m.Obs.ID)
		}
	}
}

// killedElsewhere reports whether the kernel names another container for the process that it killed under this number
// at that time.
func (f *Findings) killedElsewhere(pid int, at time.Time) bool {
	for _, m := range timeline.Within(f.Node.OOM, at.Add(-tolerance.Slack), at.Add(tolerance.Slack)) {
		kill, ok := m.Obs.Fact.(evidence.OOMKill)
		if ok && kill.PID == pid {
			id := m.Obs.Subject.ContainerID
			return id != "" && f.R.From.ID != "" && !strings.HasPrefix(id, f.R.From.ID)
		}
	}
	return false
}

// died returns when the kernel's own record dates the death of the main process; zero where there is none.
func (f *Findings) died() time.Time {
	switch main := f.MainPID(); {
	case main == 0:
	case f.Exit.Fault.Answer == Yes:
		return f.Exit.Fault.At
	case f.OOM.Answer == Yes && f.OOM.PID == main:
		return f.OOM.At
	}
	return time.Time{}
}

// stopped returns when the kubelet, or someone else, began to stop the container; zero where nobody is known to have.
func (f *Findings) stopped() (first time.Time) {
	for _, p := range []*Point{&f.Kill.Point, &f.Stop, &f.UnitStop} {
		if p.Answer == Yes && !p.At.IsZero() && (first.IsZero() || p.At.Before(first)) {
			first = p.At
		}
	}
	return first
}

// crashed doubts a stop of a process that ended by a fault of its own, unless the kernel dates the fault after it.
func (f *Findings) crashed(asked time.Time) {
	sig := syscall.Signal(f.Exit.Signal())
	if main := f.MainPID(); main != 0 && f.Node != nil {
		for _, m := range timeline.Since(f.Node.Faults, f.R.From.NotBefore()) {
			if !m.At.Before(asked) {
				break
			}
			if s, ok := m.Obs.Fact.(evidence.Segfault); ok && s.PID == main && f.MayLive(f.R.From, m.At) {
				f.Doubt("the kernel logged a fault of its main process before anything stopped the container, "+
					"and writing a core dump takes time",
					m.Obs.ID)
				return
			}
		}
	}
	if fault := &f.Exit.Fault; Faults[sig] && (fault.Answer != Yes || fault.At.Before(asked)) {
		f.Doubt("its process ended by a fault of its own, which may have come before anything stopped the "+
			"container: writing a core dump takes time", f.Exit.Evidence...)
	}
}

// probedBy reports whether a victim may have been the command of the probe for which the kubelet killed.
func (f *Findings) probedBy(victim *evidence.OOMKill) bool {
	kind := Liveness
	if f.Kill.Reason == evidence.KillStartup {
		kind = Startup
	}
	if kind != Startup && f.Kill.Reason != evidence.KillLiveness || victim.PID != 0 && victim.PID == f.MainPID() {
		return false
	}
	p := f.ProbeOf(kind)
	return p != nil && p.Handler == "exec"
}

// oomBefore doubts a stop of a container of which the kernel had killed a process for memory right before, unless that
// is known to be another one than the main process.
func (f *Findings) oomBefore(asked time.Time) {
	main := f.MainPID()
	killed := !f.Exit.Known || f.Exit.Code == 137
	for _, m := range f.R.From.MarksWith(timeline.HasMemory) {
		kill, ok := m.Obs.Fact.(evidence.OOMKill)
		if before := asked.Sub(m.At); !ok || before <= 0 || before > tolerance.AroundEnd || !f.MayLive(f.R.From, m.At) {
			continue
		}
		if f.probedBy(&kill) {
			f.Doubt("the kernel killed processes in the container for memory while its exec probe failed",
				m.Obs.ID)
		}
		unknown := (main == 0 || kill.PID == 0) && !memory.Nested(kill.TaskMemcg, f.R.From.ID)
		if killed && (kill.Group || kill.PID == main || unknown) {
			f.Doubt("before anything stopped the container, the kernel had killed a process in it for memory, "+
				"perhaps the main one",
				m.Obs.ID)
		}
	}
	if f.Node == nil || !killed {
		return
	}
	for _, m := range timeline.Since(f.Node.OOM, f.R.From.NotBefore()) {
		if !m.At.Before(asked) {
			break
		}
		kill, ok := m.Obs.Fact.(evidence.OOMKill)
		if ok && kill.TaskMemcg == "" && f.MayLive(f.R.From, m.At) &&
			(main != 0 && kill.PID == main || main == 0 && asked.Sub(m.At) < tolerance.AroundEnd) {
			f.Doubt("before anything stopped the container, the kernel had killed a process for memory, perhaps "+
				"its main one", m.Obs.ID)
		}
	}
}
