package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// pageKind is what a page of text tells.
type pageKind int

const (
	pageHelp pageKind = iota
	pageGaps
	pageCause
)

// pageScreen is a text to read: help, what is missing, a page of the catalogue.
type pageScreen struct {
	single
	kind   pageKind
	cause  string
	source string // the page of the cause, in Markdown
	text   sheet
}

func (s *pageScreen) title(*model) string {
	return map[pageKind]string{pageHelp: "help", pageGaps: "what is missing", pageCause: "cause " + s.cause}[s.kind]
}

func (s *pageScreen) position() string { return s.text.position() }

func (s *pageScreen) lay(m *model) {
	var lines []string
	switch s.kind {
	case pageHelp:
		lines = m.helpText()
	case pageGaps:
		lines = m.gapsText()
	case pageCause:
		p := page{theme: &m.theme, width: min(m.layout.text, 100)}
		p.markdown(s.source)
		lines = p.lines
	}
	s.text.height = m.layout.body
	s.text.set(lines, nil)
}

func (s *pageScreen) body(m *model) []string { return s.text.window(&m.theme, m.layout.width) }

func (s *pageScreen) press(m *model, msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if key.Matches(msg, m.keys.Open, m.keys.Right) {
		return nil, true // a page leads nowhere
	}
	return m.pressSheet(&s.text, msg, m.ds.find)
}

func (s *pageScreen) here(*model) place {
	if s.kind == pageCause {
		return place{copied: s.source, called: "the page", command: "kubectl restartwhy explain " + report.Quote(s.cause)}
	}
	return place{}
}

// helpText lists every key, and what the four words mean.
func (m *model) helpText() []string {
	p := page{theme: &m.theme, width: m.layout.text}
	if m.outlook != nil {
		m.helpPreflight(&p)
		return p.lines
	}
	p.heading("How sure a verdict is")
	for _, c := range []struct {
		word report.Confidence
		rule string
	}{
		{report.Proven, "decisive evidence names this container and this moment, and every rival is eliminated"},
		{report.Likely, "the evidence fits only this cause well, but a decisive piece or an elimination is missing"},
		{report.Possible, "several causes fit"},
		{report.Unknown, "nobody can say from what was collected; see what is missing"},
	} {
		style, glyph := m.theme.confidence(c.word)
		p.labelled(margin, glyph+" "+string(c.word), 14, style, c.rule, plain)
	}
	m.helpKeys(&p)
	p.heading("Filter")
	p.para(margin, "Every word must occur in namespace, pod, container, node, cause, confidence or summary; !word must not. Where a word occurs nowhere, names that have its letters in this order are listed.", plain)
	m.helpMouse(&p)
	return p.lines
}

// helpKeys lists the keys that mean something here.
func (m *model) helpKeys(p *page) {
	for _, group := range m.keys.Groups() {
		p.heading(group.Title)
		for _, b := range group.Bindings {
			if b.Enabled() {
				p.labelled(margin, b.Help().Key, 14, m.theme.key, b.Help().Desc, plain)
			}
		}
	}
}

func (m *model) helpMouse(p *page) {
	p.heading("Mouse")
	p.para(margin, "M lets the wheel scroll and a click choose; a second click on the same row opens it. The terminal's own selection then needs shift.", plain)
}

// helpPreflight says what the words of a preflight mean, and lists its keys.
func (m *model) helpPreflight(p *page) {
	p.heading("What becomes of a container")
	for _, w := range []struct {
		word report.Prediction
		rule string
	}{
		{report.Restarts, "the decision of the new kubelet ends it"},
		{report.MayRestart, "it depends on what cannot be known before; because says on what"},
		{report.Undetermined, "the evidence does not tell; because says what is missing"},
		{report.Stays, "nothing touches it, or it does not run"},
	} {
		style, glyph := m.theme.prediction(w.word)
		p.labelled(margin, label(glyph, string(w.word)), 14, style, w.rule, plain)
	}
	p.heading("What is the matter with a node")
	for _, w := range []struct {
		level report.FindingLevel
		rule  string
	}{
		{report.FindingBlocker, "the new kubelet ends at once; the containers run on without one"},
		{report.FindingRisk, "not supported, or dangerous"},
		{report.FindingCheck, "it could not be read: have a look"},
		{report.FindingNote, "it happens, and ends nothing"},
	} {
		style, glyph := m.theme.finding(w.level)
		p.labelled(margin, label(glyph, string(w.level)), 14, style, w.rule, plain)
	}
	m.helpKeys(p)
	p.heading("Filter")
	p.para(margin, "Every word must occur in what a row says or in one of its containers: namespace, pod, container, node, prediction, rule or because; !word must not.", plain)
	m.helpMouse(p)
}

// gapsText lists the evidence that could not be had, and as what the nodes were
// modelled: both limit what the verdicts can say.
func (m *model) gapsText() []string {
	p := page{theme: &m.theme, width: m.layout.text}
	m.writeProgress(&p)
	if m.outlook != nil {
		m.outlook.writeAssumed(&p)
	}
	p.heading("Could not be collected")
	if len(m.ds.report.Gaps) == 0 {
		p.para(margin, "nothing is missing", m.theme.muted)
	}
	for _, g := range m.ds.report.Gaps {
		name := g.Source
		if g.Node != "" {
			name += " of " + g.Node
		}
		p.labelled(margin, m.theme.glyphs.missing, 2, m.theme.unknown, name+": "+g.Why, plain)
		if g.Hint != "" {
			p.labelled(margin+2, m.theme.glyphs.arrow, ansi.StringWidth(m.theme.glyphs.arrow)+1, m.theme.muted, g.Hint, m.theme.command)
		}
	}
	if len(m.ds.report.Profile) > 0 {
		p.heading("Nodes")
	}
	for _, n := range m.ds.report.Profile {
		p.labelled(margin, m.theme.glyphs.bullet, 2, m.theme.muted, n.Node+": kubelet "+n.KubeletVersion+", modelled as "+n.ModelledAs, plain)
	}
	return p.lines
}
