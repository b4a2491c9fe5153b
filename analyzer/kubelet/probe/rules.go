package probe

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// RunAfterKill is what happens to the worker's count of equal results once failures have reached the threshold. Counts
// outlive the container: what is left counts against the next one.
type RunAfterKill int

// The three treatments, prober/worker.go doProbe.
const (
	RunReset   RunAfterKill = iota // 1.11+: the next container starts at zero
	RunSetTo1                      // 1.6.12–1.10: one failure fewer kills the next container
	RunCarried                     // 1.5–1.6.11: the first failure kills the next container
)

// Rules is how a version handles probes, with default feature gates. The zero value is the behaviour of the newest
// versions unless a field says otherwise.
type Rules struct {
	// Version is the requested version.
	Version kubelet.Version

	// TickerBeforeJitter: a worker first sleeps a random part of its period, and up to 1.7 its ticker already runs
	// meanwhile, so the second run may follow the first by less than a period (run).
	TickerBeforeJitter bool
	// AfterKill is what is left of the counter after a threshold of failures (doProbe).
	AfterKill RunAfterKill

	// StartupProbes: startup workers exist and block the others (1.16+; on by default since 1.18, newWorker).
	StartupProbes bool
	// StartupKills: a failed startup probe kills (1.17+, computePodActions).
	StartupKills bool
	// StartupInitial is the startup result before any run: Failure in 1.16,
	// Unknown since (newWorker).
	StartupInitial Held

	// KeepsOverRestart: a container that started more than 10 s before the
	// kubelet gets no initial result; it stays started and ready (1.35+, gate
	// ChangeContainerStatusOnKubeletRestart off; doProbe).
	KeepsOverRestart bool

	// ReadyNeedsStarted: a container that has not started is not ready (1.18.6, 1.19+; prober_manager.go UpdatePodStatus).
	ReadyNeedsStarted bool

	// AddedAfterSync: workers are registered only after the first sync was
	// dispatched, a race for the first status after a kubelet restart (up to 1.21
	// and 1.22.0, 1.23.0, 1.24.0; kubelet.go HandlePodAdditions).
	AddedAfterSync bool
}

// fixedIn lists the first patch with a change, for the minors that got it after their .0; every minor above the highest
// has it.
type fixedIn map[int]int

func (f fixedIn) has(v kubelet.Version) bool {
	highest := 0
	for minor, patch := range f {
		if minor == v.Minor {
			// A version without a patch is treated as the newest of its minor.
			return v.Patch == kubelet.PatchNotGiven || v.Patch >= patch
		}
		highest = max(highest, minor)
	}
	return v.Minor > highest
}

var (
	// Not in the .0, but in each minor's last patch; the patches between are treated as fixed.
	workersAddedInSync = fixedIn{22: 1, 23: 1, 24: 1}
	readyNeedsStarted  = fixedIn{18: 6}
	counterSetTo1      = fixedIn{6: 12}
)

// RulesFor returns the rules of v. A version without a patch number gets those of its minor's last patch; one newer
// than kubelet.NewestMinor the newest known; one that is not modelled is kubelet.ErrVersionNotModelled.
func RulesFor(v kubelet.Version) (Rules, error) {
	profile, err := kubelet.ProfileFor(v)
	if err != nil {
		return Rules{}, fmt.Errorf("find probe rules: %w", err)
	}
	since := func(minor int) bool { return v.Minor >= minor }
	r := Rules{
		Version:            v,
		TickerBeforeJitter: !since(8),
		StartupProbes:      since(16),
		StartupKills:       profile.StartupProbes,
		StartupInitial:     Unknown,
		KeepsOverRestart:   since(35),
		ReadyNeedsStarted:  readyNeedsStarted.has(v),
		AddedAfterSync:     !workersAddedInSync.has(v),
	}
	if v.Minor == 16 {
		r.StartupInitial = Failure
	}
	switch {
	case since(11):
		r.AfterKill = RunReset
	case counterSetTo1.has(v):
		r.AfterKill = RunSetTo1
	default:
		r.AfterKill = RunCarried
	}
	return r, nil
}
