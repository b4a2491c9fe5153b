package present

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// at parses a time of day in the tests.
func at(clock string) *time.Time {
	t, err := time.Parse(time.RFC3339, "2026-11-21T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return &t
}

// lined returns a page as plain lines.
func lined(blocks []document.Block) (out []string) {
	for _, l := range layout.Lay(blocks, layout.Options{Bullet: "-"}).Lines {
		out = append(out, strings.TrimRight(l.String(), " "))
	}
	return out
}

func TestEvidenceSaysWhereItIsFrom(t *testing.T) {
	full := &report.Evidence{
		ID: "e1", Source: report.Source{Kind: "kubelet-log", Node: "n1", Where: "kubelet.log:7"},
		Time: at("08:00:00"), Statement: "kubelet.kill-decided", Text: "the line",
		Subject: report.Subject{Namespace: "shop", Pod: "web-0", Container: "app",
			ContainerID: "containerd://0123456789abcdef0123", SandboxID: "fedcba9876543210"},
	}
	for name, tt := range map[string]struct {
		e    *report.Evidence
		want []string
	}{
		"everything": {full, []string{
			"  from     kubelet-log · n1 · kubelet.log:7", "  about    shop/web-0 · app · 0123456789abc · fedcba9876543",
			"  read as  kubelet.kill-decided · 2026-11-21 08:00:00.000 UTC · e1",
		}},
		"a node": {&report.Evidence{ID: "e2", Subject: report.Subject{Node: "n1"}},
			[]string{"  about    n1", "  read as  e2"}},
		"nothing": {&report.Evidence{}, nil},
	} {
		if d := cmp.Diff(tt.want, lined(EvidenceHead(tt.e))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	if got := EvidenceLine(full); got != "2026-11-21T08:00:00.000Z n1 kubelet-log kubelet.log:7: the line" {
		t.Errorf("as one line: %s", got)
	}
	full.Text = ""
	if got := EvidenceText(full); got != "kubelet.kill-decided" {
		t.Errorf("without a text it says %q", got)
	}
}

// Evidence that a report does not contain is named, and not silently dropped.
func TestEvidenceThatIsNotThereIsNamed(t *testing.T) {
	it := &report.Item{Verdict: report.Verdict{Chain: []report.Link{{Text: "it ended", Evidence: []string{"e1", "e2"}}}}}
	for name, tt := range map[string]struct {
		has  string
		want string
	}{"one": {"e1", "cited, but not in this report: e2"}, "none": {"", "cited, but not in this report: e1, e2"}} {
		find := func(id string) *report.Evidence {
			if id == tt.has {
				return &report.Evidence{ID: id, Text: "the line"}
			}
			return nil
		}
		text := strings.Join(lined(Item(it, find, ItemOptions{Level: 2})), "\n")
		if !strings.Contains(text, tt.want) || strings.Contains(text, "the line") != (tt.has != "") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}

// A timeline as text contains every span and every mark, and says what a picture shows by shape.
func TestLanesInWordsHoldAll(t *testing.T) {
	lanes := []report.Lane{
		{Name: "web", Spans: []report.Span{{From: at("08:00:00"), To: at("08:01:00"), Text: "attempt 0", Bad: true},
			{From: at("08:01:02"), Text: "attempt 1"}}},
		{Name: "kubelet", Marks: []report.Mark{{At: *at("08:00:59"), Text: "kills it", Decisive: true},
			{At: at("08:00:10").AddDate(0, 0, -1), Text: "long before"}}},
		{Name: "kernel"},
	}
	want := []string{
		"web", "  - 2026-11-21 08:00:00.000 to 08:01:00.000: attempt 0 (ended badly)",
		"  - from 2026-11-21 08:01:02.000: attempt 1", "",
		"kubelet", "  - 2026-11-21 08:00:59.000: kills it (the verdict rests on this)",
		"  - 2026-11-20 08:00:10.000: long before",
	}
	if d := cmp.Diff(want, lined(Lanes(lanes))); d != "" {
		t.Error(d)
	}
	open := []report.Lane{{Name: "sandbox", Spans: []report.Span{{To: at("08:01:00"), Text: "ready"}, {Text: "unknown"}}}}
	if d := cmp.Diff([]string{"sandbox", "  - until 2026-11-21 08:01:00.000: ready", "  - time unknown: unknown"},
		lined(Lanes(open))); d != "" {
		t.Error(d)
	}
}
