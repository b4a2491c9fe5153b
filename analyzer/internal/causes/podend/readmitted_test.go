package podend_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/podend"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// links returns the causes that a chain names, with a mark at those behind the root.
func links(id causes.ID, f *finding.Findings) []string {
	var out []string
	for _, r := range podend.Rules() {
		if r.ID != id {
			continue
		}
		for _, s := range r.Claim(f).Chain {
			switch {
			case s.Role == report.RoleBehind:
				out = append(out, "behind "+string(s.Cause))
			case s.Cause != "":
				out = append(out, string(s.Cause))
			}
		}
	}
	return out
}

func TestWhatLiesBehindAnEnd(t *testing.T) {
	started := func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(-10) }
	asked := timeline.Occurrence{At: causestest.End.Add(-1e9),
		Obs: &evidence.Observation{ID: "e7", Fact: evidence.PowerChange{Change: "reboot"}}}
	for name, c := range map[string]struct {
		id     causes.ID
		change func(*finding.Findings)
		want   []string
	}{
		"a refusal after a start of the kubelet": {causes.AdmissionRejected,
			started, []string{"behind kubelet-restarted", "admission-rejected"}},
		"a readiness that was not set yet": {causes.AdmissionRejected, func(f *finding.Findings) {
			started(f)
			f.EarlyReadiness = causestest.Yes(-9)
		}, []string{"behind kubelet-restarted", "behind readiness-flip", "admission-rejected"}},
		"a readiness of the kubelet before": {causes.AdmissionRejected, func(f *finding.Findings) {
			started(f)
			f.EarlyReadiness = causestest.Yes(-90)
		}, []string{"behind kubelet-restarted", "admission-rejected"}},
		"a refusal by a kubelet that was there all along": {causes.AdmissionRejected, func(f *finding.Findings) {
			started(f)
			f.Versions.SameProcess = true
		}, []string{"admission-rejected"}},
		"a refusal, and nobody knows of a start": {causes.AdmissionRejected,
			func(*finding.Findings) {}, []string{"admission-rejected"}},
		"an orphan that a new kubelet found": {causes.PodOrphaned, started,
			[]string{"behind kubelet-restarted", "pod-orphaned"}},
		"an orphan of a kubelet that was there": {causes.PodOrphaned, func(*finding.Findings) {}, []string{"pod-orphaned"}},
		"a shutdown that somebody asked for": {causes.NodeShutdown,
			func(f *finding.Findings) { f.Node = &timeline.NodeStory{AdminActions: []timeline.Occurrence{asked}} },
			[]string{"behind ", "node-shutdown"}},
		"an eviction has nothing to do with either": {causes.EvictedMemory, started, []string{"evicted-memory"}},
	} {
		f := endings[c.id]()
		c.change(f)
		if d := cmp.Diff(c.want, links(c.id, f)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A pod that cannot run at present is not over: it may come back under its UID.
func TestARefusalAtPresent(t *testing.T) {
	soft := func(to *timeline.Instance) *finding.Findings {
		f := endings[causes.AdmissionRejected]()
		f.End.Soft, f.R.To = true, to
		return f
	}
	for name, to := range map[string]*timeline.Instance{"blocked": nil, "back again": {ID: "new", Attempt: 2}} {
		for _, r := range podend.Rules() {
			got, want := causestest.Says(t, podend.Rules(), r.ID, soft(to)), causestest.Out
			if r.ID == causes.AdmissionRejected {
				want = causes.Decisive
			}
			if got != want {
				t.Errorf("%s, %s: %v, want %v", name, r.ID, got, want)
			}
		}
	}
	hard := endings[causes.AdmissionRejected]()
	hard.R.To = &timeline.Instance{ID: "new"}
	if got := causestest.Says(t, podend.Rules(), causes.AdmissionRejected, hard); got != causestest.Out {
		t.Errorf("a pod that was refused for good and started again: %v", got)
	}
}
