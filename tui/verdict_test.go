package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// at parses a time of the tests' day.
func at(clock string) *time.Time {
	t, err := time.Parse(time.RFC3339, "2026-11-21T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return &t
}

func number[T any](n T) *T { return &n }

// aVerdict is a verdict with everything in it. Cases change one thing of it.
func aVerdict() *report.Item {
	return &report.Item{
		Namespace: "shop", Pod: "web-0", Container: "app", ContainerKind: "app", Kind: report.Restart, Node: "n1", Time: at("08:00:00"),
		From: &report.Instance{ContainerID: "containerd://aa", Attempt: number(0), StartedAt: at("07:00:00"), FinishedAt: at("08:00:00"), ExitCode: number(int32(137)), Reason: "Error", Image: "web:7", Hash: "c87f"},
		To:   &report.Instance{ContainerID: "containerd://bb", Attempt: number(1), StartedAt: at("08:00:02")},
		Verdict: report.Verdict{
			Cause: "oom-container-limit", Mechanism: "oom-container-limit", Confidence: report.Proven, Summary: "It needed more than its limit.",
			Chain: []report.Link{
				{Cause: "oom-container-limit", Text: "the limit was reached", At: at("07:59:59"), Evidence: []string{"e1"}},
				{Cause: "oom-container-limit", Text: "the kernel killed it", At: at("08:00:00"), Evidence: []string{"e1", "e2"}},
			},
			Eliminated:   report.Eliminate(report.Eliminated{Cause: "app-signal", Because: "the kernel's record names it", Evidence: []string{"e3"}}),
			Alternatives: []report.Alternative{{Cause: "oom-node", Confidence: report.Possible, Text: "the node was low too", Evidence: []string{"e2"}}},
			Missing:      []report.Missing{{What: "the kernel's log", Consequence: "cannot be ruled out", Command: "dmesg"}},
			Actions:      []string{"raise the limit"},
		},
	}
}

func written(item *report.Item, width int, summary bool) (*dossier, string) {
	th := newTheme(paletteNone, false)
	evidence := map[string]*report.Evidence{
		"e1": {ID: "e1", Source: report.Source{Kind: "kernel", Node: "n1", Where: "kmsg"}, Time: at("07:59:59"), Statement: "kernel.oom-kill", Text: "Memory cgroup out of memory"},
		"e2": {ID: "e2", Source: report.Source{Kind: "api"}, Statement: "container.record", Text: "exit code 137"},
	}
	d := newDossier(&th, width, item, func(id string) *report.Evidence { return evidence[id] })
	if summary {
		d.summary()
	} else {
		d.all()
	}
	lines := make([]string, len(d.lines))
	for i, l := range d.lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return d, strings.Join(lines, "\n")
}

func TestADossierSaysWhatIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*report.Item)
		has    []string
		not    []string
	}{
		"the base": {func(*report.Item) {}, []string{
			"  oom-container-limit  ● proven", "It needed more than its limit.", "restart 1 on n1 at 2026-11-21 08:00:00 UTC · exit 137 Error · had run 1h0m0s",
			"07:59:59  ┬ the limit was reached [1]", "08:00:00  └ the kernel killed it [1] [2]", "Why not", "✗ app-signal: the kernel's record names it [3]",
			"Still possible", "○ oom-node (possible): the node was low too [2]", "? the kernel's log: cannot be ruled out", "$ dmesg", "• raise the limit",
			"[1]  07:59:59 · kernel · n1 · kmsg · kernel.oom-kill · e1", "Memory cgroup out of memory", "[3]  e3 is not in this report",
			"was  attempt 0 · exit 137 Error · started 07:00:00 · finished 08:00:00 · image web:7 · hash c87f", "now  attempt 1 · started 08:00:02",
		}, []string{"by way of"}},
		"a mechanism of its own":            {func(i *report.Item) { i.Verdict.Mechanism = "sandbox-changed" }, []string{"by way of sandbox-changed"}, nil},
		"an unknown cause is said once":     {func(i *report.Item) { i.Verdict.Cause, i.Verdict.Confidence = "unknown", report.Unknown }, []string{"  ? unknown\n"}, []string{"unknown  ? unknown"}},
		"a death":                           {func(i *report.Item) { i.Kind, i.To = report.Death, nil }, []string{"death, not started since on n1", "now  none"}, []string{"restart 1"}},
		"never started":                     {func(i *report.Item) { i.Kind, i.From, i.To = report.Refused, nil, nil }, []string{"never started on n1"}, []string{"Instances", "had run"}},
		"no restart":                        {func(i *report.Item) { i.Kind = report.None }, []string{"no restart on n1"}, nil},
		"another kind":                      {func(i *report.Item) { i.Kind = "Odd" }, []string{"Odd on n1"}, nil},
		"an init container":                 {func(i *report.Item) { i.ContainerKind = "init" }, []string{"restart 1 of the init container on n1"}, nil},
		"no time":                           {func(i *report.Item) { i.Time = nil }, []string{"restart 1 on n1 · exit 137"}, []string{" at 2026"}},
		"no node":                           {func(i *report.Item) { i.Node = "" }, []string{"restart 1 at 2026-11-21"}, nil},
		"nothing missing":                   {func(i *report.Item) { i.Verdict.Missing = nil }, []string{"Missing\n    nothing"}, []string{"dmesg"}},
		"no actions":                        {func(i *report.Item) { i.Verdict.Actions = nil }, nil, []string{"  Do\n"}},
		"no alternatives":                   {func(i *report.Item) { i.Verdict.Alternatives = nil }, nil, []string{"Still possible"}},
		"nothing eliminated":                {func(i *report.Item) { i.Verdict.Eliminated = report.Eliminations{} }, nil, []string{"Why not", "about the other causes"}},
		"no chain":                          {func(i *report.Item) { i.Verdict.Chain = nil }, []string{"Evidence about the other causes"}, []string{"Chain, root first"}},
		"a chain of one":                    {func(i *report.Item) { i.Verdict.Chain = i.Verdict.Chain[:1] }, []string{"07:59:59  ─ the limit was reached"}, []string{"┬", "└"}},
		"a cause is named where it changes": {func(i *report.Item) { i.Verdict.Chain[1].Cause = "app-signal" }, []string{"the kernel killed it [1] [2]\n                app-signal"}, nil},
		"a link on another day":             {func(i *report.Item) { i.Verdict.Chain[0].At = number(at("08:00:00").AddDate(0, 0, -1)) }, []string{"2026-11-20 08:00:00  ┬ the limit"}, nil},
		"a link without a time":             {func(i *report.Item) { i.Verdict.Chain[0].At = nil }, []string{"              ┬ the limit was reached [1]"}, nil},
	} {
		item := aVerdict()
		tt.change(item)
		_, text := written(item, 130, false)
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: it does not say %q:\n%s", name, want, text)
			}
		}
		for _, bad := range tt.not {
			if strings.Contains(text, bad) {
				t.Errorf("%s: it says %q", name, bad)
			}
		}
	}
}

// The order of the sections is that of a reader who may stop at any time.
func TestTheVerdictComesFirstAndItsProofNext(t *testing.T) {
	_, text := written(aVerdict(), 100, false)
	last := -1
	for _, section := range []string{"oom-container-limit  ●", "Chain, root first", "Evidence, what proves most first", "Still possible", "Why not", "Missing", "Do\n", "Instances", "Evidence about the other causes"} {
		n := strings.Index(text, section)
		if n <= last {
			t.Errorf("%q stands at %d, behind %d", section, n, last)
		}
		last = n
	}
}

// Stops cover every line that says something, in order and without overlap.
func TestStopsOfADossierFollowOneAnother(t *testing.T) {
	for _, width := range []int{60, 80, 116} {
		d, _ := written(aVerdict(), width, false)
		end := 0
		for n, s := range d.stops {
			if s.first < end || s.end <= s.first || s.end > len(d.lines) {
				t.Errorf("at %d: stop %d covers %d to %d, the one before ends at %d of %d", width, n, s.first, s.end, end, len(d.lines))
			}
			for _, l := range d.lines[s.first:s.end] {
				if !strings.HasPrefix(ansi.Strip(l), "  ") {
					t.Errorf("at %d: there is no room for the cursor in %q", width, ansi.Strip(l))
				}
			}
			end = s.end
		}
		sections := 0
		for _, s := range d.stops {
			if s.section {
				sections++
			}
		}
		if sections != 9 {
			t.Errorf("at %d: %d sections begin with a stop, want 9", width, sections)
		}
	}
}

func TestStopsLeadWhereTheirLinesSay(t *testing.T) {
	d, _ := written(aVerdict(), 100, false)
	type led struct {
		Evidence string
		Cause    string
		Copied   string
	}
	var got []led
	for _, s := range d.stops {
		got = append(got, led{strings.Join(s.evidence, " "), s.cause, s.copied})
	}
	want := []led{
		{"e1 e2", "oom-container-limit", ""},                                    // the verdict: all of its proof
		{"e1", "oom-container-limit", ""}, {"e1 e2", "oom-container-limit", ""}, // the chain
		{"e1", "oom-container-limit", ""}, {"e2", "oom-container-limit", ""}, // its evidence
		{"e2", "oom-node", ""}, {"e3", "app-signal", ""},
		{"", "oom-container-limit", "dmesg"}, {"", "oom-container-limit", "raise the limit"},
		{"", "oom-container-limit", ""}, {"", "oom-container-limit", ""}, // instances
		{"e3", "oom-container-limit", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTheSummaryIsVerdictAndChain(t *testing.T) {
	_, text := written(aVerdict(), 100, true)
	if !strings.Contains(text, "Chain, root first") || strings.Contains(text, "Why not") {
		t.Errorf("the summary:\n%s", text)
	}
}

// FuzzDossier puts any text into a verdict: no line is wider than it may be, and
// nothing that is said gets lost.
func FuzzDossier(f *testing.F) {
	f.Add("it needed more", "oom-node", 60)
	f.Add("界界界 界", "a b c", 80)
	f.Add(strings.Repeat("x", 500), "", 61)
	f.Add("e\u0301 👩‍👩‍👧‍👦", "x", 200)
	f.Fuzz(func(t *testing.T, text, cause string, width int) {
		if width < minWidth || width > 300 || len(text)+len(cause) > 4096 || unsafe(text) || unsafe(cause) {
			return
		}
		item := aVerdict()
		v := &item.Verdict
		v.Summary, v.Cause, v.Chain[0].Text, v.Missing[0].Command, v.Actions[0] = text, cause, text, text, text
		v.Eliminated = report.Eliminate(report.Eliminated{Cause: cause, Because: text})
		d, _ := written(item, width, false)
		for _, l := range d.lines {
			if w := ansi.StringWidth(l); w > width {
				t.Fatalf("%q is %d wide, want at most %d", l, w, width)
			}
		}
		all := strings.ReplaceAll(ansi.Strip(strings.Join(d.lines, "")), " ", "")
		if want := strings.ReplaceAll(text, " ", ""); len(want) < width-20 && !strings.Contains(all, want) {
			t.Fatalf("%q is lost", text)
		}
	})
}

// unsafe tells whether a text could not stand in a report.
func unsafe(s string) bool {
	return strings.ToValidUTF8(s, "\x00") != s || strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 })
}

func TestACitationIsCountedOnce(t *testing.T) {
	if d := cmp.Diff([]string{"e1", "e2", "e3"}, cited(&aVerdict().Verdict)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"a", "b"}, unique([]string{"a", "b", "a", "b", "b"})); d != "" {
		t.Error(d)
	}
	if got := cited(&report.Verdict{}); got != nil {
		t.Errorf("nothing cites %v", got)
	}
}
