package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var change = Change{"n1", "v1.30.14", "v1.31.0"}

func TestPredictionsAreHeldAgainstWhatBecame(t *testing.T) {
	before := map[string]string{"a/p/c": "1", "a/q/c": "2", "a/r/c": "3", "a/s/c": "4", "a/t/c": "5", "a/u/c": "6"}
	after := map[string]string{"a/p/c": "1b", "a/q/c": "2", "a/r/c": "3b", "a/s/c": "4", "a/t/c": "5b"}
	predicted := map[string]string{"a/p/c": "restarts", "a/q/c": "stays", "a/r/c": "stays", "a/s/c": "restarts", "a/t/c": "may"}
	f := cameOut(change, 2, predicted, before, after)
	want := foretold{change: change, tier: 2, containers: 6, restarted: 4, missed: []string{"a/r/c"}, false: []string{"a/s/c"},
		open: []string{"a/t/c (may, it restarted)", "a/u/c (nothing said, it restarted)"}}
	if d := cmp.Diff(want, f, cmp.AllowUnexported(foretold{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestTheSummaryFailsWhereAnythingCameOutOtherwise(t *testing.T) {
	right := foretold{change: change, tier: 2, containers: 3, restarted: 2}
	for name, c := range map[string]struct {
		mutate func(*foretold)
		want   string
	}{
		"all as foretold":     {func(*foretold) {}, ""},
		"something undecided": {func(f *foretold) { f.open = []string{"a/p/c (may, it went on)"} }, ""},
		"one missed":          {func(f *foretold) { f.missed = []string{"a/p/c"} }, "1 came out otherwise"},
		"one false":           {func(f *foretold) { f.false = []string{"a/p/c"} }, "1 came out otherwise"},
		"one left out":        {func(f *foretold) { f.open = []string{"a/p/c (nothing said, it went on)"} }, "nothing was said"},
		"nothing happened":    {func(f *foretold) { f.restarted = 0 }, "nothing was compared"},
	} {
		f := right
		c.mutate(&f)
		var out strings.Builder
		err := tell(&out, []foretold{{change: change, tier: 0, containers: 3, restarted: 2}, f}, time.Minute)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if !strings.Contains(out.String(), "preflight: 1 changes, 3 running containers") {
			t.Errorf("%s: %s", name, out.String())
		}
	}
}

func TestAnAnswerThatIsNoneIsNoPrediction(t *testing.T) {
	for _, raw := range []string{"", "{}", `{"kind":"RestartReport","items":[{"pod":"p"}]}`, `{"kind":"PreflightReport","items":[]}`} {
		if _, err := readPredictions([]byte(raw)); err == nil {
			t.Errorf("%q was taken for an answer", raw)
		}
	}
	got, err := readPredictions([]byte(`{"kind":"PreflightReport","items":[{"namespace":"a","pod":"p","container":"c","prediction":"stays"}]}`))
	if err != nil || got["a/p/c"] != "stays" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestTheRoundsGoOnFromEachOther(t *testing.T) {
	is := map[string]string{}
	for i, round := range Changes() {
		for _, c := range round {
			if was, ok := is[c.Node]; ok && was != c.From || !ok && i > 0 {
				t.Errorf("round %d begins %s with %s, it runs %q", i+1, c.Node, c.From, was)
			}
			if is[c.Node] = c.To; c.To == same {
				is[c.Node] = c.From
			}
		}
	}
}
