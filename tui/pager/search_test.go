package pager

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/tui/pane"

	"charm.land/lipgloss/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
)

func TestASearchGoesOnAndAround(t *testing.T) {
	p := shown("a.b.c.d.e.f.g.h.", 6)
	for n, step := range []struct {
		text string
		step int
		want string // the stop under the cursor
		line string // that is in view
	}{
		{"line-02", +1, "b", "line-02"}, {"LINE-1", +1, "f", "line-10"}, {"line-1", +1, "f", "line-11"},
		{"line-1", +1, "g", "line-12"},
		{"line-1", -1, "f", "line-11"}, {"line-0", +1, "a", "line-00"}, {"line-0", -1, "e", "line-09"},
		{"line-15", +1, "h", "line-15"},
		{"line-15", +1, "h", "line-15"}, {"line-0", +1, "a", "line-00"},
	} {
		if !p.Seek(step.text, step.step) || p.At().Copy != step.want || !strings.Contains(text(p), step.line) {
			t.Errorf("step %d, %q: on %q, in view %s", n, step.text, p.At().Copy, text(p))
		}
	}
	if p.Seek("nowhere", +1) || p.Seek(" ", +1) || p.At().Copy != "a" {
		t.Error("what is not there was found")
	}
}

func TestASearchBeginsAtTheCursor(t *testing.T) {
	p := shown("a.b.c.d.e.f.g.h.", 6)
	p.Do(pane.Down)
	p.Do(pane.Down)
	if p.Seek("line-0", +1); p.At().Copy != "c" {
		t.Errorf("on %q", p.At().Copy)
	}
	p.Do(pane.Down) // the reader goes on: the search does too, from there
	if p.Seek("line-0", +1); p.At().Copy != "d" {
		t.Errorf("from another place: on %q", p.At().Copy)
	}
}

func TestASearchSeesPastALineBreak(t *testing.T) {
	p := &Pager{}
	p.Show(plain(), 14, 3, []document.Block{
		document.Para("the kubelet killed it for good"),
		document.Para("another text"),
	})
	if !p.Seek("killed it for", +1) {
		t.Error("a text over two lines is not found")
	}
	if p.Show(plain(), 14, 3, append(pictured("a"), pictured("b")...)); p.Seek("line-00 line-00", +1) {
		t.Error("two stops are one text")
	}
}

func TestASearchOpensTheFoldsThatHoldIt(t *testing.T) {
	p := &Pager{}
	p.Show(plain(), 40, 20, folded())
	if !p.Seek("DEEP", +1) || text(p) != "first|▾ outer|shallow|▾ inner|deep|▾ other|open text" || p.At().Copy != "deep" {
		t.Errorf("%s", text(p))
	}
	p = &Pager{}
	p.Show(plain(), 40, 20, folded())
	if p.Seek("first", +1); strings.Contains(text(p), "shallow") {
		t.Error("a fold without it was opened")
	}
}

func TestWhatIsFoundIsMarkedUntilItIsForgotten(t *testing.T) {
	k := plain()
	k.Lit = lipgloss.NewStyle().Bold(true)
	p := &Pager{}
	p.Show(k, 40, 10, []document.Block{document.Para("one Two one two")})
	p.Seek("two", +1)
	if got := p.Lines()[0]; strings.Count(got, "\x1b[1m") != 2 || !strings.Contains(got, "\x1b[1mTwo\x1b[m") {
		t.Errorf("got %q", got)
	}
	if p.Forget(); strings.Contains(p.Lines()[0], "\x1b[1m") {
		t.Error("it is still marked")
	}
}
