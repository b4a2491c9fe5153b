package tui

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present/preflightpage"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// The commands that show without the viewer what a screen shows.

// source are the flags that make a command read what a report was made from.
func source(s *report.Scope) string {
	out := ""
	for _, from := range s.From {
		out += " --from " + report.Quote(from)
	}
	return out
}

func demo(s *report.Scope) bool { return len(s.From) == 1 && s.From[0] == "demo" }

// itemCommand shows one container without the viewer.
func (ds *dataset) itemCommand(it *report.Item) string {
	if demo(&ds.report.Scope) {
		return "kubectl restartwhy demo " + report.Quote(it.Pod) + " -c " + report.Quote(it.Container)
	}
	pod := report.Quote(it.Pod) + " -n " + report.Quote(it.Namespace) + " -c " + report.Quote(it.Container)
	return "kubectl restartwhy pod/" + pod + source(&ds.report.Scope)
}

func (ds *dataset) nodeCommand(name string) string {
	if demo(&ds.report.Scope) {
		return "kubectl restartwhy demo -o wide"
	}
	return "kubectl restartwhy node " + report.Quote(name) + source(&ds.report.Scope)
}

// causeCommand shows the restarts of an incident: those of its cause and node.
func (ds *dataset) causeCommand(in *report.Incident) string {
	cause := " --cause " + report.Quote(in.Cause)
	switch {
	case demo(&ds.report.Scope):
		return "kubectl restartwhy demo" + cause
	case in.Node != "":
		return ds.nodeCommand(in.Node) + cause
	case len(ds.report.Scope.From) > 0:
		return "kubectl restartwhy" + source(&ds.report.Scope) + cause
	}
	return "kubectl restartwhy -A" + cause
}

// preflightCommand foretells the same of a part.
func preflightCommand(v *preflightpage.View, part string) string {
	to := report.Quote(v.Report.To)
	return "kubectl restartwhy preflight --to " + to + part + " --no-tui" + source(&v.Report.Scope)
}

func scopeFlag(s report.Scope) string {
	switch {
	case s.Namespace != "":
		return " -n " + report.Quote(s.Namespace)
	case len(s.From) > 0:
		return ""
	}
	return " -A"
}
