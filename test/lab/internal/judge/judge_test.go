package judge

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

func at(minute int) time.Time { return time.Date(2030, 1, 1, 0, minute, 0, 0, time.UTC) }

func item(minute int, cause, confidence string) Item {
	return Item{Namespace: "e2e-n1", Pod: "edited", Container: "app", Kind: "Restart", Time: at(minute),
		Verdict: Verdict{Cause: cause, Confidence: confidence, Summary: "because"}}
}

func TestCompare(t *testing.T) {
	base := Case{Scenario: "edited", Node: "n1", Namespace: "e2e-n1", Container: "app", Cause: "spec-image-changed"}
	right := item(5, "spec-image-changed", "proven")
	tests := []struct {
		name   string
		change func(*Case)
		items  []Item
		want   score.Outcome
		fails  string // at which tiers
	}{
		{"the right cause is right at every tier", nil, []Item{right}, score.Right, ""},
		{"a likely right cause is right", nil, []Item{item(5, "spec-image-changed", "likely")}, score.Right, ""},
		{"an unknown is let pass below tier 2", nil, []Item{item(5, Unknown, Unknown)}, score.Vague, "2"},
		{"an unknown that names the truth is honest", nil, []Item{beside(item(5, Unknown, Unknown), "spec-image-changed")},
			score.Honest, "2"},
		{"the right cause at confidence unknown says nothing", nil, []Item{item(5, "spec-image-changed", Unknown)},
			score.Honest, "2"},
		{"a wrong cause that is only likely is wrong, and fails with all evidence",
			nil, []Item{beside(item(5, "app-signal", "likely"), "spec-image-changed")}, score.Wrong, "2"},
		{"a wrong proven is the worst at every tier", nil, []Item{item(5, "app-signal", "proven")}, score.WrongProven, "012"},
		{"where nothing decides, an unknown is let pass at every tier", func(c *Case) { c.Undecidable = true },
			[]Item{item(5, Unknown, Unknown)}, score.Vague, ""},
		{"where nothing decides, a wrong proven is still the worst", func(c *Case) { c.Undecidable = true },
			[]Item{item(5, "app-signal", "proven")}, score.WrongProven, "012"},
		{"where nothing decides, silence fails all the same", func(c *Case) { c.Undecidable = true },
			nil, score.Silent, "012"},
		{"silence about a restart fails at every tier", nil, nil, score.Silent, "012"},
		{"the newest restart counts, wherever it stands", nil, []Item{item(4, Unknown, Unknown), right}, score.Right, ""},
		{"an older wrong proven is not forgiven", nil, []Item{right, item(4, "app-signal", "proven")},
			score.WrongProven, "012"},
		{"an older wrong guess is", nil, []Item{right, item(4, "app-signal", "possible")}, score.Right, ""},
		{"an older cause that was true is no mistake", func(c *Case) { c.Also = []string{"app-signal"} },
			[]Item{right, item(4, "app-signal", "proven")}, score.Right, ""},
		{"a start that a replaced kubelet cancelled is no scenario's truth", nil,
			[]Item{right, func() Item { i := item(4, "start-error", "proven"); i.From.ExitCode = 128; return i }()},
			score.Right, ""},
		{"of what ran it is a wrong proven all the same", nil,
			[]Item{right, func() Item {
				i := item(4, "start-error", "proven")
				i.From.ExitCode, i.From.StartedAt = 128, at(3)
				return i
			}()}, score.WrongProven, "012"},
		{"another container's verdict is not this one's", nil,
			[]Item{right, func() Item { i := item(6, "app-signal", "proven"); i.Container = "other"; return i }()},
			score.Right, ""},
		{"another namespace's pod of the same name is not this one", nil,
			[]Item{right, func() Item { i := item(6, "app-signal", "proven"); i.Namespace = "e2e-n2"; return i }()},
			score.Right, ""},
		{"an item that says nothing restarted is no restart", func(c *Case) { c.Cause = "" },
			[]Item{func() Item { i := item(6, "readiness-flip", "proven"); i.Kind = "None"; return i }()}, score.Right, ""},
		{"silence about a healthy pod is right", func(c *Case) { c.Cause = "" }, nil, score.Right, ""},
		{"a false alarm fails, however unsure", func(c *Case) { c.Cause = "" },
			[]Item{item(5, Unknown, Unknown)}, score.Honest, "012"},
		{"a likely false alarm is wrong", func(c *Case) { c.Cause = "" }, []Item{item(5, "app-signal", "likely")},
			score.Wrong, "012"},
		{"a proven false alarm is worse", func(c *Case) { c.Cause = "" }, []Item{right}, score.WrongProven, "012"},
		{"the wrong mechanism of the right cause, proven", func(c *Case) { c.Mechanism = "spec-changed" },
			[]Item{right}, score.WrongProven, "012"},
		{"the right mechanism of the right cause", func(c *Case) { c.Mechanism = "spec-changed" },
			[]Item{func() Item { i := right; i.Verdict.Mechanism = "spec-changed"; return i }()}, score.Right, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := base
			if tt.change != nil {
				tt.change(&c)
			}
			fails := ""
			for tier := range 3 {
				r := Compare(c, tier, Report{Items: tt.items})
				if r.Outcome != tt.want {
					t.Errorf("tier %d: %s (%s), want %s", tier, r.Outcome, r.Why, tt.want)
				}
				if (r.Outcome == score.Right) != (r.Why == "") {
					t.Errorf("tier %d: %s with reason %q", tier, r.Outcome, r.Why)
				}
				if r.Fails() {
					fails += strconv.Itoa(tier)
				}
			}
			if fails != tt.fails {
				t.Errorf("fails at tiers %q, want %q", fails, tt.fails)
			}
		})
	}
}

// beside returns an item with alternatives that remain possible.
func beside(i Item, causes ...string) Item {
	for _, c := range causes {
		i.Verdict.Alternatives = append(i.Verdict.Alternatives, struct {
			Cause string `json:"cause"`
		}{c})
	}
	return i
}

func TestAHoleInTheJournalExcusesAGuess(t *testing.T) {
	c := Case{Scenario: "ambushed", Node: "n1", Namespace: "e2e-n1", Container: "app", Cause: "killed-externally"}
	guess := Item{Namespace: c.Namespace, Pod: c.Scenario, Container: c.Container,
		Kind: "Restart", Time: at(5), Verdict: Verdict{Cause: "oom-node", Confidence: "possible", Summary: "s"}}
	missed := Gap{Source: "kernel-log", Node: "n1",
		Why: "read /dev/kmsg: the journal missed 212 messages of the kernel at 2030-01-01T00:04:00Z"}
	for name, tt := range map[string]struct {
		gap    Gap
		change func(*Item)
		want   score.Outcome
		fails  bool
	}{
		"nothing is missing":           {Gap{}, nil, score.Vague, true},
		"the kernel's buffer ran over": {missed, nil, score.Vague, false},
		"that of another node did":     {Gap{Source: missed.Source, Node: "n2", Why: missed.Why}, nil, score.Vague, true},
		"a unit wrote too much": {Gap{Source: "runtime-log", Node: "n1",
			Why: "read journal: the journal dropped 9 messages of containerd.service"}, nil, score.Vague, false},
		"another gap":                {Gap{Source: "runtime-log", Node: "n1", Why: "403: Forbidden"}, nil, score.Vague, true},
		"proven is never excused":    {missed, func(i *Item) { i.Verdict.Confidence = "proven" }, score.WrongProven, true},
		"the right cause needs none": {missed, func(i *Item) { i.Verdict.Cause = c.Cause }, score.Right, false},
	} {
		t.Run(name, func(t *testing.T) {
			i := guess
			if tt.change != nil {
				tt.change(&i)
			}
			if got := Compare(c, 2, Report{Items: []Item{i}, Gaps: []Gap{tt.gap}}); got.Outcome != tt.want ||
				got.Fails() != tt.fails {
				t.Errorf("%s (%s), want %s", got.Outcome, got.Why, tt.want)
			}
		})
	}
}

func TestAVerdictThatNamesTheMissingLogIsLetPass(t *testing.T) {
	c := Case{Scenario: "ambushed", Node: "n1", Namespace: "e2e-n1", Container: "app", Cause: "killed-externally"}
	for name, tt := range map[string]struct {
		confidence, missing string
		want                score.Outcome
		fails               bool
	}{
		"it names the kernel's log": {"possible", "the kernel's log around the end (2030-01-01T00:05:00Z)",
			score.Vague, false},
		"it names the kubelet's log":    {"unknown", "the kubelet's log around the end", score.Vague, false},
		"it names something else":       {"possible", "a second exit of the same kind", score.Vague, true},
		"it names nothing":              {"possible", "", score.Vague, true},
		"it is likely all the same":     {"likely", "the kernel's log around the end", score.Wrong, true},
		"it is called proven, whatever": {"proven", "the kernel's log around the end", score.WrongProven, true},
	} {
		raw := `{"kind":"RestartReport","items":[{"namespace":"e2e-n1","pod":"ambushed","container":"app","kind":"Restart","time":"2030-01-01T00:05:00Z",
			"verdict":{"cause":"oom-node","confidence":"` + tt.confidence + `","summary":"s","missing":[{"what":"` + tt.missing + `"}]}}],"evidence":[]}`
		r, err := Read([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		if got := Compare(c, 2, r); got.Outcome != tt.want || got.Fails() != tt.fails {
			t.Errorf("%s: %s (%s), want %s", name, got.Outcome, got.Why, tt.want)
		}
	}
}

func TestReadTakesReportsOnly(t *testing.T) {
	r, err := Read([]byte(`{"kind":"RestartReport","items":[{"namespace":"a","pod":"b","container":"c","kind":"Restart",
		"time":"2030-01-01T00:05:00Z","verdict":{"cause":"app-signal","mechanism":"","confidence":"likely","summary":"s"}}],"evidence":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := Report{Kind: "RestartReport",
		Items: []Item{{Namespace: "a", Pod: "b", Container: "c", Kind: "Restart", Time: at(5),
			Verdict: Verdict{Cause: "app-signal", Confidence: "likely", Summary: "s"}}}, Evidence: []Evidence{}}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, bad := range []string{"", "{}", "[]", `{"kind":"List","items":[]}`,
		`{"kind":"RestartReport","items":[{"time":"yesterday"}]}`} {
		if _, err := Read([]byte(bad)); err == nil {
			t.Errorf("%q was taken for a report", bad)
		}
	}
}

// someResults are one scenario on two nodes and a healthy pod.
func someResults() []Result {
	edited := func(node, kubelet string, tier int, o score.Outcome, v *Verdict) Result {
		return Result{Case: Case{Scenario: "edited", Container: "app", Node: node,
			Kubelet: kubelet, Cause: "spec-image-changed"}, Tier: tier, Outcome: o, Verdict: v}
	}
	proven, unknown := &Verdict{Cause: "spec-image-changed", Confidence: "proven"},
		&Verdict{Cause: Unknown, Confidence: Unknown}
	return []Result{
		edited("n2", "v1.30.14", 0, score.Right, proven), edited("n2", "v1.30.14", 1, score.Right, proven),
		edited("n2", "v1.30.14", 2, score.Right, proven),
		edited("n1", "v1.20.15", 0, score.Honest, unknown),
		edited("n1", "v1.20.15", 1, score.WrongProven, &Verdict{Cause: "app-signal", Confidence: "proven"}),
		{Case: Case{Scenario: "steady", Container: "app", Node: "n1", Kubelet: "v1.20.15"}, Tier: 2, Outcome: score.Right},
	}
}

func TestTable(t *testing.T) {
	want := `| scenario   | kubelet  | truth              | tier 0: API              | tier 1: + kubelet log                   | tier 2: + node |
|------------|----------|--------------------|--------------------------|-----------------------------------------|----------------|
| steady/app | v1.20.15 | (no restart)       | -                        | -                                       | nothing: right |
| edited/app | v1.20.15 | spec-image-changed | unknown, unknown: honest | app-signal, proven: wrong proven, fails | -              |
| edited/app | v1.30.14 | spec-image-changed | proven: right            | proven: right                           | proven: right  |
`
	if diff := cmp.Diff(want, Table(someResults())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCount(t *testing.T) {
	got := Count(someResults())
	c := got.Counts()
	if diff := cmp.Diff([6]int{4, 1, 0, 0, 0, 1}, c.Outcomes); diff != "" ||
		got.Truths != 3 || got.Failing != 1 || c.Judged != 6 {
		t.Errorf("%+v (-want +got):\n%s", got, diff)
	}
	line := got.Summary(312 * time.Second)
	if want := "e2e: 3 truths × 3 tiers: 6 judged, 4 right, 1 honest, 0 wrong, 1 wrong proven, 0 vague, 0 silent, 1 failing; tier 2: 2 of 2 right, 1 of 1 ends proven (5m12s)"; line != want {
		t.Errorf("summary = %q, want %q", line, want)
	}
	if !strings.Contains(got.Outcomes(), "| 1    | 2      | 1     |") {
		t.Errorf("outcomes:\n%s", got.Outcomes())
	}
}

func TestWhatFailsTheLab(t *testing.T) {
	likely := &Verdict{Cause: "app-signal", Confidence: likely}
	many := func(n int, rest ...Result) []Result {
		for range n {
			rest = append(rest, Result{Outcome: score.Right, Verdict: likely})
		}
		return rest
	}
	for name, tt := range map[string]struct {
		results []Result
		want    bool
	}{
		"all right":              {many(1), false},
		"nothing judged":         {nil, true},
		"vague":                  {many(1, Result{Outcome: score.Vague}), false},
		"vague, and had it all":  {many(1, Result{Outcome: score.Vague, Short: true}), true},
		"silent":                 {many(1, Result{Outcome: score.Silent}), true},
		"wrong proven":           {many(1, Result{Outcome: score.WrongProven}), true},
		"one likely of fifty":    {many(49, Result{Outcome: score.Wrong, Verdict: likely}), false},
		"one likely of two":      {many(1, Result{Outcome: score.Wrong, Verdict: likely}), true},
		"a false alarm is short": {many(60, Result{Outcome: score.Honest, Short: true}), true},
	} {
		if tally := Count(tt.results); tally.Failed() != tt.want {
			t.Errorf("%s: failed %v, want %v (%s)", name, tally.Failed(), tt.want, tally.Why())
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"kind":"RestartReport","items":[{"time":"2030-01-01T00:05:00Z","verdict":{"cause":"app-signal"}}]}`))
	f.Add([]byte(`{"kind":"RestartReport","items":null}`))
	f.Add([]byte(`{"kind":1}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := Read(raw)
		if err != nil {
			return
		}
		// Whatever a report says, judging it ends and says why it is not right.
		for tier := range 3 {
			got := Compare(Case{Cause: "app-signal"}, tier, r)
			if got.Outcome != score.Right && got.Why == "" {
				t.Errorf("tier %d: %s without a reason", tier, got.Outcome)
			}
		}
	})
}

func TestLacksNamesWhatATierWasJudgedWithout(t *testing.T) {
	r, err := Read(
		[]byte(
			`{"kind":"RestartReport","evidence":[{"source":{"kind":"kubelet-log","node":"n1"}},{"source":{"kind":"cri","node":"n2"}}],
		"gaps":[{"source":"kubelet-log","node":"n2","why":"406: Not Acceptable"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for node, want := range map[string][]string{
		"n1": {"cri of n1 (no gap says why)"},
		"n2": {"kubelet-log of n2 (406: Not Acceptable)"},
		"n3": {"kubelet-log of n3 (no gap says why)", "cri of n3 (no gap says why)"},
	} {
		if diff := cmp.Diff(want, r.Lacks(node, "kubelet-log", "cri")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", node, diff)
		}
	}
}

func TestSinceKeepsWhatHappenedFromAMomentOn(t *testing.T) {
	at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	whole := Report{Kind: "RestartReport", Items: []Item{{Pod: "before", Time: at.Add(-time.Second)},
		{Pod: "again", Time: at.Add(-time.Hour)}, {Pod: "at", Time: at}, {Pod: "after", Time: at.Add(time.Second)}}}
	whole.Items[1].To.StartedAt = at
	later := whole.Since(at)
	if len(later.Items) != 3 || later.Items[0].Pod != "again" || later.Items[1].Pod != "at" ||
		later.Items[2].Pod != "after" || later.Kind != whole.Kind {
		t.Errorf("%+v", later)
	}
	if whole.Items[0].Pod != "before" {
		t.Errorf("the whole report was changed: %+v", whole.Items)
	}
}
