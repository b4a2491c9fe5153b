package screens

import (
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// evidenceScreen shows one piece of evidence, raw, in context: the lines of the same log before and after it.
type evidenceScreen struct {
	screen.TextPage // the lines around it
	ds              *dataset.Dataset
	find            func(id string) *report.Evidence
	ids             []string // those that were cited together
	at              int
	reach           int // neighbours on each side
	around          []report.Evidence
	trouble         string
	head            []string
	placed          bool          // the view was centred on the evidence
	of              screen.Screen // the screen that cites it
}

const (
	firstReach = 8
	mostReach  = 512
)

func showing(ids []string, ds *dataset.Dataset, find func(id string) *report.Evidence, of screen.Screen) screen.Asks {
	s := &evidenceScreen{ds: ds, find: find, ids: ids, reach: firstReach, of: of}
	s.Open = func(at *document.Anchor) screen.Asks {
		if len(at.Evidence) != 1 || at.Evidence[0] == s.ids[s.at] {
			return screen.Asks{}
		}
		return showing(at.Evidence, ds, s.findAround, of)
	}
	return screen.Push(s)
}

// neighborsReady is the answer with the lines around a piece of evidence.
type neighborsReady struct {
	to     *evidenceScreen
	id     string
	reach  int
	around []report.Evidence
	err    error
}

func (s *evidenceScreen) Ask() tea.Cmd {
	s.trouble, s.placed = "", false
	if s.ds.Details == nil {
		s.trouble = "only the lines that verdicts cite are available here, not those around them"
		return nil
	}
	details, id, reach := s.ds.Details, s.ids[s.at], s.reach
	return func() tea.Msg {
		around, err := details.Neighbors(id, reach)
		return neighborsReady{s, id, reach, around, err}
	}
}

func (t neighborsReady) Into() {
	s := t.to
	if s.ids[s.at] != t.id || s.reach != t.reach {
		return
	}
	if s.around = t.around; s.around == nil {
		s.around = []report.Evidence{} // loaded, and there are none
	}
	if t.err != nil {
		s.trouble = t.err.Error()
	}
}

func (s *evidenceScreen) Title(*screen.Frame) string {
	if len(s.ids) == 1 {
		return "evidence"
	}
	return fmt.Sprintf("evidence %d of %d for this line", s.at+1, len(s.ids))
}

func (s *evidenceScreen) Lay(f *screen.Frame) {
	id := s.ids[s.at]
	e := s.findAround(id)
	head := []document.Block{document.Note(id + " is not in this report")}
	if e != nil {
		head = present.EvidenceHead(e)
	}
	head = append(head, document.Title(2, "In context"))
	switch {
	case s.trouble != "":
		head = append(head, document.Note(s.trouble))
	case s.around == nil:
		head = append(head, document.Note("reading the lines around it"))
	case len(s.around) < 2:
		head = append(head, document.Note("its source has no other lines"))
	}
	lines := pager.Draw(head, &f.Look, f.Width)
	s.head = lines[:min(len(lines), f.Body/2)]
	around := s.around
	if len(around) == 0 && e != nil {
		around = []report.Evidence{*e}
	}
	s.Show(f.Look, f.Width, max(f.Body-len(s.head), 1), present.Around(around, id))
	if !s.placed {
		s.placed = s.around != nil
		s.Find(func(a *document.Anchor) bool { return len(a.Evidence) == 1 && a.Evidence[0] == id })
	}
}

func (s *evidenceScreen) Body(*screen.Frame) []string {
	return append(slices.Clone(s.head), s.Lines()...)
}

func (s *evidenceScreen) Click(f *screen.Frame, line int) screen.Asks {
	return s.TextPage.Click(f, line-len(s.head))
}

func (s *evidenceScreen) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	k := &f.Keys
	switch {
	case key.Matches(msg, k.Next, k.Right), key.Matches(msg, k.Previous):
		step := 1
		if key.Matches(msg, k.Previous) {
			step = -1
		}
		if len(s.ids) == 1 {
			return screen.Say("the line cites only this")
		}
		s.at, s.around = (s.at+step+len(s.ids))%len(s.ids), nil
		s.Pager = pager.Pager{}
		return screen.Asks{s.Ask(), screen.Changed{}}
	case key.Matches(msg, k.ZoomIn) && s.reach < mostReach, key.Matches(msg, k.ZoomOut) && s.reach > 1:
		if s.reach *= 2; key.Matches(msg, k.ZoomOut) {
			s.reach /= 4
		}
		return screen.Asks{screen.Notice(report.Count(s.reach, "line") + " on each side"), s.Ask()}
	}
	return s.TextPage.Press(f, msg)
}

// findAround also finds the lines around it, which no report contains.
func (s *evidenceScreen) findAround(id string) *report.Evidence {
	if e := s.find(id); e != nil {
		return e
	}
	return pick(s.around, id)
}

// Here is the evidence, and for the rest what cites it.
func (s *evidenceScreen) Here(f *screen.Frame) screen.Selection {
	p := s.of.Here(f)
	p.Copied, p.Called = "", "the evidence"
	if at := s.At(); at != nil {
		p.Copied = at.Copy
	}
	return p
}

func (s *evidenceScreen) Hints(k *screen.KeyMap) []key.Binding {
	return []key.Binding{k.Back, k.ZoomIn, k.ZoomOut, k.Next, k.Copy, k.Search()}
}
