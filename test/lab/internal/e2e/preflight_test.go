package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
)

var change = Change{Node: "n1", From: "v1.30.14", To: "v1.31.0"}

func TestPredictionsAreHeldAgainstWhatBecame(t *testing.T) {
	before := map[string]string{"a/p/c": "1", "a/q/c": "2", "a/r/c": "3", "a/s/c": "4", "a/t/c": "5", "a/u/c": "6"}
	after := map[string]string{"a/p/c": "1b", "a/q/c": "2", "a/r/c": "3b", "a/s/c": "4", "a/t/c": "5b"}
	predicted := map[string]string{"a/p/c": "restarts", "a/q/c": "stays",
		"a/r/c": "stays", "a/s/c": "restarts", "a/t/c": "may"}
	f := cameOut(change, 2, predicted, before, after)
	want := foretold{change: change, tier: 2, containers: 6, restarted: 4,
		missed: []string{"a/r/c"}, false: []string{"a/s/c"},
		open: []string{"a/t/c (may, it restarted)", "a/u/c (nothing said, it restarted)"}}
	if d := cmp.Diff(want, f, cmp.AllowUnexported(foretold{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWhatATierCannotShowIsNoMiss(t *testing.T) {
	back := Change{Node: "n3", From: "v1.37.1", To: "v1.36.3", Lost: true}
	before := map[string]string{"e2e-n3/resizable/app": "1", "e2e-n3/plain/app": "2"}
	after := map[string]string{"e2e-n3/resizable/app": "1b", "e2e-n3/plain/app": "2b"}
	predicted := map[string]string{"e2e-n3/resizable/app": "stays", "e2e-n3/plain/app": "stays"}
	for tier, want := range [][2]int{{1, 1}, {1, 1}, {2, 0}} {
		f := cameOut(back, tier, predicted, before, after)
		if len(f.missed) != want[0] || len(f.unseen) != want[1] {
			t.Errorf("tier %d: missed %v, not to be seen %v", tier, f.missed, f.unseen)
		}
	}
}

func TestEveryContainerHasItsOwnTruth(t *testing.T) {
	up, back := Change{Node: "n2", From: "v1.30.14", To: "v1.37.1"},
		Change{Node: "n3", From: "v1.37.1", To: "v1.36.3", Lost: true}
	for _, c := range []struct {
		change Change
		name   string
		want   string
	}{
		{up, "e2e-n2/resizable/app", kubeletUpgrade}, {up, "kube-system/from-a-file-n2/app", otherUID},
		{up, "kube-system/with-its-own-uid-n2/app", kubeletUpgrade}, {back, "kube-system/from-a-file-n3/app", otherUID},
		{back, "e2e-n3/resizable/app", recordLost}, {back, "e2e-n3/grown/app", recordLost},
		{back, "e2e-n3/plain/app", kubeletUpgrade},
	} {
		if got := c.change.cause(c.name); got != c.want {
			t.Errorf("%v, %s: %s, want %s", c.change, c.name, got, c.want)
		}
	}
	cases := casesOf(back, map[string]string{"a/p/c": "1", "e2e-n3/grown/app": "2"},
		map[string]string{"a/p/c": "1", "e2e-n3/grown/app": "3"})
	if len(cases) != 2 || cases[0].Cause != "" || cases[1].Cause != recordLost ||
		cases[1].Scenario != "grown" || cases[1].Node != "n3" {
		t.Errorf("%+v", cases)
	}
	for to, want := range map[string]string{"v1.36.3": initAgain, "v1.37.1": ""} {
		cases := casesOf(Change{Node: "n3", From: "v1.37.1", To: to, Forgotten: true}, nil, nil)
		if len(cases) != 1 || cases[0].Cause != want || cases[0].Container != "prepare" {
			t.Errorf("to %s: %+v", to, cases)
		}
	}
}

func TestAnEntryOfTheCorpusHasOneCauseForAContainer(t *testing.T) {
	back := Change{Node: "n3", From: "v1.37.1", To: "v1.36.3", Lost: true}
	f := foretold{}
	for name, cause := range map[string]string{"plain": "", "moved": "", "grown": recordLost, "from-a-file-n3": otherUID} {
		f.verdicts = append(f.verdicts,
			judge.Result{Case: judge.Case{Namespace: "ns", Scenario: name, Container: "app", Cause: cause}})
	}
	got := changeTruths(back, f)
	for want, is := range map[string]bool{"{pod: ns/plain, container: app}": true,
		"{pod: ns/moved, container: app, cause: sandbox-died}": true,
		"grown": false, "{pod: ns/from-a-file-n3, container: app, cause: " + otherUID + "}": true} {
		if strings.Contains(got, want) != is {
			t.Errorf("%q: %v in\n%s", want, !is, got)
		}
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
		"one not to be seen":  {func(f *foretold) { f.unseen = []string{"a/p/c"} }, ""},
		"one missed":          {func(f *foretold) { f.missed = []string{"a/p/c"} }, "1 came out otherwise"},
		"one false":           {func(f *foretold) { f.false = []string{"a/p/c"} }, "1 came out otherwise"},
		"one left out": {func(f *foretold) { f.open = []string{"a/p/c (nothing said, it went on)"} },
			"nothing was said"},
		"nothing happened":   {func(f *foretold) { f.restarted = 0 }, "nothing was compared"},
		"an honest verdict":  {func(f *foretold) { f.verdicts = []judge.Result{{Outcome: score.Honest}} }, ""},
		"a vague verdict":    {func(f *foretold) { f.verdicts = []judge.Result{{Outcome: score.Vague}} }, ""},
		"a restart not told": {func(f *foretold) { f.verdicts = []judge.Result{{Outcome: score.Silent}} }, "1 fail"},
		"a wrong verdict":    {func(f *foretold) { f.verdicts = []judge.Result{{Outcome: score.WrongProven}} }, "1 fail"},
	} {
		f := right
		c.mutate(&f)
		var out strings.Builder
		err := tell(&out, []foretold{{change: change, tier: 0, containers: 3, restarted: 2}, {change: change, tier: 1}, f},
			time.Minute)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if !strings.Contains(out.String(), "preflight: 1 changes, 3 running containers") {
			t.Errorf("%s: %s", name, out.String())
		}
	}
}

func TestAnAnswerThatIsNoneIsNoPrediction(t *testing.T) {
	for _, raw := range []string{"", "{}", `{"kind":"RestartReport","items":[{"pod":"p"}]}`,
		`{"kind":"PreflightReport","items":[]}`} {
		if _, err := readPredictions([]byte(raw)); err == nil {
			t.Errorf("%q was taken for an answer", raw)
		}
	}
	got, err := readPredictions(
		[]byte(`{"kind":"PreflightReport","items":[{"namespace":"a","pod":"p","container":"c","prediction":"stays"}]}`))
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
