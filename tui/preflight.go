package tui

import (
	"charm.land/bubbles/v2/key"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/preflight"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

// ofPreflight is a report without restarts, with the scope and the gaps of a preflight.
func ofPreflight(p *report.Preflight) *report.Report {
	return &report.Report{Scope: p.Scope, Gaps: p.Gaps, GeneratedAt: p.GeneratedAt}
}

// showPreflight replaces the first screen by a preflight.
func (m *model) showPreflight(p *report.Preflight) {
	m.Preflight = true
	m.stack = []screen.Screen{preflight.New(p)}
	// Keys without a meaning here are neither handled nor listed by help.
	for _, b := range []*key.Binding{
		&m.Keys.NextTab, &m.Keys.PreviousTab, &m.Keys.Tab, &m.Keys.Previous, &m.Keys.Next, &m.Keys.Newest,
		&m.Keys.Group, &m.Keys.ZoomIn, &m.Keys.ZoomOut, &m.Keys.Fit, &m.Keys.Save, &m.Keys.Node, &m.Keys.First,
	} {
		b.SetEnabled(false)
	}
}
