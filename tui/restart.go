package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/hashpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
	"github.com/restartwhy/kubectl-restartwhy/tui/timelineview"
)

// restartScreen is one restart: its verdict, the evidence, and its story from
// three sides.
type restartScreen struct {
	ds       *dataset
	item     int32
	from     *table // the list that it was opened from, for the next one
	pane     int
	pages    [restartPanes]page // those of text
	timeline *timelineview.Model
	detail   *report.ItemDetail
	trouble  string // why there is no story
}

const (
	restartVerdict = iota
	restartEvidence
	restartTimeline
	restartDecision
	restartHashes
	restartPanes
)

// detailReady brings what a DetailProvider said about an item.
type detailReady struct {
	to     *restartScreen
	ds     *dataset
	item   int32
	detail *report.ItemDetail
	err    error
}

// ask has the detail worked out beside the drawing.
func (s *restartScreen) ask() tea.Cmd {
	s.detail, s.trouble, s.timeline = nil, "", nil
	ds, item := s.ds, s.item
	if ds.details == nil {
		s.trouble = "only the report is available here, and it does not include this"
		return nil
	}
	return func() tea.Msg {
		detail, err := ds.details.ItemDetail(ds.report.Items[item].ID)
		return detailReady{s, ds, item, detail, err}
	}
}

func (t detailReady) into() {
	s := t.to
	if s.ds != t.ds || s.item != t.item {
		return // the reader went on
	}
	s.detail, s.timeline = t.detail, nil
	if t.err != nil {
		s.trouble = t.err.Error()
	}
}

func (s *restartScreen) it() *report.Item { return &s.ds.report.Items[s.item] }

func (s *restartScreen) title(*frame) string {
	it := s.it()
	return strings.TrimSuffix(it.Namespace+"/"+it.Pod+"/"+it.Container, "/")
}

func (s *restartScreen) position() string {
	if p := s.page(); p != nil {
		return p.Position()
	}
	return ""
}

func (s *restartScreen) panes() ([]string, int) {
	return []string{"Verdict", "Evidence", "Timeline", "Decision", "Hashes"}, s.pane
}

func (s *restartScreen) turn(pane int) { s.pane = pane }

// page is the text that is shown, nil where the timeline is.
func (s *restartScreen) page() *page {
	if s.pane == restartTimeline && s.timeline != nil {
		return nil
	}
	return &s.pages[s.pane]
}

func (s *restartScreen) typist() typist {
	if p := s.page(); p != nil {
		return p
	}
	return nil
}

// find looks evidence up in the report and in the story.
func (s *restartScreen) find(id string) *report.Evidence {
	if e := s.ds.find(id); e != nil || s.detail == nil {
		return e
	}
	return pick(s.detail.Evidence, id)
}

// repaint makes the timeline again, in the present theme.
func (s *restartScreen) repaint() { s.timeline = nil }

// rebase finds the restart again in a newer dataset; one that is gone stays as it
// was.
func (s *restartScreen) rebase(ds *dataset) tea.Cmd {
	again := ds.again(s.it())
	if again == none {
		return nil
	}
	newer := ds.report != s.ds.report
	s.ds, s.item = ds, again
	if !newer {
		return nil
	}
	return s.ask()
}

func (s *restartScreen) lay(f *frame) {
	if s.detail != nil && s.timeline == nil && len(s.detail.Lanes) > 0 {
		l := timelineview.New(f.look, timelineview.OfStory(s.detail))
		s.timeline = &l
	}
	if s.timeline != nil {
		s.timeline.Resize(f.width, f.body)
	}
	if p := s.page(); p != nil {
		p.show(f, s.blocks())
	}
}

// blocks are the text of the pane that is shown.
func (s *restartScreen) blocks() []document.Block {
	switch s.pane {
	case restartVerdict:
		return present.Item(s.it(), s.find, present.ItemOptions{Level: 2, When: true})
	case restartEvidence:
		return present.EvidenceList(s.it(), s.find)
	case restartDecision:
		if s.detail != nil && s.detail.Decision != nil {
			return present.Decision(s.detail.Decision)
		}
	case restartHashes:
		if s.detail != nil && s.detail.Hashes != nil {
			return hashpage.Hashes(s.detail.Hashes)
		}
	}
	return []document.Block{note(s.lacking())}
}

// lacking says why a pane is empty.
func (s *restartScreen) lacking() string {
	what := map[int]string{
		restartTimeline: "timeline", restartDecision: "decision of the kubelet", restartHashes: "hash",
	}[s.pane]
	switch {
	case s.trouble != "":
		return "no " + what + ": " + s.trouble
	case s.detail == nil:
		return "reading the " + what
	case s.pane == restartDecision:
		return "no decision: the pod's spec or the kubelet's version is not in the evidence"
	case s.pane == restartHashes:
		return "no hash: no stored hash of this container is in the evidence; " +
			"the runtime keeps it, so it needs evidence of the node"
	}
	return "no timeline: nothing in the evidence about this restart has a time"
}

func (s *restartScreen) body(*frame) []string {
	if p := s.page(); p != nil {
		return p.Lines()
	}
	return s.timeline.Lines()
}

func (s *restartScreen) cite(ids []string) asks { return showing(ids, s.ds, s.find, s) }

func (s *restartScreen) press(f *frame, msg tea.KeyPressMsg) asks {
	switch k := &f.keys; {
	case key.Matches(msg, k.Next):
		return s.walk(+1)
	case key.Matches(msg, k.Previous):
		return s.walk(-1)
	case key.Matches(msg, k.Node):
		if s.it().Node == "" {
			return asks{notice("the node is not known")}
		}
		return asks{pushed{newNode(f.ds, s.it().Node)}}
	}
	if p := s.page(); p != nil {
		return p.press(f, msg, s.cite)
	}
	return pressTimeline(&f.keys, s.timeline, msg, s.cite)
}

// walk shows the next restart of the list in a direction, with the same pane.
func (s *restartScreen) walk(step int) asks {
	i := s.from.step(step)
	if i == none {
		if step < 0 {
			return asks{notice("this is the first one of the list")}
		}
		return asks{notice("this is the last one of the list")}
	}
	s.ds, s.item = s.from.ds, i
	for n := range s.pages { // a search goes on
		s.pages[n].Pager = pager.Pager{}
	}
	return asks{s.ask(), changed{}}
}

func (s *restartScreen) click(_ *frame, line int) asks {
	if p := s.page(); p != nil {
		was := p.Cursor()
		if p.Click(line) && p.Cursor() == was && !p.Toggle() && len(p.At().Evidence) > 0 {
			return s.cite(p.At().Evidence)
		}
	}
	return nil
}

func (s *restartScreen) here(f *frame) place {
	it := s.it()
	p := place{ds: s.ds, items: []int32{s.item}, command: s.ds.itemCommand(it), cause: it.Verdict.Cause}
	var ids []string
	if text := s.page(); text != nil {
		at := text.At()
		if at == nil {
			return p
		}
		ids = at.Evidence
		if at.Cause != "" {
			p.cause = at.Cause
		}
		p.copied, p.called = text.Said(), "the line"
		if at.Copy != "" {
			p.copied = at.Copy
		}
		switch {
		case at.Copy != "": // a command
			return p
		case s.pane == restartVerdict && text.First():
			p.copied, p.called = itemLine(it), "the verdict"
			return p
		}
	} else {
		ids = s.timeline.Evidence()
	}
	if text := quote(ids, s.find); text != "" {
		p.copied, p.called = text, "the evidence"
	}
	return p
}

// quote is evidence as text, one piece a line.
func quote(ids []string, find func(string) *report.Evidence) string {
	var lines []string
	for _, id := range ids {
		if e := find(id); e != nil {
			lines = append(lines, present.EvidenceLine(e))
		}
	}
	return strings.Join(lines, "\n")
}

func (s *restartScreen) hints(k *KeyMap) []key.Binding {
	switch s.pane {
	case restartTimeline:
		return []key.Binding{k.Open, k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Copy}
	case restartDecision, restartHashes:
		return []key.Binding{k.Fold, k.Back, k.NextTab, k.NextMark, k.search()}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Next, k.search(), k.Explain, k.Copy, k.Write, k.Node}
}
