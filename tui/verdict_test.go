package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/sample"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/style"
)

// verdictOf opens the verdict of a report of one item, high enough for all of it.
func verdictOf(t testing.TB, item *report.Item, size string) *driver {
	t.Helper()
	r := &report.Report{Items: []report.Item{*item}, Evidence: []report.Evidence{
		{ID: "e1", Source: report.Source{Kind: "kernel", Node: "n1", Where: "kmsg"},
			Time: sample.At("07:59:59"), Text: "Memory cgroup out of memory"},
		{ID: "e2", Source: report.Source{Kind: "api"}, Statement: "container.record", Text: "exit code 137"},
		{ID: "e3", Source: report.Source{Kind: "kernel"}, Text: "Killed process 7"},
	}}
	r.Normalise()
	return drive(t, r, size)
}

// One restart is what was asked about: its verdict is there at once, and escape goes
// to the list.
func TestAReportOfOneRestartOpensItsVerdict(t *testing.T) {
	d := verdictOf(t, sample.Restart(), "80x24").sees("[1 Verdict]", "oom-container-limit (proven)", "Raise the limit")
	d.play("2").sees("[2 Timeline]") // its story was asked for
	d.play("] [").sees("of the list")
	d.play("esc").sees("[1 Overview]", "web-0/app")
	d.play("enter").sees("[1 Verdict]")
	d.play("esc esc esc").sees("[1 Overview]")
	two := &report.Report{Items: []report.Item{*sample.Restart(), *sample.Restart()}}
	two.Normalise()
	drive(t, two, "80x24").sees("[1 Overview]")
	// The first report of a collection opens too, unless the reader went elsewhere.
	one := &report.Report{Items: []report.Item{*sample.Restart()}}
	waitingFor(t, "80x24").bring(Update{Report: one, Details: details{one}}).sees("[1 Verdict]", "shop/web-0/app")
	waitingFor(t, "80x24").play("4").bring(Update{Report: one}).sees("[4 Causes]")
	waitingFor(t, "80x24").play("?").bring(Update{Report: one}).sees("help")
	drive(t, fixture(t), "80x24").bring(Update{Report: one}).sees("[1 Overview]")
}

// The order of the sections is that of a reader who may stop at any time.
func TestTheAnswerComesFirst(t *testing.T) {
	text := verdictOf(t, sample.Restart(), "100x80").screen()
	last := -1
	for _, section := range []string{
		"oom-container-limit (proven) · Error, exit 137 after 1h", "It needed more than its limit.",
		"What to do", "What happened", "Also possible",
		"What was not read", "Evidence", "The container", "Ruled out: 1 other cause",
	} {
		n := strings.Index(text, "  "+section+"\n")
		if n < 0 { // the first line has the cursor
			n = strings.Index(text, section)
		}
		if n <= last {
			t.Errorf("%q stands at %d, behind %d:\n%s", section, n, last, text)
		}
		last = n
	}
}

// What is ruled out is folded: at most of a verdict, and the least of what one reads.
func TestWhatIsRuledOutIsFolded(t *testing.T) {
	d := verdictOf(t, sample.Restart(), "100x80").misses("the kernel's record names it")
	d.play("G enter").sees("app-signal: the kernel's record names it [3]")
	d.play("space").misses("the kernel's record names it")
}

func TestEveryLineLeadsWhereItSays(t *testing.T) {
	d := verdictOf(t, sample.Restart(), "100x80")
	p := d.page()
	p.Go(p.Stops() - 1)
	p.Toggle()
	var got []string
	for n := range p.Stops() {
		p.Go(n)
		at := p.At()
		got = append(got, strings.TrimSpace(strings.Join(at.Evidence, " ")+" "+at.Cause+" "+at.Copy))
	}
	want := []string{
		"e1 e2 oom-container-limit",                           // the verdict: all of its proof
		"oom-container-limit raise the limit",                 // what to do
		"e1 oom-container-limit", "e1 e2 oom-container-limit", // the chain
		"e2 oom-node", "oom-container-limit dmesg",
		"e1 oom-container-limit", "e2 oom-container-limit", // the evidence
	}
	if strings.Join(got[:len(want)], "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if last := got[len(got)-2:]; last[0] != "e3 app-signal" || last[1] != "e3 oom-container-limit" {
		t.Errorf("at the end: %q", last)
	}
}

// A page stands between the title and the footer, with a column for the cursor.
func TestThereIsRoomForTheCursor(t *testing.T) {
	for _, size := range []string{"60x60", "80x60", "160x60"} {
		lines := strings.Split(verdictOf(t, sample.Restart(), size).screen(), "\n")
		for _, l := range lines[2 : len(lines)-2] {
			if l != "" && !strings.HasPrefix(l, "  ") && !strings.HasPrefix(l, "❯ ") {
				t.Errorf("%s: %q", size, l)
			}
		}
	}
}

func TestCausesThatOneFactRulesOutAreOneLine(t *testing.T) {
	it := sample.Restart()
	it.Verdict.Eliminated = report.Eliminations{
		{Causes: []string{"evicted-memory", "evicted-disk"}, Because: "the pod runs", Evidence: []string{"e1"}},
		{Causes: []string{"oom-node"}, Because: "no record", Evidence: []string{"e1"}},
		{Causes: []string{"evicted-pid"}, Because: "the pod runs", Evidence: []string{"e2"}},
	}
	verdictOf(t, it, "120x80").play("G enter").sees("evicted-memory, evicted-disk: the pod runs",
		"oom-node: no record", "evicted-pid: the pod runs")
}

// FuzzVerdict puts any text into a verdict: no line is wider than it may be, and
// nothing that is said gets lost.
func FuzzVerdict(f *testing.F) {
	f.Add("it needed more", "oom-node", 60)
	f.Add("界界界 界", "a b c", 80)
	f.Add(strings.Repeat("x", 500), "", 61)
	f.Add("e\u0301 👩‍👩‍👧‍👦", "x", 200)
	f.Fuzz(func(t *testing.T, text, cause string, width int) {
		if width < screen.MinWidth || width > 300 || len(text)+len(cause) > 4096 || unsafe(text) || unsafe(cause) {
			return
		}
		item := sample.Restart()
		v := &item.Verdict
		v.Summary, v.Cause, v.Chain[0].Text, v.Missing[0].Command, v.Actions[0] = text, cause, text, text, text
		v.Eliminated = report.Eliminations{{Causes: []string{cause}, Because: text}}
		blocks := present.Item(item, func(string) *report.Evidence { return nil },
			present.ItemOptions{Level: 2, RuledOut: true})
		var p pager.Pager
		p.Show(style.Theme{Glyphs: style.Unicode()}, width, 5000, blocks)
		lines := p.Lines()
		for _, l := range lines {
			if w := ansi.StringWidth(l); w > width {
				t.Fatalf("%q is %d wide, want at most %d", l, w, width)
			}
		}
		all := strings.ReplaceAll(ansi.Strip(strings.Join(lines, "")), " ", "")
		if want := strings.ReplaceAll(text, " ", ""); len(want) < width-30 && !strings.Contains(all, want) {
			t.Fatalf("%q is lost", text)
		}
	})
}

// unsafe reports whether a text could not stand in a report.
func unsafe(s string) bool {
	return strings.ToValidUTF8(s, "\x00") != s ||
		strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 })
}

// The page of every cause is read as it is written in the catalogue; here any text.
func FuzzCausePage(f *testing.F) {
	f.Add(causePage, 80)
	f.Add("```\nnever closed", 20)
	f.Add("| a |\n|-|\n#\n- \n* x\n\t```", 60)
	f.Fuzz(func(t *testing.T, source string, width int) {
		if width < screen.MinWidth || width > 300 || len(source) > 1<<14 ||
			unsafe(strings.NewReplacer("\n", "", "\t", "").Replace(source)) {
			return
		}
		k := style.Theme{Glyphs: style.Unicode()}
		for _, l := range pager.Draw(append(present.Page(source), document.Paragraph{}), &k, width) {
			if w := ansi.StringWidth(l); w > width {
				t.Fatalf("%q is %d wide, want at most %d", l, w, width)
			}
		}
	})
}
