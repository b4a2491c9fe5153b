package probe

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	worker "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Startup probes kill since 1.17, and up to 1.34 a kubelet that has just started runs them again for containers that
// started long before (kubelet v1.34 prober/prober_manager.go; v1.35 gate ChangeContainerStatusOnKubeletRestart off).
const (
	rerunFrom = 17
	rerunTo   = 34
)

// rerun is decisive given the kubelet's message that the startup probe had passed before the kubelet was restarted.
// Without it, a container that never passed would have been killed by then, if one kubelet had run all the time and all
// its probe runs had counted: that is likely, but nothing proves it.
func rerun(f *finding.Findings) *causes.Claim {
	if f.Kill.Answer != finding.Yes || f.Kill.Reason != startup.reason {
		return nil
	}
	x, ok := startup.setting(f)
	if !ok || x.run == nil || !x.rules.StartupKills || x.rules.KeepsOverRestart {
		return nil
	}
	again, err := worker.KillWindow(x.rules, x.spec, x.life)
	if err != nil || x.kill.Before(again.Earliest.Add(-time.Second)) {
		return nil
	}
	s, had := causes.Decisive, causes.Link{Text: "its startup probe had passed", At: x.run.Start}
	if passed, ok := f.StartupPassed(x.run.Start); ok {
		had.At, had.Evidence = passed.At, []string{passed.Obs.ID}
	} else {
		first := x.life
		first.KubeletStarted = time.Time{}
		never, err := worker.KillWindow(x.rules, x.spec, first)
		if err != nil || !x.run.Start.After(never.Latest) || !counted(f, never.Latest) {
			return nil // it may never have passed
		}
		s, had.Evidence = causes.Strong, f.R.From.Records
		had.Text = fmt.Sprintf("the container was already %s old, and a startup probe that never passes leads to a kill "+
			"within %s, so it had started", since(x, x.run.Start), since(x, never.Latest))
	}
	what := fmt.Sprintf("the kubelet on %s restarted; %s runs startup probes again on containers that had already started",
		causes.Node(f), f.Versions.At)
	steps := []causes.Link{
		{Cause: causes.StartupProbeRerun, Text: what, At: x.run.Start, Evidence: []string{x.run.Obs.ID}}, had,
	}
	return &causes.Claim{
		Mechanism: startup.id, Strength: s, Chain: append(steps, startup.killed(f)...), Needs: causes.NeedKubeletLog(f),
		Summary: fmt.Sprintf("%s: it had started long before; %s, and this time the probe failed", causes.Who(f), what),
		Root: &causes.Root{Key: "kubelet" + x.run.Start.UTC().Format(time.RFC3339),
			At: x.run.Start, Summary: "the kubelet on " + causes.Node(f) + " restarted"},
	}
}

// counted reports whether all runs of a startup probe counted up to a time: the kubelet was not started or stopped, and
// no run before the restart failed to execute, which the kubelet ignores.
func counted(f *finding.Findings, until time.Time) bool {
	within := func(at time.Time) bool { return at.After(f.R.From.Started) && !at.After(until) }
	return !slices.ContainsFunc(f.Node.Kubelet, func(run timeline.KubeletRun) bool { return within(run.Start) }) &&
		!slices.ContainsFunc(f.Node.AdminActions, func(m timeline.Occurrence) bool {
			unit, ok := m.Obs.Fact.(evidence.UnitChanged)
			return ok && strings.HasPrefix(unit.Unit, "kubelet") && within(m.At)
		}) &&
		!slices.ContainsFunc(f.R.From.Marks, func(m timeline.Occurrence) bool {
			run, ok := m.Obs.Fact.(evidence.ProbeFailed)
			return ok && run.Errored && run.Probe == evidence.ProbeStartup && within(m.At)
		})
}

// since returns the age of the container at a time.
func since(x setting, at time.Time) time.Duration {
	return at.Sub(x.life.ContainerStarted).Round(time.Second)
}

func againstRerun(f *finding.Findings) causes.Against {
	v := f.Versions
	switch minor := release.Known(v.At); {
	case v.SameProcess:
		return causes.Contradict("the same kubelet process created the container and saw it end: no startup probe ran again",
			v.Evidence...)
	case settled(f) && minor > rerunTo:
		return causes.Contradict(v.At+" does not run the startup probe again for a container that had started", v.Evidence...)
	case settled(f) && minor > 0 && minor < rerunFrom:
		return causes.Contradict(v.At+" does not kill containers for a startup probe", v.Evidence...)
	}
	return causes.Against{}
}

// settled reports whether the version is that of the kubelet which decided: from its own log, or the node's present
// version, without a start of another kubelet among the events.
func settled(f *finding.Findings) bool {
	return f.Versions.Certain || f.Events && f.NodeEvents.Kubelet.Answer != finding.Yes
}
