package layout

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

var (
	say   = document.Say
	marks = Options{Bullet: "•", OpenFold: "▾", ClosedFold: "▸", Ellipsis: "…"}
)

// laid returns the lines of a page, without trailing spaces.
func laid(o Options, width int, blocks ...document.Block) []string {
	o.Width = width
	var out []string
	for _, l := range Lay(blocks, o).Lines {
		out = append(out, strings.TrimRight(l.String(), " "))
	}
	return out
}

func entry(label, text string) document.ListItem {
	return document.ListItem{Label: say(label), Text: say(text)}
}

func TestPagesInLines(t *testing.T) {
	for name, tt := range map[string]struct {
		width  int
		blocks []document.Block
		want   []string
	}{
		"a heading stands free": {40, []document.Block{
			document.Heading{Level: 1, Text: say("First")}, document.Paragraph{Text: say("text")},
			document.Heading{Level: 2, Text: say("Second")},
		}, []string{"First", "text", "", "Second"}},
		"labels hang": {40, []document.Block{document.List{Kind: document.Fields, Entries: []document.ListItem{
			entry("do", "raise the limit, or look for a leak first"), entry("because", "it was killed"),
		}}}, []string{"  do", "    raise the limit, or look for a leak", "    first", "  because", "    it was killed"}},
		"labels hang where there is room": {
			55, []document.Block{document.List{Kind: document.Fields, Entries: []document.ListItem{
				entry("do", "raise the limit, or look for a leak first"), entry("because", "it was killed"),
			}}}, []string{"  do       raise the limit, or look for a leak first", "  because  it was killed"}},
		"a chain has its times": {60, []document.Block{document.List{Kind: document.Chain, Entries: []document.ListItem{
			{Label: say("root cause"), At: "08:00:00", Text: say("the limit was reached")},
			{Label: say("effect"), Text: say("the kernel killed it, and it started again")},
		}}}, []string{"  08:00:00  root cause  the limit was reached",
			"            effect      the kernel killed it, and it started", "                        again"}},
		"a chain without times": {60, []document.Block{document.List{Kind: document.Chain,
			Entries: []document.ListItem{entry("root cause", "it"), entry("effect", "that")}}},
			[]string{"  root cause  it", "  effect      that"}},
		"bullets hang": {
			16, []document.Block{document.List{Entries: []document.ListItem{{Text: say("one two three four")},
				entry("label", "five")}}},
			[]string{"  • one two", "    three four", "  • label: five"}},
		"numbers are those that are cited": {30, []document.Block{document.List{Kind: document.Numbered,
			Entries: []document.ListItem{{Number: 8, Text: say("a")}, {Number: 9, Text: say("b")}, {Text: say("more")}},
		}}, []string{"  [8] a", "  [9] b", "  • more"}},
		"what belongs below, a command with its prompt": {40, []document.Block{document.List{Entries: []document.ListItem{
			{Text: say("look"), Below: []document.Text{say("more of it"),
				document.In(document.Command, "kubectl get pods --all-namespaces -o wide")}},
		}}}, []string{"  • look", "    more of it", "    $ kubectl get pods --all-namespaces", "      -o wide"}},
		"tables": {40, []document.Block{document.Table{Heads: []string{"NAME", "AGE"}, Rows: []document.Row{
			{Cells: []document.Text{say("web"), say("3h")}}, {Cells: []document.Text{say("a-longer-name"), nil}},
		}, More: "1 more"}}, []string{"NAME            AGE", "web             3h", "a-longer-name   -", "1 more"}},
		"the last column is cut": {60, []document.Block{document.Table{Heads: []string{"N", "TEXT"}, Rows: []document.Row{
			{Cells: []document.Text{say("1"), say("a sentence that is much too long for the line in which it is to stand")}},
		}}}, []string{"N   TEXT", "1   a sentence that is much too long for the line in which …"}},
		"a last column with too little room stands below": {
			30, []document.Block{document.Table{Heads: []string{"N", "TEXT"}, Rows: []document.Row{
				{Cells: []document.Text{say("1"), say("a sentence that is much too long")}},
				{Cells: []document.Text{say("2"), nil}},
			}}}, []string{"N", "  TEXT", "1", "  a sentence that is much too", "  long", "2", "  -"}},
		"columns that do not fit beside each other": {
			21, []document.Block{document.Table{Heads: []string{"NAME", "CAUSE", "AGE", "TEXT"}, Rows: []document.Row{
				{Cells: []document.Text{say("web-0"), say("out-of-memory"), say("3h"), say("killed")}},
				{Cells: []document.Text{say("db"), say("exit")}},
			}}}, []string{"NAME    CAUSE", "  AGE", "  TEXT", "web-0   out-of-memory", "  3h", "  killed", "db      exit"}},
		"wide glyphs keep the columns": {
			40, []document.Block{document.Table{Heads: []string{"N", "TEXT"}, Rows: []document.Row{
				{Cells: []document.Text{say("名前"), say("x")}}, {Cells: []document.Text{say("ab"), say("y")}},
			}}}, []string{"N      TEXT", "名前   x", "ab     y"}},
		"a row may have fewer cells than the table": {
			40, []document.Block{document.Table{Heads: []string{"N", "TEXT"},
				Rows: []document.Row{{Cells: []document.Text{say("1")}}}}},
			[]string{"N   TEXT", "1"}},
	} {
		if d := cmp.Diff(tt.want, laid(marks, tt.width, tt.blocks...)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestCommandsStayOnOneLineWhereAsked(t *testing.T) {
	o := marks
	o.Whole = true
	command := strings.Repeat("kubectl get pods ", 5)
	block := document.List{Entries: []document.ListItem{{Text: say("look"),
		Below: []document.Text{document.In(document.Command, command)}}}}
	if got := laid(o, 30, block); len(got) != 2 {
		t.Errorf("got %q", got)
	}
}

// nested returns a section that is folded, folds within it, and one after it.
func nested() []document.Block {
	fold := func(name string, level int, inside ...document.Block) document.Fold {
		return document.Fold{Summary: say(name), Level: level,
			Blocks: append([]document.Block{document.Paragraph{Text: say("in " + name)}}, inside...)}
	}
	return []document.Block{document.Paragraph{Text: say("text")}, fold("a", 2, fold("b", 0, fold("c", 0)), fold("d", 0)),
		fold("e", 2)}
}

func TestFolds(t *testing.T) {
	for name, tt := range map[string]struct {
		open string
		want []string
	}{
		"all": {"abcde", []string{"text", "", "▾ a", "in a", "▾ b", "  in b",
			"  ▾ c", "    in c", "▾ d", "  in d", "", "▾ e", "in e"}},
		"none":      {"", []string{"text", "", "▸ a", "", "▸ e"}},
		"the outer": {"ae", []string{"text", "", "▾ a", "in a", "▸ b", "▸ d", "", "▾ e", "in e"}},
		"the inner": {"bcd", []string{"text", "", "▸ a", "", "▸ e"}},
		"a nil Open": {"nil", []string{"text", "", "▾ a", "in a", "▾ b", "  in b",
			"  ▾ c", "    in c", "▾ d", "  in d", "", "▾ e", "in e"}},
	} {
		o := marks
		if tt.open != "nil" {
			o.Open = func(f *document.Fold, _ int) bool { return strings.Contains(tt.open, f.Summary.String()) }
		}
		if d := cmp.Diff(tt.want, laid(o, 40, nested()...)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	o := marks
	o.Open, o.Closed = func(*document.Fold, int) bool { return false }, " (-v shows it)"
	if got := laid(o, 40, nested()...); got[2] != "▸ a (-v shows it)" {
		t.Errorf("got %q", got)
	}
}

// A fold has the same number whether those before it are open or not.
func TestAFoldKeepsItsNumber(t *testing.T) {
	for _, open := range []string{"", "a", "ab", "abcde"} {
		got := map[string]int{}
		o := marks
		o.Open = func(f *document.Fold, n int) bool {
			got[f.Summary.String()] = n
			return strings.Contains(open, f.Summary.String())
		}
		page := Lay(nested(), o)
		for name, n := range got {
			if want := strings.Index("abcde", name); n != want {
				t.Errorf("with %q open, %s is number %d, want %d", open, name, n, want)
			}
		}
		if last := page.Stops[len(page.Stops)-1]; last.Fold != 4 {
			t.Errorf("with %q open, the last stop folds number %d", open, last.Fold)
		}
	}
}

// Stops are where an anchor leads somewhere, sections the first below a heading.
func TestStops(t *testing.T) {
	leads := document.Anchor{Copy: "x"}
	page := Lay([]document.Block{
		document.Paragraph{Text: say("no stop")}, document.Heading{Level: 2, Text: say("one")},
		document.List{Entries: []document.ListItem{{Text: say("a b c d e f"), Anchor: leads},
			{Text: say("g")}, {Text: say("h"), Anchor: leads}}},
		document.Heading{Level: 2, Text: say("two")},
		document.Table{Heads: []string{"H"}, Rows: []document.Row{{Cells: []document.Text{say("r")}, Anchor: leads}}},
	}, Options{Width: 10, Bullet: "-"})
	var got []string
	for _, s := range page.Stops {
		got = append(got, fmt.Sprintf("%d-%d %v", s.First, s.End, s.Section))
	}
	if d := cmp.Diff([]string{"3-5 true", "6-7 false", "10-11 true"}, got); d != "" {
		t.Errorf("%s\n%v", d, page.Lines)
	}
	if !page.Titles[2] || !page.Titles[8] || len(page.Titles) != 2 {
		t.Errorf("titles: %v", page.Titles)
	}
}
