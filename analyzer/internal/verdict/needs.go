package verdict

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file says what would decide a verdict that is not proven.

// newKubelet returns the missing knowledge about a kubelet that is not modelled.
func newKubelet(f *finding.Findings) []causes.Need {
	if f.Versions.Extrapolated == "" {
		return nil
	}
	return []causes.Need{{
		What:        "what kubelet " + release.TakenFor(f.Versions.Extrapolated) + " does",
		Consequence: "its behaviour is assumed, so nothing is proven; a newer kubectl-restartwhy may know this version",
	}}
}

// inDoubt returns what does not fit with the rest.
func inDoubt(f *finding.Findings) (needs []causes.Need) {
	for _, d := range f.Doubts {
		needs = append(needs, causes.Need{What: report.Doubt, Consequence: d.Text})
	}
	return needs
}

// unread returns what was not read of an end whose cause needs nothing in particular.
func unread(f *finding.Findings) []causes.Need {
	needs := slices.Concat(causes.NeedLogs(f), causes.NeedKernelLog(f))
	if len(needs) == 0 {
		needs = []causes.Need{{What: "a record that names both this container and this cause",
			Consequence: "what was read fits together, but no single record says it"}}
	}
	return needs
}

// missing lists what would settle the case. With rivals, the alternatives already say what distinguishes them.
func missing(f *finding.Findings, needs []causes.Need) []report.Missing {
	out := make([]report.Missing, 0, len(needs))
	for _, n := range needs {
		if n.Words != nil {
			n = n.Words(f)
		}
		m := report.Missing{What: n.What, Consequence: n.Consequence, Command: n.Command, Node: n.Node}
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}
