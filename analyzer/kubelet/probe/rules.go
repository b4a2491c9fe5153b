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

	// JitterAlways: every worker first sleeps a random part of its period (up to
	// 1.20); from 1.21 only while the kubelet is younger than one period (run).
	JitterAlways bool
	// TickerBeforeJitter: the ticker already runs during that sleep (up to 1.7),
	// so the second run may follow the first by less than a period (run).
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
	// StartupWorkerEnds: the startup worker ends at the first tick after its
	// container has started, so that no later container has a startup probe
	// (1.18.18, 1.19.10, 1.20.6, 1.21.0 only; doProbe).
	StartupWorkerEnds bool
	// HoldsAfterStartup: any final startup result, not only failure, ends the runs for this container (1.32+, doProbe).
	HoldsAfterStartup bool

	// DeletionEnds: in a pod that is being deleted liveness and startup are set
	// to Success and their workers end (1.18.18, 1.19.10, 1.20.6, 1.21+; doProbe).
	DeletionEnds bool
	// ManualTrigger: computing a status that is not ready triggers a run of the readiness worker at once (1.21+,
	// UpdatePodStatus).
	ManualTrigger bool
	// TriggerRestartsTicker: after such a run the period starts again (1.32+, run).
	TriggerRestartsTicker bool

	// KeepsOverRestart: a container that started more than 10 s before the
	// kubelet gets no initial result; it stays started and ready (1.35+, gate
	// ChangeContainerStatusOnKubeletRestart off; doProbe).
	KeepsOverRestart bool
	// SeedsSidecars: the startup result of a sidecar that had started is set to
	// Success after a kubelet restart (1.36+, doProbe).
	SeedsSidecars bool
	// Sidecars: restartable init containers are probed (1.28+, AddPod).
	Sidecars bool
	// SidecarsOutliveNever: a sidecar's worker continues under restartPolicy Never (1.33.6, 1.34.2, 1.35+; doProbe).
	SidecarsOutliveNever bool
	// RestartRules: a worker ends when restart policy and rules together say that
	// the container stays ended (1.35+, doProbe).
	RestartRules bool

	// ReadyNeedsStarted: a container that has not started is not ready (1.18.6, 1.19+; prober_manager.go UpdatePodStatus).
	ReadyNeedsStarted bool

	// AddEnds: registering a pod's workers stops at the first existing one, so that later containers whose workers have
	// ended get none (up to 1.36; AddPod). Since 1.37 only the rest of that container is left out.
	AddEnds bool
	// ExecCancelled: an exec run errors once the pod is being terminated, because the workers run in the context of the
	// pod's sync (1.35 and 1.36; AddPod, pod_workers.go). Readiness stays as it was for the rest of the pod's life.
	ExecCancelled bool

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
	deletionEnds = fixedIn{18: 18, 19: 10, 20: 6}
	// Not in the .0, but in each minor's last patch; the patches between are treated as fixed.
	workersAddedInSync   = fixedIn{22: 1, 23: 1, 24: 1}
	sidecarsOutliveNever = fixedIn{33: 6, 34: 2}
	readyNeedsStarted    = fixedIn{18: 6}
	counterSetTo1        = fixedIn{6: 12}
	startupWorkerEnds    = map[int]int{18: 18, 19: 10, 20: 6, 21: 0}
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
		JitterAlways:       !since(21),
		TickerBeforeJitter: !since(8),

		StartupProbes:     since(16),
		StartupKills:      profile.StartupProbes,
		StartupInitial:    Unknown,
		HoldsAfterStartup: since(32),

		DeletionEnds:          deletionEnds.has(v),
		ManualTrigger:         since(21),
		TriggerRestartsTicker: since(32),

		KeepsOverRestart:     since(35),
		SeedsSidecars:        since(36),
		Sidecars:             since(28),
		SidecarsOutliveNever: sidecarsOutliveNever.has(v),
		RestartRules:         since(35),

		ReadyNeedsStarted: readyNeedsStarted.has(v),

		AddEnds:        !since(37),
		ExecCancelled:  since(35) && !since(37),
		AddedAfterSync: !workersAddedInSync.has(v),
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
	if patch, ok := startupWorkerEnds[v.Minor]; ok && v.Patch == patch {
		r.StartupWorkerEnds = true
	}
	return r, nil
}
