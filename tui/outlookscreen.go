package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// outlookScreen is the lowest screen of a preflight: what would happen in a line,
// and its nodes, reasons or namespaces, worst first.
type outlookScreen struct {
	single
	sift
	o    *outlook
	by   aspect
	rows []*pile // those that pass the filter
	own  []bool  // of a row: the filter's words are in what it is itself
	head []string
	text sheet
}

func newOutlookScreen(o *outlook) *outlookScreen { return &outlookScreen{o: o} }

func (s *outlookScreen) title(m *model) string { return "preflight, " + s.o.asked() + m.scope() }

func (s *outlookScreen) position() string { return s.text.position() }

func (s *outlookScreen) typed(msg tea.KeyPressMsg) tea.Cmd {
	s.typedInto(&s.text, msg)
	return nil
}

// wideOutlook is the width from which a row holds its worst finding or reason; on a
// narrower terminal that stands below it.
const wideOutlook = 100

func (s *outlookScreen) lay(m *model) {
	var under *reason
	if p := s.selected(); p != nil {
		k := p.key()
		under = &k
	}
	all, f := s.o.piles(s.by, s.o.items), s.filter()
	s.rows, s.own = nil, nil
	for _, p := range all {
		own := s.o.named(f, p)
		if own || len(s.o.passing(f, p.items)) > 0 {
			s.rows, s.own = append(s.rows, p), append(s.own, own)
		}
	}
	s.found, s.total = len(s.rows), len(all)
	s.head = s.heading(m)
	d := newDossier(&m.theme, m.layout.width, &report.Item{}, nil)
	for _, p := range s.rows {
		d.entry(stop{}, func() { s.row(m, d, p) })
	}
	switch {
	case len(all) == 0:
		d.para(2, "no node and no container is in the evidence; m lists what is missing", m.theme.muted)
	case len(s.rows) == 0:
		d.para(2, "nothing matches the filter; esc drops it", m.theme.muted)
	}
	if i := slices.IndexFunc(s.rows, func(p *pile) bool { return under != nil && p.key() == *under }); i >= 0 {
		s.text.cursor = i
	}
	s.text.height = m.tableHeight(len(s.head) - 1)
	s.text.set(d.lines, d.stops)
}

// heading says in a sentence what would happen, and names the columns.
func (s *outlookScreen) heading(m *model) []string {
	p := page{theme: &m.theme, width: m.layout.text}
	p.para(2, s.o.headline(), m.theme.strong)
	if s.o.r.Extrapolated {
		p.para(2, "taken for "+s.o.r.ModelledAs+", the newest kubelet that is known", m.theme.possible)
	}
	p.lines = append(p.lines, "")
	name, rest := strings.ToUpper(s.by.String()), "WORST FINDING"
	if s.by == aspectReason {
		rest = "BECAUSE"
	} else if s.by == aspectNamespace {
		rest = "WORST REASON"
	}
	line := s.columns(m, " ", name, "KUBELET", [4]string{"RESTARTS", "MAY", "UNKNOWN", "STAYS"}, rest)
	return append(p.lines, m.theme.header.Render(pad(line, m.layout.width, m.theme.glyphs)))
}

// columns lays out the first line of a row.
func (s *outlookScreen) columns(m *model, mark, name, kubelet string, counts [4]string, rest string) string {
	g, w := m.theme.glyphs, m.layout.width
	numbers := fmt.Sprintf("%8s %5s %7s %6s", counts[0], counts[1], counts[2], counts[3])
	lead := " " + pad(mark, 1, g) + " "
	if w < wideOutlook {
		return lead + pad(name, w-len(numbers)-5, g) + "  " + numbers
	}
	line := lead + pad(name, min(w/4, 44), g) + " "
	if s.by == aspectNode {
		line += pad(kubelet, 22, g) + " "
	}
	return line + numbers + "  " + rest
}

// row writes one pile.
func (s *outlookScreen) row(m *model, d *dossier, p *pile) {
	g, w := m.theme.glyphs, m.layout.width
	style, mark := m.theme.prediction(p.worst())
	kubelet, rest := "", s.o.gist(p)
	if p.by == aspectNode {
		kubelet = s.o.kubelet(p.name, g)
		if n := s.o.nodes[p.name]; n != nil && n.Blocked {
			style, mark = m.theme.finding(report.FindingBlocker)
		}
	}
	c := p.count
	counts := [4]string{strconv.Itoa(c.Restarts), strconv.Itoa(c.May), strconv.Itoa(c.Unknown), strconv.Itoa(c.Stays)}
	line := pad(s.columns(m, mark, cmp.Or(p.name, "not known"), kubelet, counts, rest), w, g)
	d.lines = append(d.lines, " "+style.Render(mark)+strings.TrimPrefix(line, " "+mark))
	if w >= wideOutlook {
		return
	}
	if kubelet != "" && rest != "" {
		kubelet += g.separator
	}
	if below := kubelet + rest; below != "" {
		d.lines = append(d.lines, m.theme.muted.Render(pad("   "+below, w, g)))
	}
}

// gist is the worst that there is to say of a pile, "" where nothing is.
func (o *outlook) gist(p *pile) string {
	if p.by == aspectReason {
		return p.reason.because
	}
	if f := o.findings(p); len(f) > 0 && f[0].Level != report.FindingNote {
		return string(f[0].Level) + ": " + f[0].Text
	}
	if len(p.items) > 0 && p.worst() != report.Stays {
		return string(p.worst()) + ": " + o.r.Items[p.items[0]].Rule
	}
	return ""
}

func (s *outlookScreen) body(m *model) []string {
	height := s.text.height + len(s.head)
	lines := fill(append(slices.Clone(s.head), s.text.window(&m.theme, m.layout.width)...), height)
	preview := m.previewHeight()
	if preview == 0 {
		return lines
	}
	lines = append(lines, m.theme.muted.Render(strings.Repeat(m.theme.glyphs.rule, m.layout.width)))
	if p := s.selected(); p != nil {
		d := newDossier(&m.theme, m.layout.text, &report.Item{}, nil)
		s.o.writePile(d, p, s.o.findings(p), p.items, p.inside(), false, preview)
		if len(d.lines) > preview {
			d.lines = append(d.lines[:preview-1], "  "+m.theme.muted.Render(m.theme.glyphs.ellipsis+" enter shows all"))
		}
		lines = append(lines, d.lines...)
	}
	return fill(lines, m.layout.body)
}

// selected is the row under the cursor, nil for none.
func (s *outlookScreen) selected() *pile {
	if s.text.cursor < len(s.rows) {
		return s.rows[s.text.cursor]
	}
	return nil
}

// inside is how the containers of a pile are put together at first.
func (p *pile) inside() aspect {
	if p.by == aspectReason {
		return aspectNode
	}
	return aspectReason
}

func (s *outlookScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := &m.keys; {
	case key.Matches(msg, k.Open, k.Right):
		s.open(m)
	case m.pressSift(&s.sift, msg):
		s.lay(m)
	case key.Matches(msg, k.Group):
		s.by = (s.by + 1) % aspects
		s.text.cursor, s.text.top = 0, 0
		s.rows = nil
		s.lay(m)
		m.status = "grouped by " + s.by.String()
	default:
		return m.pressSheet(&s.text, msg, m.ds.find)
	}
	return nil, true
}

// open goes into the row under the cursor. A filter that found containers and not
// the row itself goes along.
func (s *outlookScreen) open(m *model) {
	p := s.selected()
	if p == nil {
		return
	}
	below := &pileScreen{o: s.o, pile: p, by: p.inside()}
	if !s.own[s.text.cursor] {
		below.prompt.text = s.prompt.text
	}
	m.push(below)
}

func (s *outlookScreen) click(m *model, line int) tea.Cmd {
	was := s.text.cursor
	if line -= len(s.head); line >= 0 && line < s.text.height && s.text.click(line) && s.text.cursor == was {
		s.open(m)
	}
	return nil
}

func (s *outlookScreen) here(m *model) place {
	p := s.selected()
	if p == nil {
		return place{}
	}
	at := place{copied: p.name + ": " + tally(p.count), called: "the row", command: m.preflightCommand(m.outlook.part())}
	if gist := s.o.gist(p); gist != "" {
		at.copied += "; " + gist
	}
	switch p.by {
	case aspectNode:
		at.command = m.preflightCommand(" --node " + report.Quote(p.name))
	case aspectNamespace:
		at.command = m.preflightCommand(" -n " + report.Quote(p.name))
	case aspectReason:
		at.cause = p.name
	}
	return at
}

// part is the flag for what the whole preflight is about.
func (o *outlook) part() string {
	switch s := o.r.Scope; {
	case s.Namespace != "":
		return " -n " + report.Quote(s.Namespace)
	case len(s.From) > 0:
		return ""
	}
	return " -A"
}

// preflightCommand asks the same about a part, without the viewer.
func (m *model) preflightCommand(part string) string {
	return "kubectl restartwhy preflight --to " + report.Quote(m.outlook.r.To) + part + " --no-tui" + m.source()
}

func (s *outlookScreen) hints(k *KeyMap) []key.Binding {
	return []key.Binding{k.Open, k.Filter, k.Group, k.Write, k.Command, k.Gaps}
}
