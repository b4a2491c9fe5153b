package tui

import (
	"fmt"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// helpText lists every key, and what the four words mean.
func (m *model) helpText() []string {
	p := page{theme: &m.theme, width: m.layout.width}
	for _, group := range m.keys.Groups() {
		p.heading(group.Title)
		for _, b := range group.Bindings {
			p.labelled(margin, b.Help().Key, 14, m.theme.key, b.Help().Desc, lipgloss.NewStyle())
		}
	}
	p.heading("How sure")
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
		p.labelled(margin, glyph+" "+string(c.word), 14, style, c.rule, lipgloss.NewStyle())
	}
	p.heading("Filter")
	p.para(margin, "Every word must occur in namespace, pod, container, node, cause, confidence or summary; !word must not.", lipgloss.NewStyle())
	return p.lines
}

// gapsText lists the evidence that could not be had, and as what the nodes were
// modelled: both limit what the verdicts can say.
func (m *model) gapsText() []string {
	p := page{theme: &m.theme, width: m.layout.width}
	p.heading("Could not be collected")
	if len(m.report.Gaps) == 0 {
		p.para(margin, "nothing is missing", m.theme.muted)
	}
	for _, g := range m.report.Gaps {
		name := g.Source
		if g.Node != "" {
			name += " of " + g.Node
		}
		p.labelled(margin, m.theme.glyphs.missing, 2, m.theme.unknown, name+": "+g.Why, lipgloss.NewStyle())
		if g.Hint != "" {
			p.labelled(margin+2, m.theme.glyphs.arrow, ansi.StringWidth(m.theme.glyphs.arrow)+1, m.theme.muted, g.Hint, m.theme.command)
		}
	}
	if len(m.report.Profile) > 0 {
		p.heading("Nodes")
	}
	for _, n := range m.report.Profile {
		text := fmt.Sprintf("%s: kubelet %s, modelled as %s", n.Node, n.KubeletVersion, n.ModelledAs)
		p.labelled(margin, m.theme.glyphs.bullet, 2, m.theme.muted, text, lipgloss.NewStyle())
	}
	return p.lines
}

// incidentText says what the restarts of an incident share. It names only as
// many of them as can be seen.
func (m *model) incidentText(incident int32) []string {
	in, gr := &m.report.Incidents[incident], m.rows.group(incident)
	p := page{theme: &m.theme, width: m.layout.width}
	style, glyph := m.theme.confidence(gr.weakest)
	p.lines = append(p.lines, p.cut(m.theme.strong.Render(in.Cause)+"  "+style.Render(glyph+" "+string(gr.weakest)+" or better")))
	p.para(0, in.Summary, lipgloss.NewStyle())
	if in.Start != nil && in.End != nil {
		p.para(0, in.Start.UTC().Format("2006-01-02 15:04:05")+" to "+in.End.UTC().Format("15:04:05")+" UTC", m.theme.muted)
	}
	p.heading("Restarts")
	for n, i := range gr.items {
		if n > m.layout.preview {
			break
		}
		it := &m.report.Items[i]
		style, glyph := m.theme.confidence(it.Verdict.Confidence)
		p.labelled(margin, glyph+" "+string(it.Verdict.Confidence), 11, style, m.subject(it, p.width-margin-11), lipgloss.NewStyle())
	}
	return p.lines
}
