package tui

import (
	"charm.land/bubbles/v2/key"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// ofPreflight is a report without restarts, for the scope and the gaps of a preflight.
func ofPreflight(p *report.Preflight) *report.Report {
	return &report.Report{Scope: p.Scope, Gaps: p.Gaps, GeneratedAt: p.GeneratedAt}
}

// showPreflight puts a preflight in the place of the first screen.
func (m *model) showPreflight(p *report.Preflight) {
	m.preflight = preflightpage.NewView(p)
	m.stack = []screen{&preflightScreen{v: m.preflight}}
	// What has no meaning here is neither taken nor listed by help.
	for _, b := range []*key.Binding{
		&m.keys.NextTab, &m.keys.PreviousTab, &m.keys.Tab, &m.keys.Previous, &m.keys.Next, &m.keys.Sort, &m.keys.Newest,
		&m.keys.ZoomIn, &m.keys.ZoomOut, &m.keys.Fit, &m.keys.Save, &m.keys.Node, &m.keys.First,
	} {
		b.SetEnabled(false)
	}
}
