package tui

import (
	"cmp"
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

// restartScreen is one restart: its verdict, the evidence, and its detail from three sides.
type restartScreen struct {
	detailed[report.ItemDetail]
	item int32
	from *table // the list that it was opened from, for the next one
}

func newRestart(ds *dataset, item int32, from *table) *restartScreen {
	s := &restartScreen{item: item, from: from}
	s.ds, s.pages, s.timelineAt = ds, make([]page, restartPanes), restartTimeline
	return s
}

const (
	restartVerdict = iota
	restartEvidence
	restartTimeline
	restartDecision
	restartHashes
	restartPanes
)

func (s *restartScreen) ask() tea.Cmd {
	id := s.it().ID
	return s.request(func(p report.DetailProvider) (*report.ItemDetail, error) { return p.ItemDetail(id) },
		func(d *report.ItemDetail) (timelineview.Data, []report.Evidence) {
			return timelineview.OfStory(d), d.Evidence
		})
}

func (s *restartScreen) it() *report.Item { return &s.ds.report.Items[s.item] }

func (s *restartScreen) title(*frame) string {
	it := s.it()
	return strings.TrimSuffix(it.Namespace+"/"+it.Pod+"/"+it.Container, "/")
}

func (s *restartScreen) panes() ([]string, int) {
	return []string{"Verdict", "Evidence", "Timeline", "Decision", "Hashes"}, s.pane
}

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
	s.layTimeline(f)
	if p := s.page(); p != nil {
		p.show(f, s.blocks())
	}
}

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
			return hashpage.Table(s.detail.Hashes, false)
		}
	}
	return s.lacking(map[int][2]string{
		restartTimeline: {"timeline", "no timeline: nothing in the evidence about this restart has a time"},
		restartDecision: {"decision of the kubelet",
			"no decision: the pod's spec or the kubelet's version is not in the evidence"},
		restartHashes: {"hash", "no hash: no stored hash of this container is in the evidence; " +
			"the runtime keeps it, so it needs evidence of the node"},
	}[s.pane])
}

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
	return s.pressPane(f, msg, s)
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

func (s *restartScreen) click(_ *frame, line int) asks { return s.clickPane(line, s) }

func (s *restartScreen) here(f *frame) place {
	it := s.it()
	p := place{ds: s.ds, items: []int32{s.item}, command: s.ds.itemCommand(it), cause: it.Verdict.Cause}
	p.copied, p.called = s.under()
	text := s.page()
	if text == nil || text.At() == nil {
		return p
	}
	at := text.At()
	p.cause = cmp.Or(at.Cause, p.cause)
	if s.pane == restartVerdict && text.First() && at.Copy == "" {
		p.copied, p.called = itemLine(it), "the verdict"
	}
	return p
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
