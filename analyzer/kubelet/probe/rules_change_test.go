package probe

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

func TestRulesChangeWithThePatchThatChangedThem(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, since string
		rule          func(Rules) bool
	}{
		{"the ticker starts after the jitter", "v1.7.16", "v1.8.0", func(r Rules) bool { return !r.TickerBeforeJitter }},
		{"startup workers", "v1.15.12", "v1.16.0", func(r Rules) bool { return r.StartupProbes }},
		{"startup kills", "v1.16.15", "v1.17.0", func(r Rules) bool { return r.StartupKills }},
		{"startup begins unknown", "v1.16.15", "v1.17.0", func(r Rules) bool { return r.StartupInitial == Unknown }},
		{"workers registered in the sync", "v1.21.14", "v1.22.17", func(r Rules) bool { return !r.AddedAfterSync }},
		{"workers registered in the sync, by patch", "v1.22.0", "v1.22.17", func(r Rules) bool { return !r.AddedAfterSync }},
		{"not started is not ready", "v1.18.5", "v1.18.6", func(r Rules) bool { return r.ReadyNeedsStarted }},
		{"survivors keep their state", "v1.34.4", "v1.35.0", func(r Rules) bool { return r.KeepsOverRestart }},
		{"the counter is set to one", "v1.6.11", "v1.6.12", func(r Rules) bool { return r.AfterKill == RunSetTo1 }},
		{"the counter is reset", "v1.10.13", "v1.11.0", func(r Rules) bool { return r.AfterKill == RunReset }},
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

func TestNewerMinorsAreTheNewestKnown(t *testing.T) {
	newest, newer := rulesOf(t, "v1.37.3"), rulesOf(t, "v1.40.0")
	newer.Version = newest.Version
	if diff := cmp.Diff(newest, newer); diff != "" {
		t.Errorf("1.37 and 1.40 differ (-1.37 +1.40):\n%s", diff)
	}
}

func TestVersionsWithoutModelAreRefused(t *testing.T) {
	if _, err := RulesFor(kubelet.Version{Major: 1, Minor: 4}); !errors.Is(err, kubelet.ErrVersionNotModelled) {
		t.Errorf("got %v", err)
	}
}
