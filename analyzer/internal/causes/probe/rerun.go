package probe

import (
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	worker "github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// Startup probes kill since 1.17, and up to 1.34 a kubelet that has just started runs them again against containers
// that had long started (kubelet v1.34 prober/prober_manager.go; v1.35 gate ChangeContainerStatusOnKubeletRestart off).
const (
	rerunFrom = 17
	rerunTo   = 34
)

// rerun is decided by the kubelet's words and three moments: a container that never passed its startup probe would have
// been killed before the kubelet was restarted.
func rerun(f *finding.Findings) *causes.Claim {
	if f.Kill.Answer != finding.Yes || f.Kill.Reason != startup.reason {
		return nil
	}
	x, ok := startup.setting(f)
	if !ok || x.run == nil || !x.rules.StartupKills || x.rules.KeepsOverRestart {
		return nil
	}
	first := x.life
	first.KubeletStarted = time.Time{}
	never, err := worker.KillWindow(x.rules, x.spec, first)
	if err != nil || !x.run.Start.After(never.Latest) {
		return nil // it may never have passed
	}
	again, err := worker.KillWindow(x.rules, x.spec, x.life)
	if err != nil || x.kill.Before(again.Earliest.Add(-time.Second)) {
		return nil
	}
	s := causes.Decisive
	if never.Unbounded {
		s = causes.Strong // a run that hung may have held the first kill up
	}
	what := fmt.Sprintf("the kubelet on %s restarted; %s runs startup probes again on containers that had already started",
		causes.Node(f), f.Versions.At)
	age := x.run.Start.Sub(x.life.ContainerStarted).Round(time.Second)
	steps := []causes.Link{
		{Cause: causes.StartupProbeRerun, Text: what, At: x.run.Start, Evidence: []string{x.run.Obs.ID}},
		{Text: fmt.Sprintf("the container was already %s old, and a startup probe that never passes leads to a kill within "+
			"%s, so it had started", age, never.Latest.Sub(x.life.ContainerStarted).Round(time.Second)),
			At: x.run.Start, Evidence: f.R.From.Records},
	}
	return &causes.Claim{
		Mechanism: startup.id, Strength: s, Chain: append(steps, startup.killed(f)...), Needs: causes.NeedKubeletLog(f),
		Summary: fmt.Sprintf("%s: it had started long before; %s, and this time the probe failed", causes.Who(f), what),
		Actions: []string{"make the startup probe pass at any time while the container runs, or use kubelets v1.35 and " +
			"newer, which do not run it again"},
		Root: &causes.Root{Key: "kubelet" + x.run.Start.UTC().Format(time.RFC3339),
			At: x.run.Start, Summary: "the kubelet on " + causes.Node(f) + " restarted"},
	}
}

func againstRerun(f *finding.Findings) causes.Against {
	if f.R.Spec != nil && f.R.Spec.Startup == nil {
		return causes.Contradict("the container has no startup probe")
	}
	if a := causes.KilledForAnotherReason(f, startup.reason); a.Holds() {
		return a
	}
	if a := startup.neverRan(f); a.Holds() {
		return a
	}
	v := f.Versions
	switch minor := finding.KnownMinor(v.At); {
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

// settled: the version is that of the kubelet which decided. Without its own word it is the one that the node has now,
// and no start of another one since is among the events.
func settled(f *finding.Findings) bool {
	return f.Versions.Certain || f.Events && f.NodeEvents.Kubelet.Answer != finding.Yes
}
