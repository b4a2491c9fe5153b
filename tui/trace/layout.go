package trace

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/pane"
)

const (
	unknownText = "The kubelet's decision cannot be replayed: the pod's spec or the kubelet's version is unknown."
	// deepest is how far nesting is indented, in levels.
	deepest = 6
)

// layout makes all lines anew. Decisions have some dozens of branches.
func (m *Model) layout() {
	m.head = m.headLines()
	if len(m.head) > m.height {
		m.head = m.head[:m.height]
	}
	m.list.Resize(m.height - len(m.head))
	m.list.Set(m.items())
}

// headLines is what stays in view: who decided what, and whether that is what
// happened. It never takes more than half of the room.
func (m *Model) headLines() []pane.Line {
	k, g := &m.look, &m.look.Glyphs
	if m.decision == nil {
		return pane.Para(pane.Line{}, &k.Muted, unknownText, m.width)
	}
	d := m.decision
	out := pane.Para(pane.Line{}, &k.Strong, d.Outcome, m.width)
	var l pane.Line
	if d.Agrees {
		l.Add(&k.Good, g.Agrees+" ")
		out = append(out, pane.Para(l, &k.Good, "This is what happened.", m.width)...)
	} else {
		l.Add(&k.Bad, g.Differs+" ")
		out = append(out, pane.Para(l, &k.Bad, "This is not what happened: "+differs(d), m.width)...)
	}
	out = append(out, pane.Para(pane.Line{}, &k.Muted, kubelet(d), m.width)...)
	if half := max(m.height/2, 1); len(out) > half {
		out = out[:half]
		out[half-1].Add(&k.Muted, " "+g.Ellipsis)
	}
	return append(out, pane.Line{})
}

func differs(d *report.Decision) string {
	if len(d.Differs) == 0 {
		return "the outcome is another one."
	}
	return strings.Join(d.Differs, "; ")
}

func kubelet(d *report.Decision) string {
	if d.ModelledAs == "" || strings.HasPrefix(d.Kubelet+".", d.ModelledAs+".") {
		return "decided by kubelet " + d.Kubelet
	}
	return "decided by kubelet " + d.Kubelet + ", modelled as " + d.ModelledAs
}

// items are the entries of the list: premises, then each function with its questions.
func (m *Model) items() []pane.Item {
	if m.decision == nil {
		return nil
	}
	k, width := &m.look, m.width-pane.Gutter
	var out []pane.Item
	premise := func(style *lipgloss.Style, word string, texts []string) {
		for _, text := range texts {
			var l pane.Line
			l.Add(style, word)
			l.Pad(10)
			out = append(out, pane.Item{Lines: pane.Para(l, nil, text, width), Key: m.premises() + len(out)})
		}
	}
	premise(&k.Warn, "supposed", m.decision.Supposed)
	premise(&k.Muted, "assumed", m.decision.Assumed)
	unfolded := true // the group before
	below := -1      // the depth of the folded group that hides what is deeper
	for i := range m.groups {
		g := &m.groups[i]
		if below >= 0 && g.depth > below {
			continue
		}
		below = -1
		out = append(out, pane.Item{Lines: []pane.Line{m.groupLine(i)}, Key: m.headings() + i, Gap: g.depth == 0 && !g.again && (unfolded || !g.folded)})
		unfolded = !g.folded
		if g.folded {
			below = g.depth
			continue
		}
		for n := g.from; n < g.to; n++ {
			b := &m.decision.Branches[n]
			out = append(out, pane.Item{Lines: m.branchLines(b, g.depth, width), Key: n, Stop: b.Answer})
		}
	}
	return out
}

func indent(depth int) int { return 2 * max(min(depth, deepest), 0) }

// groupLine is the heading of a function.
func (m *Model) groupLine(i int) pane.Line {
	k, gr, g := &m.look, &m.look.Glyphs, &m.groups[i]
	first := &m.decision.Branches[g.from]
	var l pane.Line
	l.Pad(indent(g.depth))
	fold := gr.Open
	if g.folded {
		fold = gr.Closed
	}
	l.Add(&k.Title, fold+" "+first.Function)
	if g.again {
		l.Add(&k.Muted, " goes on")
	}
	if g.folded {
		l.Add(&k.Muted, gr.Separator+m.folded(i))
	}
	if !g.again && first.File != "" {
		l.Add(&k.Muted, gr.Separator+first.File)
	}
	return l
}

// folded says what a fold hides, with the functions that it called.
func (m *Model) folded(i int) string {
	questions, yes := m.count(i)
	switch {
	case questions == 1 && yes == 1:
		return "1 question, yes"
	case questions == 1:
		return "1 question, no"
	case yes == 0:
		return fmt.Sprintf("%d questions, all no", questions)
	case yes == questions:
		return fmt.Sprintf("%d questions, all yes", questions)
	}
	return fmt.Sprintf("%d questions, %d yes", questions, yes)
}

// branchLines is a question: its answer in glyph and word, the fact beside or below
// it, and what followed.
func (m *Model) branchLines(b *report.Branch, depth, width int) []pane.Line {
	k, g := &m.look, &m.look.Glyphs
	var l pane.Line
	l.Pad(indent(depth) + 2)
	glyph, word, style := g.No, "no", &k.Dim
	switch {
	case b.Answer:
		glyph, word, style = g.Yes, "yes", &k.Lit
	case b.Then != "":
		style = nil
	}
	l.Add(style, glyph+" "+word)
	l.Pad(indent(depth) + 8)
	column := l.Width
	question := b.Question
	if b.Container != "" && !strings.Contains(question, b.Container) {
		question = b.Container + ": " + question
	}
	out := pane.Para(l, style, question, width)
	if b.Fact != "" {
		out = pane.Append(out, &k.Muted, g.Separator, b.Fact, column, width)
	}
	switch {
	case b.Then == "":
	case !b.Answer:
		out = pane.Append(out, style, " ", g.Arrow+" "+b.Then, column, width)
	default: // what a yes led to stands by itself
		var l pane.Line
		l.Pad(column)
		l.Add(style, g.Arrow+" ")
		out = append(out, pane.Para(l, style, b.Then, width)...)
	}
	return out
}

// Plain tells the same from top to bottom, with nothing folded.
func (m *Model) Plain() string {
	if m.decision == nil {
		return unknownText + "\n"
	}
	d := m.decision
	var b strings.Builder
	b.WriteString("Outcome: " + d.Outcome + "\n")
	if d.Agrees {
		b.WriteString("This is what happened.\n")
	} else {
		b.WriteString("This is not what happened: " + differs(d) + "\n")
	}
	b.WriteString("This was " + kubelet(d) + ".\n")
	for _, s := range d.Supposed {
		b.WriteString("Supposed: " + s + "\n")
	}
	for _, s := range d.Assumed {
		b.WriteString("Assumed: " + s + "\n")
	}
	for i := range m.groups {
		g := &m.groups[i]
		first := &d.Branches[g.from]
		b.WriteString("\n" + first.Function)
		switch {
		case g.again:
			b.WriteString(" goes on")
		case first.File != "":
			b.WriteString(" (" + first.File + ")")
		}
		if g.depth > 0 {
			fmt.Fprintf(&b, ", called at depth %d", g.depth)
		}
		b.WriteString(":\n")
		for n := g.from; n < g.to; n++ {
			plainBranch(&b, &d.Branches[n])
		}
	}
	return b.String()
}

func plainBranch(b *strings.Builder, br *report.Branch) {
	answer := "no"
	if br.Answer {
		answer = "yes"
	}
	b.WriteString("- ")
	if br.Container != "" && !strings.Contains(br.Question, br.Container) {
		b.WriteString(br.Container + ": ")
	}
	b.WriteString(br.Question + " " + answer)
	if br.Fact != "" {
		b.WriteString(": " + br.Fact)
	}
	if br.Then != "" {
		b.WriteString(". It follows: " + br.Then)
	}
	b.WriteString("\n")
}
