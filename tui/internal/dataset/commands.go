package dataset

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// FromFlags returns the flags to read the same input as the report.
func FromFlags(s *report.Scope) string {
	out := ""
	for _, from := range s.From {
		out += " --from " + report.Quote(from)
	}
	return out
}

// FromDemo reports whether a report is the demo's, which has no cluster.
func FromDemo(s *report.Scope) bool { return len(s.From) == 1 && s.From[0] == "demo" }

// ItemCommand is the command that shows one container without the viewer.
func (ds *Dataset) ItemCommand(it *report.Item) string {
	if FromDemo(&ds.Report.Scope) {
		return "kubectl restartwhy demo " + report.Quote(it.Pod) + " -c " + report.Quote(it.Container)
	}
	pod := report.Quote(it.Pod) + " -n " + report.Quote(it.Namespace) + " -c " + report.Quote(it.Container)
	return "kubectl restartwhy pod/" + pod + FromFlags(&ds.Report.Scope)
}

// NodeCommand is the command that shows one node without the viewer.
func (ds *Dataset) NodeCommand(name string) string {
	if FromDemo(&ds.Report.Scope) {
		return "kubectl restartwhy demo -o wide"
	}
	return "kubectl restartwhy node " + report.Quote(name) + FromFlags(&ds.Report.Scope)
}

// CauseCommand is the command that shows the restarts of an incident: those with its cause and node.
func (ds *Dataset) CauseCommand(in *report.Incident) string {
	cause := " --cause " + report.Quote(in.Cause)
	switch {
	case FromDemo(&ds.Report.Scope):
		return "kubectl restartwhy demo" + cause
	case in.Node != "":
		return ds.NodeCommand(in.Node) + cause
	case len(ds.Report.Scope.From) > 0:
		return "kubectl restartwhy" + FromFlags(&ds.Report.Scope) + cause
	}
	return "kubectl restartwhy -A" + cause
}

// ScopeFlag is the flag for a command with the same namespaces.
func ScopeFlag(s report.Scope) string {
	switch {
	case s.Namespace != "":
		return " -n " + report.Quote(s.Namespace)
	case len(s.From) > 0:
		return ""
	}
	return " -A"
}

// ScopeText describes the scope, each part after a separator.
func ScopeText(s *report.Scope, sep string) string {
	out := ""
	switch {
	case s.AllNamespaces:
		out = sep + "all namespaces"
	case s.Namespace != "":
		out = sep + s.Namespace
	}
	if s.Since != "" {
		out += sep + "last " + s.Since
	}
	return out
}
