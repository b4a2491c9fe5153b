package present

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// anItem is an item with everything in it. Cases change one thing.
func anItem() *report.Item {
	return &report.Item{
		ID: "r-1", Namespace: "shop", Pod: "web-0", Container: "app", ContainerKind: "app",
		Kind: report.Restart, Node: "n1", Time: at("08:00:00"),
		From: &report.Instance{
			ContainerID: "containerd://aa", Attempt: new(0), StartedAt: at("07:00:00"), FinishedAt: at("08:00:00"),
			ExitCode: new(int32(137)), Reason: "OOMKilled", Image: "web:7", Hash: "c87f",
		},
		To: &report.Instance{ContainerID: "containerd://bb", Attempt: new(1), StartedAt: at("08:00:02")},
		Verdict: report.Verdict{
			Cause: "oom-container-limit", Mechanism: "oom-container-limit", Confidence: report.Proven,
			Summary: "container app: it needed more than its limit.",
			Chain: []report.Link{
				{Text: "the limit was reached", At: at("07:59:59"), Evidence: []string{"e1"}},
				{Text: "the kernel killed it", At: at("08:00:00"), Evidence: []string{"e2", "e1"}},
			},
			Eliminated: report.Eliminations{{Causes: []string{"app-signal"}, Because: "the record names it",
				Evidence: []string{"e3"}}},
			Alternatives: []report.Alternative{
				{Cause: "oom-node", Confidence: report.Possible, Text: "container app: the node was low too",
					Evidence: []string{"e2"}, Decides: "the kernel's log"},
			},
			Decide:  []report.Decide{{Cause: []string{"oom-node"}, What: "the kernel's log"}},
			Missing: []report.Missing{{What: "the kernel's log", Consequence: "it would tell", Command: "dmesg"}},
			Actions: []string{"raise the limit"},
		},
	}
}

func evidence(id string) *report.Evidence {
	return &report.Evidence{ID: id, Source: report.Source{Kind: "kernel", Node: "n1"},
		Time: at("07:59:59"), Text: "text of " + id}
}

func TestAnItemSaysWhatIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		change   func(*report.Item)
		has, not []string
	}{
		"the base": {change: func(*report.Item) {}, has: []string{
			"oom-container-limit (proven) · OOMKilled, exit 137 after 1h", "It needed more than its limit.",
			"restarted 2026-11-21 08:00:00Z on n1",
			"- Raise the limit", "07:59:59  root cause  the limit was reached [1]",
			"08:00:00  effect      the kernel killed it [2] [1]",
			": The node was low too [2]", "- the kernel's log (oom-node)", "- the kernel's log: it would tell",
			"$ dmesg", "[1] 07:59:59 kernel n1", "text of e1",
			"before  attempt 0 · OOMKilled, exit 137 · started 07:00:00 · finished 08:00:00 · web:7 · hash c87f · aa",
			"after   attempt 1 · started 08:00:02 · bb",
			"Ruled out: 1 other cause", "app-signal: the record names it [3]", "text of e3",
		}, not: []string{"mechanism", "container app: it"}},
		"a mechanism of its own": {change: func(i *report.Item) { i.Verdict.Mechanism = "sandbox-changed" },
			has: []string{"mechanism  sandbox-changed"}},
		"an unknown cause is said once": {change: func(i *report.Item) {
			i.Verdict.Cause, i.Verdict.Confidence = "unknown", report.Unknown
		}, has: []string{"What would decide it"}, not: []string{"unknown  unknown"}},
		"a death": {change: func(i *report.Item) { i.Kind, i.To = report.Death, nil },
			has: []string{"ended 2026-11-21"}, not: []string{"after  "}},
		"never started": {change: func(i *report.Item) {
			i.Kind, i.From, i.To = report.Refused, nil, nil
		}, has: []string{"never started"}, not: []string{"exit 137"}},
		"no restart": {change: func(i *report.Item) { i.Kind = report.None }, has: []string{"did not restart"}},
		"no time":    {change: func(i *report.Item) { i.Time = nil }, has: []string{"restarted on n1"}},
		"a node without a name": {change: func(i *report.Item) { i.Node = "unnamed" },
			has: []string{"restarted 2026-11-21 08:00:00Z\n"}},
		"no node": {change: func(i *report.Item) { i.Node = "" }, has: []string{"restarted 2026-11-21 08:00:00Z\n"}},
		"nothing missing": {change: func(i *report.Item) { i.Verdict.Missing, i.Verdict.Decide = nil, nil },
			not: []string{"What was not read"}},
		"a log that would decide and was not read": {change: func(i *report.Item) {
			i.Verdict.Missing[0].What = "the rest of the kernel's log around the end"
		}, has: []string{"- the rest of the kernel's log around the end: it would tell"},
			not: []string{"- the kernel's log (oom-node)"}},
		"evidence that is cited twice": {change: func(i *report.Item) {
			i.Verdict.Chain[0].Evidence = []string{"e1", "e2", "e1"}
		}, has: []string{"the limit was reached [1] [2]\n"}},
		"several pieces by one command": {change: func(i *report.Item) {
			m := &i.Verdict.Missing
			*m = append(*m, report.Missing{What: "a signal's audit", Command: "ausearch"},
				report.Missing{What: "the last boot's log", Command: "dmesg"}, report.Missing{What: "a guess"})
		}, has: []string{"it would tell\n    the last boot's log\n    $ dmesg\n  - a signal's audit\n    $ ausearch\n  - a guess"}},
		"no actions":      {change: func(i *report.Item) { i.Verdict.Actions = nil }, not: []string{"What to do"}},
		"no alternatives": {change: func(i *report.Item) { i.Verdict.Alternatives = nil }, not: []string{"Also possible"}},
		"nothing ruled out": {change: func(i *report.Item) { i.Verdict.Eliminated = report.Eliminations{} },
			not: []string{"Ruled out"}},
		"no chain": {change: func(i *report.Item) { i.Verdict.Chain = nil }, not: []string{"What happened"}},
		"a link on another day": {change: func(i *report.Item) {
			i.Verdict.Chain[0].At = new(at("08:00:00").AddDate(0, 0, -1))
		}, has: []string{"2026-11-20 08:00:00  root cause"}},
		"a cause is no more certain than the verdict": {change: func(i *report.Item) {
			i.Verdict.Confidence = report.Possible
		}, has: []string{"possible cause  the limit"}, not: []string{"root cause"}},
		"what is known is no cause": {change: func(i *report.Item) {
			i.Verdict.Cause, i.Verdict.Confidence = "unknown", report.Unknown
		}, has: []string{"known   the limit"}, not: []string{"root cause"}},
		"a link without a time": {change: func(i *report.Item) { i.Verdict.Chain[0].At = nil },
			has: []string{"            root cause  the limit"}},
		"a container's name stays as it is": {change: func(i *report.Item) { i.Verdict.Summary = "app needed more" },
			has: []string{"\napp needed more"}},
	} {
		item := anItem()
		tt.change(item)
		text := strings.Join(lined(Item(item, evidence, ItemOptions{Level: 2, When: true, RuledOut: true})), "\n") + "\n"
		for _, want := range tt.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: it does not say %q:\n%s", name, want, text)
			}
		}
		for _, bad := range tt.not {
			if strings.Contains(text, bad) {
				t.Errorf("%s: it says %q:\n%s", name, bad, text)
			}
		}
	}
}

// The first line rests on the whole chain, in its order.
func TestTheAnswerRestsOnTheChain(t *testing.T) {
	first := Item(anItem(), evidence, ItemOptions{Level: 2})[0].(document.Paragraph)
	if got := first.Anchor.Evidence; !slices.Equal(got, []string{"e1", "e2"}) {
		t.Errorf("got %v", got)
	}
}

// Below a list come the answer, what to do, and what happened.
func TestTheBeginningOfAnItem(t *testing.T) {
	text := strings.Join(lined(Answer(anItem(), evidence, ItemOptions{Level: 2})), "\n")
	if !strings.Contains(text, "Raise the limit") || !strings.Contains(text, "root cause") ||
		strings.Contains(text, "Evidence") {
		t.Errorf("got:\n%s", text)
	}
}

func TestEndAndLifetimeSayOnlyWhatIsKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		in       *report.Instance
		end, ran string
	}{
		"nothing":    {nil, "", ""},
		"empty":      {&report.Instance{}, "", ""},
		"code zero":  {&report.Instance{ExitCode: new(int32(0)), Reason: "Completed"}, "Completed, exit 0", ""},
		"signal":     {&report.Instance{ExitCode: new(int32(139)), Signal: 11}, "exit 139, signal 11", ""},
		"start only": {&report.Instance{StartedAt: at("00:00:00")}, "", ""},
		"seconds":    {&report.Instance{StartedAt: at("00:00:00"), FinishedAt: at("00:00:07")}, "", "7s"},
		"days": {&report.Instance{StartedAt: at("00:00:00"),
			FinishedAt: new(at("02:30:00").Add(72 * time.Hour))}, "", "3d2h"},
		"clocks disagree": {&report.Instance{StartedAt: at("00:00:07"), FinishedAt: at("00:00:00")}, "", ""},
	} {
		if got := End(tt.in); got != tt.end {
			t.Errorf("%s: end %q, want %q", name, got, tt.end)
		}
		if got := Lifetime(tt.in); got != tt.ran {
			t.Errorf("%s: ran %q, want %q", name, got, tt.ran)
		}
	}
}

func TestIDsAreShortAndWithoutTheirRuntime(t *testing.T) {
	for id, want := range map[string]string{"containerd://0123456789abcdef": "0123456789abc",
		"0123456789abcdef": "0123456789abc", "aa": "aa", "": ""} {
		if got := ShortID(id); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
}

func TestCitationsAreListedOnce(t *testing.T) {
	if got := anItem().Verdict.Cited(); !slices.Equal(got, []string{"e1", "e2", "e3"}) {
		t.Errorf("got %v", got)
	}
	if got := new(report.Verdict).Cited(); len(got) > 0 {
		t.Errorf("nothing cites %v", got)
	}
}

// A page of the catalogue loses only its markup.
func TestAPageOfTheCatalogue(t *testing.T) {
	source := "# oom: The container exceeded its limit\n\n## What happened\nIt used **more** memory than `limits.memory`, *likely* so. See [the docs](x.md).\n\n" +
		"- first, the kernel\n- then the kubelet\n  and all of it\n\n| a | b |\n|---|---|\n| c | d |\n\n```\nkubectl get pods\n```\n2 * 3 * 4\n"
	want := []string{
		"oom: The container exceeded its limit", "", "What happened",
		"It used more memory than limits.memory, likely so. See the docs.", "",
		"  - first, the kernel", "  - then the kubelet and all of it", "", "a   b",
		"c   d", "", "    kubectl get pods", "2 * 3 * 4",
	}
	got := lined(Page(source))
	for len(got) > 0 && got[len(got)-1] == "" {
		got = got[:len(got)-1]
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestLessLikelyCausesAreFolded(t *testing.T) {
	for n, want := range map[int][2]int{0: {0, 0}, 4: {4, 0}, 5: {5, 0}, 6: {4, 2}, 11: {4, 7}} {
		it := anItem()
		it.Verdict.Confidence, it.Verdict.Alternatives = report.Possible, nil
		for range n {
			it.Verdict.Alternatives = append(it.Verdict.Alternatives, report.Alternative{Cause: "oom-node", Text: "x"})
		}
		shown, folded, also := 0, 0, false
		for _, b := range Item(it, func(string) *report.Evidence { return &report.Evidence{} }, ItemOptions{Level: 2}) {
			switch b := b.(type) {
			case document.Heading:
				also = b.Text.String() == "Also possible"
			case document.List:
				if also {
					shown = len(b.Entries)
				}
			case document.Fold:
				if strings.HasSuffix(b.Summary.String(), "less likely") {
					folded = len(b.Blocks[0].(document.List).Entries)
				}
			}
		}
		if shown != want[0] || folded != want[1] {
			t.Errorf("%d alternatives: %d shown, %d folded, want %v", n, shown, folded, want)
		}
	}
}
