package present

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Asked returns the scope of a report in one line; "" where nothing narrows it.
func Asked(s report.Scope) string {
	where := Named("namespace", s.Namespace)
	if s.AllNamespaces {
		where = "all namespaces"
	}
	list := func(name string, values []string) string {
		if len(values) == 0 {
			return ""
		}
		return name + strings.Join(values, ", ")
	}
	return Joined(" · ", where, list("", s.Targets), list("node ", s.Nodes), list("from ", s.From),
		Named("selector", s.Selector), Named("container", s.Container), Named("cause", s.Cause), Named("since", s.Since))
}

// NoEvidence is what was read where an input has nothing that could tell of a restart.
const NoEvidence = "no pod, no node and no log of a node"

// Nothing says that there is nothing to explain, where, and what was read ("14 pods, 3 nodes").
func Nothing(r *report.Report, looked string) string {
	s := r.Scope
	in := ""
	switch {
	case len(s.Targets) > 0 && s.Namespace != "":
		in = strings.Join(s.Targets, ", ") + " in namespace " + s.Namespace
	case len(s.Targets) > 0:
		in = strings.Join(s.Targets, ", ")
	case len(s.Nodes) > 0:
		in = strings.Join(s.Nodes, ", ")
	case len(s.From) > 0:
		in = Joined(", ", strings.Join(s.From, ", "), Named("namespace", s.Namespace))
	case s.AllNamespaces:
		in = "all namespaces"
	case s.Namespace != "":
		in = "namespace " + s.Namespace
	}
	in = Joined(", ", in, Named("selector", s.Selector), Named("container", s.Container),
		Named("cause", s.Cause), Named("since", s.Since))
	switch {
	case looked == NoEvidence:
		return "found nothing about restarts in " + in + ": it has " + looked
	case looked == "":
	case len(s.From) > 0: // it may contain more than what was requested
		looked = "; the recording has " + looked
	default:
		looked = "; checked " + looked
	}
	if slices.ContainsFunc(r.NodeNotes, func(n report.NodeNote) bool { return n.ContainersEnded }) {
		return "containers ended in " + in + ", but the evidence does not name them: see the warnings" + looked
	}
	return "no restarts found in " + in + looked
}

// GapLine returns a gap in one line, without its hint.
func GapLine(g report.Gap) string {
	from := g.Source
	if g.Node != "" {
		from += " of " + g.Node
	}
	return from + ": " + g.Why
}

// About says when and by what a report was made.
func About(at time.Time, tool report.Tool) string {
	return "generated " + Stamp(&at) + " by kubectl-restartwhy " + tool.Version
}
