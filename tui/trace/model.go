// Package trace is the pane of the kubelet's decision: every question that its
// code asked about a pod, function by function, what was answered and why, what
// followed, and whether the outcome is what happened.
//
// It is pure state: New, Do, Resize, Lines. It may import analyzer/report, tui/look
// and tui/pane. What never enters: keys, I/O, and any judgement: what agrees and
// what differs the report says.
package trace

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// Model is one decision, and which of its functions are folded.
type Model struct {
	look     look.Look
	decision *report.Decision
	groups   []group
	list     pane.List
	head     []pane.Line

	width, height int
}

// group is a run of questions that one function asks.
type group struct {
	from, to int // branches
	depth    int
	// again is true where the function went on after another one that it called.
	again  bool
	folded bool
	yes    int // how many of its questions were answered with yes
}

// New makes the pane, with the cursor on the first question that was answered with
// yes. Functions without a yes begin folded. A decision of nil is said to be unknown.
func New(k look.Look, d *report.Decision) Model {
	m := Model{look: k, decision: d, width: 80, height: 24}
	if d == nil {
		m.layout()
		return m
	}
	for i := range d.Branches {
		b := &d.Branches[i]
		n := len(m.groups)
		if n == 0 || d.Branches[m.groups[n-1].from].Function != b.Function || m.groups[n-1].depth != b.Depth {
			m.groups = append(m.groups, group{from: i, depth: b.Depth, again: m.goesOn(b)})
			n++
		}
		m.groups[n-1].to = i + 1
		if b.Answer {
			m.groups[n-1].yes++
		}
	}
	m.fold()
	m.layout()
	m.list.Do(pane.Top)
	m.list.Do(pane.Next)
	return m
}

// goesOn tells whether the function of a branch was interrupted only by what it
// called itself.
func (m *Model) goesOn(b *report.Branch) bool {
	for n := len(m.groups) - 1; n >= 0; n-- {
		if g := &m.groups[n]; g.depth <= b.Depth {
			return g.depth == b.Depth && m.decision.Branches[g.from].Function == b.Function
		}
	}
	return false
}

// fold folds the functions in which no question was answered with yes, nor in one
// that they called.
func (m *Model) fold() {
	for i := range m.groups {
		_, yes := m.count(i)
		m.groups[i].folded = yes == 0
	}
}

// count sums up the questions of a group and of what it called, and those of them
// that were answered with yes.
func (m *Model) count(i int) (questions, yes int) {
	for n := i; n < len(m.groups) && (n == i || m.groups[n].depth > m.groups[i].depth); n++ {
		questions += m.groups[n].to - m.groups[n].from
		yes += m.groups[n].yes
	}
	return questions, yes
}

// Resize sets the room of the pane, in cells.
func (m *Model) Resize(width, height int) {
	m.width, m.height = max(width, 0), max(height, 0)
	m.layout()
}

// Do takes an action: the cursor moves from question to question; Next and Previous
// stop at those answered with yes; Toggle folds and unfolds the function under the
// cursor, Left folds, Right unfolds it; ZoomIn unfolds and ZoomOut folds all, Fit
// folds functions without a yes.
func (m *Model) Do(a pane.Action) {
	g := m.current()
	switch a {
	case pane.Toggle:
		if g >= 0 {
			m.setFolded(g, !m.groups[g].folded)
		}
	case pane.Left:
		if g >= 0 {
			m.setFolded(g, true)
		}
	case pane.Right:
		if g >= 0 {
			m.setFolded(g, false)
		}
	case pane.ZoomIn, pane.ZoomOut:
		for i := range m.groups {
			m.groups[i].folded = a == pane.ZoomOut
		}
		m.refold(g)
	case pane.Fit:
		m.fold()
		m.refold(g)
	default:
		m.list.Do(a)
	}
}

// current returns the group under the cursor, or -1.
func (m *Model) current() int {
	key := m.list.Key()
	if key < 0 {
		return -1
	}
	if g := key - m.headings(); g >= 0 && g < len(m.groups) {
		return g
	}
	for i := range m.groups {
		if key >= m.groups[i].from && key < m.groups[i].to {
			return i
		}
	}
	return -1
}

func (m *Model) setFolded(g int, folded bool) {
	m.groups[g].folded = folded
	m.refold(g)
}

// refold lays out anew; a cursor whose question is folded away goes to its function.
func (m *Model) refold(g int) {
	if g >= 0 && m.groups[g].folded {
		m.list.Select(m.headings() + g)
	}
	m.layout()
}

// Keys of the list: branches by their number, then groups, then what was supposed
// and assumed.
func (m *Model) headings() int {
	if m.decision == nil {
		return 0
	}
	return len(m.decision.Branches)
}

func (m *Model) premises() int { return m.headings() + len(m.groups) }

// Lines draws the pane: exactly as many lines as it is high, none wider than it is.
func (m *Model) Lines() []string {
	out := make([]string, 0, m.height)
	for i := range m.head {
		out = append(out, m.head[i].Render(&m.look, m.width))
	}
	return append(out, m.list.View(&m.look, m.width)...)
}

// Evidence returns nothing: a branch of the kubelet's code rests on the facts that
// it names, and those on the item's own evidence.
func (m *Model) Evidence() []string { return nil }
