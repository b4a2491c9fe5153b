package hashes

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

// layout makes all lines anew; there are some dozens.
func (m *Model) layout() {
	k := &m.look
	text, style := unknownText, &k.Muted
	if m.hashes != nil {
		text, style = sentence(m.hashes), &k.Strong
	}
	m.head = append(pane.Para(pane.Line{}, style, text, m.width), pane.Line{})
	// The head leaves half of the room to the table.
	if half := (m.height + 1) / 2; len(m.head) > half {
		m.head = m.head[:half]
	}
	m.list.Resize(m.height - len(m.head))
	m.list.Set(m.items())
}

func (m *Model) items() []pane.Item {
	if m.hashes == nil {
		return nil
	}
	var out []pane.Item
	section := func(n int, title string, rows []pane.Item) {
		if len(rows) == 0 {
			return
		}
		glyph := m.look.Glyphs.Open
		if m.folded[n] {
			glyph = m.look.Glyphs.Closed
			title += fmt.Sprintf(" (%d)", len(rows))
		}
		var l pane.Line
		l.Add(&m.look.Title, glyph+" "+title)
		out = append(out, pane.Item{Lines: []pane.Line{l}, Key: n * span, Gap: true})
		if m.folded[n] {
			return
		}
		for i := range rows {
			rows[i].Key = n*span + 1 + i
			out = append(out, rows[i])
		}
	}
	section(stored, "Stored by the runtime", m.storedRows())
	section(minors, "The present spec, by the kubelet's minor", m.minorRows())
	section(fields, "Known to differ", m.fieldRows())
	return out
}

// storedRows are the two stored hashes, each with what makes it, and the kubelets.
func (m *Model) storedRows() []pane.Item {
	k, g := &m.look, &m.look.Glyphs
	var out []pane.Item
	for _, s := range m.stored() {
		var l pane.Line
		l.Add(nil, "  "+s.word)
		l.Pad(10)
		if s.hash == nil {
			l.Add(&k.Muted, "not known")
		} else {
			l.Add(&k.Lit, s.hash.Hex)
		}
		lines := []pane.Line{l}
		if s.hash != nil {
			if ids := s.hash.Evidence; len(ids) > 0 {
				lines = pane.Append(lines, &k.Muted, " ", "["+strings.Join(ids, " ")+"]", 10, m.width-pane.Gutter)
			}
			for _, maker := range s.hash.MadeBy {
				var l pane.Line
				l.Pad(10)
				l.Add(&k.Muted, g.Bullet+" ")
				lines = append(lines, pane.Para(l, nil, madeBy(&maker, g.Dash), m.width-pane.Gutter)...)
			}
			if len(s.hash.MadeBy) == 0 {
				var l pane.Line
				l.Pad(10)
				l.Add(&k.Warn, "? ")
				lines = append(lines, pane.Para(l, &k.Warn, "nothing known makes this hash", m.width-pane.Gutter)...)
			}
		}
		out = append(out, pane.Item{Lines: lines, Stop: s.hash != nil})
	}
	if m.hashes.Before != "" || m.hashes.At != "" {
		var l pane.Line
		l.Add(nil, "  kubelet")
		l.Pad(10)
		l.Add(nil, m.kubelets(" "+g.Arrow+" "))
		out = append(out, pane.Item{Lines: []pane.Line{l}})
	}
	return out
}

// kubelets says which kubelet ran before the restart and which at it. A stored hash
// can be older than both.
func (m *Model) kubelets(joint string) string {
	before, at := m.hashes.Before, m.hashes.At
	switch {
	case before == at:
		return at + " before and at the restart"
	case before == "":
		return at + " at the restart"
	case at == "":
		return before + " before the restart"
	}
	return before + joint + at + " at the restart"
}

// madeBy says one way in which a hash comes about.
func madeBy(h *report.HashMaker, dash string) string {
	spec := "another spec"
	if h.PresentSpec {
		spec = "the present spec"
	}
	text := between(h.From, h.To, dash) + " makes it (" + h.Algorithm + ") from " + spec
	if h.Image != "" {
		text += ", image " + h.Image
	}
	return text
}

func between(from, to, dash string) string {
	if from == to || to == "" {
		return from
	}
	return from + dash + to
}

// minorRows are the table of what the present spec hashes to.
func (m *Model) minorRows() []pane.Item {
	k, g := &m.look, &m.look.Glyphs
	minorWidth, algorithmWidth := 0, 0
	for i := range m.hashes.Minors {
		h := &m.hashes.Minors[i]
		minorWidth = max(minorWidth, ansi.StringWidth(between(h.From, h.To, g.Dash)))
		algorithmWidth = max(algorithmWidth, ansi.StringWidth(h.Algorithm))
	}
	hashColumn := 4 + minorWidth + 2
	algorithmColumn := hashColumn + 10
	var out []pane.Item
	for i := range m.hashes.Minors {
		h := &m.hashes.Minors[i]
		words := m.matches(h)
		style, glyph := &k.Dim, " "
		if len(words) > 0 {
			style, glyph = &k.Lit, g.Yes
		}
		var l pane.Line
		l.Add(style, "  "+glyph+" "+between(h.From, h.To, g.Dash))
		l.Pad(hashColumn)
		l.Add(style, h.Hex)
		l.Pad(algorithmColumn)
		l.Add(&k.Muted, h.Algorithm)
		lines := []pane.Line{l}
		if len(words) > 0 {
			lines[0].Pad(min(algorithmColumn+algorithmWidth, max(m.width-pane.Gutter-24, lines[0].Width)))
			lines = pane.Append(lines, &k.Lit, "  ", g.Arrow+" stored "+strings.Join(words, " and "), hashColumn, m.width-pane.Gutter)
		}
		out = append(out, pane.Item{Lines: lines, Stop: len(words) > 0})
	}
	return out
}

// matches says which stored hashes a minor makes of the present spec.
func (m *Model) matches(h *report.MinorHash) []string {
	var out []string
	for _, s := range m.stored() {
		if s.hash != nil && s.hash.Hex == h.Hex {
			out = append(out, s.word)
		}
	}
	return out
}

func (m *Model) fieldRows() []pane.Item {
	var out []pane.Item
	for _, text := range m.hashes.Changed {
		var l pane.Line
		l.Add(&m.look.Muted, "  "+m.look.Glyphs.Bullet+" ")
		out = append(out, pane.Item{Lines: pane.Para(l, nil, text, m.width-pane.Gutter)})
	}
	return out
}

// Plain tells the same from top to bottom, with nothing folded.
func (m *Model) Plain() string {
	if m.hashes == nil {
		return unknownText + "\n"
	}
	var b strings.Builder
	b.WriteString(sentence(m.hashes) + "\n\nStored by the runtime:\n")
	for _, s := range m.stored() {
		b.WriteString("- " + s.word + ": ")
		if s.hash == nil {
			b.WriteString("not known")
		} else {
			b.WriteString(s.hash.Hex)
		}
		if s.hash != nil && len(s.hash.Evidence) > 0 {
			b.WriteString(" [" + strings.Join(s.hash.Evidence, " ") + "]")
		}
		b.WriteString("\n")
		if s.hash == nil {
			continue
		}
		for i := range s.hash.MadeBy {
			b.WriteString("  - " + madeBy(&s.hash.MadeBy[i], " to ") + "\n")
		}
		if len(s.hash.MadeBy) == 0 {
			b.WriteString("  - nothing known makes this hash\n")
		}
	}
	if m.hashes.Before != "" || m.hashes.At != "" {
		b.WriteString("- kubelet: " + m.kubelets(", then ") + "\n")
	}
	if len(m.hashes.Minors) > 0 {
		b.WriteString("\nThe present spec, by the kubelet's minor:\n")
	}
	for i := range m.hashes.Minors {
		h := &m.hashes.Minors[i]
		b.WriteString("- " + between(h.From, h.To, " to ") + ": " + h.Hex + " (" + h.Algorithm + ")")
		if words := m.matches(h); len(words) > 0 {
			b.WriteString(", stored " + strings.Join(words, " and "))
		}
		b.WriteString("\n")
	}
	if len(m.hashes.Changed) > 0 {
		b.WriteString("\nKnown to differ:\n")
	}
	for _, text := range m.hashes.Changed {
		b.WriteString("- " + text + "\n")
	}
	return b.String()
}
