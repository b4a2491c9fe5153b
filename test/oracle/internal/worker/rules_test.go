package worker

import "testing"

func TestRulesChangeWithThePatchThatChangedThem(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, since string
		rule          func(Rules) bool
	}{
		{"deletion ends workers in 1.20", "v1.20.5", "v1.20.6", func(r Rules) bool { return r.DeletionEnds }},
		{"deletion ends workers in 1.19", "v1.19.9", "v1.19.10", func(r Rules) bool { return r.DeletionEnds }},
		{"startup worker lives on in 1.19", "v1.19.10", "v1.19.11", func(r Rules) bool { return !r.StartupWorkerEnds }},
		{"startup worker lives on in 1.20", "v1.20.6", "v1.20.7", func(r Rules) bool { return !r.StartupWorkerEnds }},
		{"startup worker ends in 1.20.6", "v1.20.5", "v1.20.6", func(r Rules) bool { return r.StartupWorkerEnds }},
		{"manual triggers", "v1.20.15", "v1.21.0", func(r Rules) bool { return r.ManualTrigger }},
		{"jitter only after a kubelet start", "v1.20.15", "v1.21.0", func(r Rules) bool { return !r.JitterAlways }},
		{"sidecars", "v1.27.16", "v1.28.0", func(r Rules) bool { return r.Sidecars }},
		{"startup success holds", "v1.31.14", "v1.32.0", func(r Rules) bool { return r.HoldsAfterStartup }},
		{"a trigger restarts the ticker", "v1.31.14", "v1.32.0", func(r Rules) bool { return r.TriggerRestartsTicker }},
		{"sidecars outlive Never in 1.33", "v1.33.5", "v1.33.6", func(r Rules) bool { return r.SidecarsOutliveNever }},
		{"sidecars outlive Never in 1.34", "v1.34.1", "v1.34.2", func(r Rules) bool { return r.SidecarsOutliveNever }},
		{"sidecars are seeded", "v1.35.0", "v1.36.0", func(r Rules) bool { return r.SeedsSidecars }},
		{"a pod's end cancels exec runs", "v1.34.4", "v1.35.0", func(r Rules) bool { return r.ExecCancelled }},
		{"until 1.37", "v1.36.4", "v1.37.0", func(r Rules) bool { return !r.ExecCancelled }},
		{"a worker that is there stops nothing", "v1.36.4", "v1.37.0", func(r Rules) bool { return !r.AddEnds }},
		{"a version without a patch is its newest", "v1.20.6", "v1.20",
			func(r Rules) bool { return r.DeletionEnds && !r.StartupWorkerEnds }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.rule(rulesOf(t, tt.before)) {
				t.Errorf("%s has it already", tt.before)
			}
			if !tt.rule(rulesOf(t, tt.since)) {
				t.Errorf("%s does not have it", tt.since)
			}
		})
	}
}
