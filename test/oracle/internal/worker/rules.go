package worker

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// Rules are those by which verdicts go, and what only a worker needs that is played.
type Rules struct {
	probe.Rules

	// JitterAlways: every worker first sleeps a random part of its period (up to
	// 1.20); from 1.21 only while the kubelet is younger than one period (run).
	JitterAlways bool
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
	// AddEnds: registering a pod's workers stops at the first existing one, so that later containers whose workers have
	// ended get none (up to 1.36; AddPod). Since 1.37 only the rest of that container is left out.
	AddEnds bool
	// ExecCancelled: an exec run errors once the pod is being terminated, because the workers run in the context of the
	// pod's sync (1.35 and 1.36; AddPod, pod_workers.go). Readiness stays as it was for the rest of the pod's life.
	ExecCancelled bool
}

// RulesFor returns the rules of v, as probe.RulesFor does.
func RulesFor(v kubelet.Version) (Rules, error) {
	known, err := probe.RulesFor(v)
	if err != nil {
		return Rules{}, err
	}
	since := func(minor int) bool { return v.Minor >= minor }
	// fixed: a minor's patch with a change, which later minors have; a version without a patch is its newest.
	fixed := func(minor, patch int) bool {
		return v.Minor == minor && (v.Patch == kubelet.PatchNotGiven || v.Patch >= patch)
	}
	exactly := func(minor, patch int) bool { return v.Minor == minor && v.Patch == patch }
	return Rules{
		Rules:                 known,
		JitterAlways:          !since(21),
		StartupWorkerEnds:     exactly(18, 18) || exactly(19, 10) || exactly(20, 6) || exactly(21, 0),
		HoldsAfterStartup:     since(32),
		DeletionEnds:          since(21) || fixed(18, 18) || fixed(19, 10) || fixed(20, 6),
		ManualTrigger:         since(21),
		TriggerRestartsTicker: since(32),
		SeedsSidecars:         since(36),
		Sidecars:              since(28),
		SidecarsOutliveNever:  since(35) || fixed(33, 6) || fixed(34, 2),
		RestartRules:          since(35),
		AddEnds:               !since(37),
		ExecCancelled:         since(35) && !since(37),
	}, nil
}
