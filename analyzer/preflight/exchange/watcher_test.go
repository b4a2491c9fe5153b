package exchange

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// round is one state some seconds after the first one, as changes to it.
type round struct {
	after   int
	version string
	changes []func(*scene)
	want    string
}

// play follows rounds from a first state under v1.30.1.
func play(t *testing.T, to string, rounds []round) *Watcher {
	t.Helper()
	first := newScene()
	first.r.To = to
	if to == preflight.Same {
		first.r.Nodes[0].To = first.r.Nodes[0].From
	}
	f := NewWatcher(first.r, StateOf(first.before))
	for _, r := range rounds {
		sc := newScene(r.changes...)
		sc.now.CollectedAt = noon.Add(time.Duration(r.after) * time.Second)
		sc.now.Nodes[0].KubeletVersion = r.version
		var got string
		for _, o := range f.Round(StateOf(sc.now)) {
			c := o.Count
			got += fmt.Sprintf("%s %d/%d/%d, %d stayed, %d unforeseen, settled %t",
				o.Seen, c.Restarted, c.Waiting, c.Missed, c.Stayed, c.Unforeseen, o.Settled)
		}
		if diff := cmp.Diff(r.want, got); diff != "" {
			t.Errorf("after %d s: %s", r.after, diff)
		}
	}
	return f
}

func TestANodeIsFollowedUntilItHasSettled(t *testing.T) {
	restarted := []func(*scene){again(report.Restarts)}
	f := play(t, "v1.31", []round{
		{10, "v1.30.1", nil, ""},
		{20, "v1.31.0", nil, "version 0/1/0, 1 stayed, 0 unforeseen, settled false"},
		{30, "v1.31.0", nil, ""},
		{40, "v1.31.0", restarted, "version 1/0/0, 1 stayed, 0 unforeseen, settled false"},
		{80, "v1.31.0", restarted, "version 1/0/0, 1 stayed, 0 unforeseen, settled true"},
		{90, "v1.31.0", append(restarted, again(report.Stays)), ""},
	})
	want := report.PreflightWatched{Nodes: 1, Exchanged: 1, Settled: 1, For: 90 * time.Second,
		Count: report.PreflightOutcomeCount{Restarted: 1, Stayed: 1, MayStayed: 1, UnknownStayed: 1}}
	if diff := cmp.Diff(want, f.Summary()); diff != "" {
		t.Error(diff)
	}
}

func TestWhatDoesNotComeIsMissedOnceTheNodeHasSettled(t *testing.T) {
	f := play(t, "v1.31", []round{
		{10, "v1.31.0", nil, "version 0/1/0, 1 stayed, 0 unforeseen, settled false"},
		{69, "v1.31.0", nil, ""},
		{70, "v1.31.0", nil, "version 0/0/1, 1 stayed, 0 unforeseen, settled true"},
	})
	if o := f.nodes["n1"].outcome; o.Items[0].Verdict != report.VerdictWrong || o.Items[0].Prediction != report.Restarts {
		t.Errorf("%+v", o.Items)
	}
}

// A container that crashes before its node's exchange says nothing about the kubelet.
func TestACrashBeforeTheExchangeIsNotHeldAgainstThePrediction(t *testing.T) {
	crashed := []func(*scene){again(report.Stays)}
	play(t, "v1.31", []round{
		{10, "v1.30.1", crashed, ""},
		{20, "v1.31.0", crashed, "version 0/1/0, 1 stayed, 0 unforeseen, settled false"},
	})
}

func TestARestartedKubeletIsSeenByItsEventAlone(t *testing.T) {
	at := func(after int) func(*scene) { return starts(noon.Add(time.Duration(after) * time.Second)) }
	changed := again(report.Stays)
	play(t, preflight.Same, []round{
		{10, "v1.30.1", nil, ""},
		{20, "v1.30.1", []func(*scene){changed}, "containers 0/1/0, 0 stayed, 1 unforeseen, settled false"},
		// Without the kubelet's event there is no moment to count from.
		{200, "v1.30.1", []func(*scene){changed}, ""},
		{210, "v1.30.1", []func(*scene){gone(report.Stays)}, "containers 0/1/0, 0 stayed, 0 unforeseen, settled false"},
	})
	f := play(t, preflight.Same, []round{
		{10, "v1.30.1", []func(*scene){at(-600)}, ""},
		{20, "v1.30.1", []func(*scene){at(-600), changed}, "containers 0/1/0, 0 stayed, 1 unforeseen, settled false"},
		// The previous round had already seen the container.
		{30, "v1.30.1", []func(*scene){at(18), changed}, "start 0/1/0, 0 stayed, 1 unforeseen, settled false"},
		{90, "v1.30.1", []func(*scene){at(18), changed}, "start 0/0/1, 0 stayed, 1 unforeseen, settled true"},
	})
	if w := f.Summary(); w.Exchanged != 1 || w.Changed != 0 {
		t.Errorf("%+v", w)
	}
	// If another version is expected, a start does not count.
	play(t, "v1.31", []round{{10, "v1.30.1", []func(*scene){at(5), changed}, ""}})
}

func TestANodeThatIsNotReadIsLookedAtLater(t *testing.T) {
	away := func(sc *scene) { sc.now.Pods = nil }
	f := play(t, "v1.31", []round{
		{10, "", nil, ""},
		{20, "v1.31.0", []func(*scene){away}, "version 0/0/0, 0 stayed, 0 unforeseen, settled false"},
	})
	if c := f.nodes["n1"].outcome.Count; c.Moved != 4 {
		t.Errorf("%+v", c)
	}
	f = NewWatcher(newScene().r, StateOf(&evidence.Snapshot{CollectedAt: noon}))
	if got := f.Round(StateOf(&evidence.Snapshot{CollectedAt: noon})); got != nil {
		t.Errorf("%+v", got)
	}
	if w := f.Summary(); w.Nodes != 1 || w.Exchanged != 0 {
		t.Errorf("%+v", w)
	}
}
