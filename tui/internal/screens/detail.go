package screens

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/timelineview"
)

// detailed is what the screens of a restart and of a node share: panes of text, and the timeline that a DetailProvider
// computes in the background. D is its answer.
type detailed[D any] struct {
	panes
	ds    *dataset.Dataset
	pages []screen.TextPage // of the panes; that of the timeline explains its absence
	// timelineAt is the index of the timeline's pane.
	timelineAt int
	timeline   *timelineview.Model
	detail     *D
	around     report.Activity // of detail
	trouble    string          // why there is no detail
	asked      int             // numbers the requests: an answer to an earlier one is outdated
}

// detailReady is the answer of a DetailProvider.
type detailReady[D any] struct {
	to     *detailed[D]
	asked  int
	detail *D
	around report.Activity
	err    error
}

// request computes the detail in the background. around is the timeline of an answer.
func (s *detailed[D]) request(work func(report.DetailProvider) (*D, error), around func(*D) report.Activity) tea.Cmd {
	s.detail, s.timeline, s.around, s.trouble = nil, nil, report.Activity{}, ""
	s.asked++
	provider, asked := s.ds.Details, s.asked
	if provider == nil {
		s.trouble = "only the report is available here, and it does not include this"
		return nil
	}
	return func() tea.Msg {
		r := detailReady[D]{to: s, asked: asked}
		if r.detail, r.err = work(provider); r.detail != nil {
			r.around = around(r.detail)
		}
		return r
	}
}

func (r detailReady[D]) Into() {
	s := r.to
	if s.asked != r.asked {
		return // the user moved on
	}
	s.detail, s.around, s.timeline = r.detail, r.around, nil
	if r.err != nil {
		s.trouble = r.err.Error()
	}
}

func (s *detailed[D]) Repaint() { s.timeline = nil }

// page is the text that is shown, nil where the timeline is.
func (s *detailed[D]) page() *screen.TextPage {
	if s.shown == s.timelineAt && s.timeline != nil {
		return nil
	}
	return &s.pages[s.shown]
}

func (s *detailed[D]) position() string {
	if p := s.page(); p != nil {
		return p.Position()
	}
	return ""
}

func (s *detailed[D]) typist() screen.Typist {
	if p := s.page(); p != nil {
		return p
	}
	return nil
}

func (s *detailed[D]) find(id string) *report.Evidence {
	if e := s.ds.Find(id); e != nil {
		return e
	}
	return pick(s.around.Evidence, id)
}

// lacking explains an empty pane: pane is its purpose, and what to say if that is not in the evidence.
func (s *detailed[D]) lacking(pane [2]string) []document.Block {
	switch {
	case s.trouble != "":
		return []document.Block{document.Note("no " + pane[0] + ": " + s.trouble)}
	case s.detail == nil:
		return []document.Block{document.Note("reading the " + pane[0])}
	}
	return []document.Block{document.Note(pane[1])}
}

func (s *detailed[D]) layTimeline(f *screen.Frame) {
	if s.timeline == nil && len(s.around.Lanes) > 0 {
		s.timeline = new(timelineview.New(f.Look, s.around))
	}
	if s.timeline != nil {
		s.timeline.Resize(f.Width, f.Body)
	}
}

func (s *detailed[D]) body(*screen.Frame) []string {
	if p := s.page(); p != nil {
		return p.Lines()
	}
	return s.timeline.Lines()
}

// pressPane handles the keys of a page or of the timeline. Enter opens the evidence under the cursor.
func (s *detailed[D]) pressPane(f *screen.Frame, msg tea.KeyPressMsg, of screen.Screen) screen.Asks {
	cite := func(ids []string) screen.Asks { return showing(ids, s.ds, s.find, of) }
	if p := s.page(); p != nil {
		return p.Press(f, msg, cite)
	}
	if key.Matches(msg, f.Keys.Open) {
		if ids := s.timeline.Evidence(); len(ids) > 0 {
			return cite(ids)
		}
		return screen.Say("no evidence is cited here")
	}
	a, ok := f.Keys.Action(msg)
	if ok {
		s.timeline.Do(a)
	}
	return screen.Taken(ok)
}

// clickPane selects a line of a page; a second click opens what it cites.
func (s *detailed[D]) clickPane(line int, of screen.Screen) screen.Asks {
	if p := s.page(); p != nil && p.Click(line) && !p.Toggle() && len(p.At().Evidence) > 0 {
		return showing(p.At().Evidence, s.ds, s.find, of)
	}
	return nil
}

// under is what `y` copies: the command, the evidence or the line under the cursor.
func (s *detailed[D]) under() (text, called string) {
	p := s.page()
	if p == nil {
		return quote(s.timeline.Evidence(), s.find), "the evidence"
	}
	at := p.At()
	switch {
	case at == nil:
		return "", ""
	case at.Copy != "":
		return at.Copy, "the line"
	}
	if text := quote(at.Evidence, s.find); text != "" {
		return text, "the evidence"
	}
	return p.Said(), "the line"
}

func quote(ids []string, find func(string) *report.Evidence) string {
	var lines []string
	for _, id := range ids {
		if e := find(id); e != nil {
			lines = append(lines, present.EvidenceLine(e))
		}
	}
	return strings.Join(lines, "\n")
}

// pick returns the evidence with an id, nil if there is none.
func pick(all []report.Evidence, id string) *report.Evidence {
	for i := range all {
		if all[i].ID == id {
			return &all[i]
		}
	}
	return nil
}
