// Package hashes is the pane of a container's hashes around one restart: the two
// that the runtime stored, which kubelets make them from which spec, what the
// present spec hashes to under each minor, and the fields that are known to differ.
//
// It is pure state: New, Do, Resize, Lines. It may import analyzer/report, tui/look
// and tui/pane. What never enters: keys, I/O, a hash function (the report brings
// every hash that is shown), and any judgement.
package hashes

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/look"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// Model is the pane: the hashes, and which section is folded.
type Model struct {
	look   look.Look
	hashes *report.Hashes
	list   pane.List
	head   []pane.Line
	folded [sections]bool

	width, height int
}

// The sections of the pane.
const (
	stored = iota
	minors
	fields
	sections
)

// Keys of the list: a section's heading is its number times span, its entries are
// those behind it.
const span = 1 << 16

// New makes the pane, with the cursor on the first stored hash. Hashes of nil are
// said to be unknown.
func New(k look.Look, h *report.Hashes) Model {
	m := Model{look: k, hashes: h, width: 80, height: 24}
	m.layout()
	m.list.Select(stored*span + 1)
	return m
}

// Resize sets the room of the pane, in cells.
func (m *Model) Resize(width, height int) {
	m.width, m.height = max(width, 0), max(height, 0)
	m.layout()
}

// Do takes an action: the cursor moves from row to row; Next and Previous stop at
// stored hashes and at the minors that make them; Toggle folds and unfolds the
// section under the cursor, Left folds, Right unfolds it; ZoomIn and Fit unfold,
// ZoomOut folds all.
func (m *Model) Do(a pane.Action) {
	key := m.list.Key()
	switch a {
	case pane.Toggle, pane.Left, pane.Right:
		if key < 0 {
			return
		}
		section := key / span
		m.folded[section] = a == pane.Left || a == pane.Toggle && !m.folded[section]
	case pane.ZoomIn, pane.ZoomOut, pane.Fit:
		for i := range m.folded {
			m.folded[i] = a == pane.ZoomOut
		}
	default:
		m.list.Do(a)
		return
	}
	if key >= 0 && m.folded[key/span] {
		m.list.Select(key / span * span)
	}
	m.layout()
}

// Lines draws the pane: exactly as many lines as it is high, none wider than it is.
func (m *Model) Lines() []string {
	out := make([]string, 0, m.height)
	for i := range m.head {
		out = append(out, m.head[i].Render(&m.look, m.width))
	}
	return append(out, m.list.View(&m.look, m.width)...)
}

// Evidence returns the ids of what is under the cursor: of a stored hash, or of the
// stored hash that a minor makes.
func (m *Model) Evidence() []string {
	key := m.list.Key()
	if m.hashes == nil || key < 0 || key%span == 0 {
		return nil
	}
	n := key%span - 1
	switch key / span {
	case stored:
		if sides := m.stored(); n < len(sides) && sides[n].hash != nil {
			return sides[n].hash.Evidence
		}
	case minors:
		var out []string
		for _, s := range m.stored() {
			if s.hash != nil && s.hash.Hex == m.hashes.Minors[n].Hex {
				out = append(out, s.hash.Evidence...)
			}
		}
		return out
	}
	return nil
}

// side is one of the two stored hashes; hash is nil where it is unknown.
type side struct {
	word string
	hash *report.StoredHash
}

func (m *Model) stored() [2]side {
	return [2]side{{"before", m.hashes.Old}, {"after", m.hashes.New}}
}
