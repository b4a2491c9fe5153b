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
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
	"github.com/restartwhy/kubectl-restartwhy/tui/timelineview"
)

// detailed is what the screens of a restart and of a node share: panes of text, and the timeline that a DetailProvider
// computes in the background. D is its answer.
type detailed[D any] struct {
	panes
	of    screen.Screen // the screen itself
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

// begin makes a page for each of the names, before panes of another kind.
func (s *detailed[D]) begin(of screen.Screen, ds *dataset.Dataset, timelineAt int, names []string,
	more ...screen.Pane) {
	s.of, s.ds, s.timelineAt, s.pages = of, ds, timelineAt, make([]screen.TextPage, len(names)-len(more))
	all := make([]screen.Pane, len(s.pages), len(names))
	for n := range s.pages {
		p := &s.pages[n]
		p.Open = func(at *document.Anchor) screen.Asks { return s.open(p, at) }
		p.Chosen = func(at *document.Anchor) screen.Selection { return s.chosen(p, at) }
		all[n] = p
	}
	s.panes = panesOf(names, append(all, more...)...)
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

// layTimeline puts the timeline into its pane, as soon as there is one.
func (s *detailed[D]) layTimeline(f *screen.Frame) {
	if s.timeline == nil && len(s.around.Lanes) > 0 {
		s.timeline = new(timelineview.New(f.Look, s.around))
	}
	s.all[s.timelineAt] = &s.pages[s.timelineAt]
	if s.timeline != nil {
		s.timeline.Resize(f.Width, f.Body)
		s.all[s.timelineAt] = timelinePane{s.timeline, s.cite, s.find}
	}
	s.Turn(s.shown)
}

func (s *detailed[D]) cite(ids []string) screen.Asks {
	if len(ids) == 0 {
		return screen.Say("no evidence is cited here")
	}
	return showing(ids, s.ds, s.find, s.of)
}

// open opens the evidence under the cursor of a page, or folds.
func (s *detailed[D]) open(p *screen.TextPage, at *document.Anchor) screen.Asks {
	switch {
	case p.Toggle():
		return screen.Asks{}
	case len(at.Evidence) == 0 && at.Copy != "":
		return screen.Say("no evidence to show here; y copies it")
	}
	return s.cite(at.Evidence)
}

// chosen is the command, the evidence or the line under the cursor of a page.
func (s *detailed[D]) chosen(p *screen.TextPage, at *document.Anchor) screen.Selection {
	if at.Copy != "" {
		return screen.Selection{Copied: at.Copy, Called: "the line", Cause: at.Cause}
	}
	if text := quote(at.Evidence, s.find); text != "" {
		return screen.Selection{Copied: text, Called: "the evidence", Cause: at.Cause}
	}
	return screen.Selection{Copied: p.Said(), Called: "the line", Cause: at.Cause}
}

// timelinePane is a timeline as a pane.
type timelinePane struct {
	*timelineview.Model
	cite func(ids []string) screen.Asks
	find func(id string) *report.Evidence
}

func (timelinePane) Position() string                     { return "" }
func (timelinePane) Typist() screen.Typist                { return nil }
func (timelinePane) Click(*screen.Frame, int) screen.Asks { return nil }
func (p timelinePane) Body(*screen.Frame) []string        { return p.Lines() }

func (p timelinePane) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	if key.Matches(msg, f.Keys.Open) {
		return p.cite(p.Evidence())
	}
	a, ok := f.Keys.Action(msg)
	if ok {
		p.Do(a)
	}
	return screen.Taken(ok)
}

func (p timelinePane) Here(*screen.Frame) screen.Selection {
	return screen.Selection{Copied: quote(p.Evidence(), p.find), Called: "the evidence"}
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

// panes is the common part of screens with several panes: such a screen does what the pane that is shown does.
type panes struct {
	screen.Pane
	names []string
	all   []screen.Pane
	shown int
}

func panesOf(names []string, all ...screen.Pane) panes {
	return panes{Pane: all[0], names: names, all: all}
}

func (p *panes) Panes() ([]string, int) { return p.names, p.shown }
func (p *panes) Turn(pane int)          { p.shown, p.Pane = pane, p.all[pane] }

// List returns the rows of the table that is shown, nil for none.
func (p *panes) List() *pane.Rows {
	if t, ok := p.Pane.(*table); ok {
		return &t.Rows
	}
	return nil
}
