package screens

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/hashpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
	"github.com/restartwhy/kubectl-restartwhy/tui/pager"
)

// restartScreen is one restart: its verdict with the evidence, and its detail in three panes.
type restartScreen struct {
	detailed[report.ItemDetail]
	item int32
	from *table // the list that it was opened from, to move to the next one
}

// NewRestart shows a restart; all of its report is the list.
func NewRestart(ds *dataset.Dataset, item int32) screen.Screen {
	return restartOf(newTable(ds, dataset.ByItem, nil), item)
}

// restartOf shows a restart of a list.
func restartOf(from *table, item int32) *restartScreen {
	s := &restartScreen{item: item, from: from}
	s.begin(s, from.Data, restartTimeline, []string{"Verdict", "Timeline", "Decision", "Hashes"})
	return s
}

const (
	restartVerdict = iota
	restartTimeline
	restartDecision
	restartHashes
)

func (s *restartScreen) Ask() tea.Cmd {
	id := s.it().ID
	return s.request(func(p report.DetailProvider) (*report.ItemDetail, error) { return p.ItemDetail(id) },
		func(d *report.ItemDetail) report.Activity { return d.Activity })
}

func (s *restartScreen) it() *report.Item { return &s.ds.Report.Items[s.item] }

func (s *restartScreen) Title(*screen.Frame) string {
	it := s.it()
	return strings.TrimSuffix(it.Namespace+"/"+it.Pod+"/"+it.Container, "/")
}

// Rebase finds the restart again in a newer dataset; one that is gone keeps its content.
func (s *restartScreen) Rebase(ds *dataset.Dataset) tea.Cmd {
	again := ds.Again(s.it())
	if again == dataset.None {
		return nil
	}
	newer := ds.Report != s.ds.Report
	s.ds, s.item = ds, again
	if !newer {
		return nil
	}
	return s.Ask()
}

func (s *restartScreen) Lay(f *screen.Frame) {
	s.layTimeline(f)
	s.pages[s.shown].Lay(f, s.blocks())
}

func (s *restartScreen) blocks() []document.Block {
	switch s.shown {
	case restartVerdict:
		return present.Item(s.it(), s.find, present.ItemOptions{Level: 2, When: true})
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
	}[s.shown])
}

func (s *restartScreen) Press(f *screen.Frame, msg tea.KeyPressMsg) screen.Asks {
	switch k := &f.Keys; {
	case key.Matches(msg, k.Next):
		return s.walk(+1)
	case key.Matches(msg, k.Previous):
		return s.walk(-1)
	case key.Matches(msg, k.Node):
		if s.it().Node == "" {
			return screen.Say("the node is not known")
		}
		return screen.Push(newNode(f.Data, s.it().Node))
	}
	return s.Pane.Press(f, msg)
}

// walk shows the next restart of the list in a direction, in the same pane.
func (s *restartScreen) walk(step int) screen.Asks {
	i := s.from.step(step)
	if i == dataset.None {
		if step < 0 {
			return screen.Say("this is the first one of the list")
		}
		return screen.Say("this is the last one of the list")
	}
	s.ds, s.item = s.from.Data, i
	for n := range s.pages { // a search stays active
		s.pages[n].Pager = pager.Pager{}
	}
	return screen.Asks{s.Ask(), screen.Changed{}}
}

func (s *restartScreen) Here(f *screen.Frame) screen.Selection {
	it, p := s.it(), s.Pane.Here(f)
	p.Data, p.Items, p.Command = s.ds, []int32{s.item}, s.ds.ItemCommand(it)
	p.Cause = cmp.Or(p.Cause, it.Verdict.Cause)
	text := &s.pages[restartVerdict]
	if at := text.At(); s.shown == restartVerdict && text.First() && at != nil && at.Copy == "" {
		p.Copied, p.Called = itemLine(it), "the verdict"
	}
	return p
}

func (s *restartScreen) Hints(k *screen.KeyMap) []key.Binding {
	switch s.shown {
	case restartTimeline:
		return []key.Binding{k.Open, k.Back, k.NextTab, k.NextMark, k.ZoomIn, k.ZoomOut, k.Copy}
	case restartDecision, restartHashes:
		return []key.Binding{k.Fold, k.Back, k.NextTab, k.NextMark, k.Search()}
	}
	return []key.Binding{k.Open, k.Back, k.NextTab, k.Next, k.Search(), k.Explain, k.Copy, k.Write, k.Node}
}
