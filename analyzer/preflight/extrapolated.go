package preflight

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// minor returns the minor of a profile, with the one that is assumed for it if it is not modelled.
func (n *node) minor(p *kubelet.Profile) string {
	return kubelet.Version{Major: 1, Minor: p.Minor, Patch: kubelet.PatchNotGiven}.TakenFor()
}

// takenFor returns the assumption behind a profile, "" where it is modelled.
func takenFor(p *kubelet.Profile) string {
	if !p.Extrapolated {
		return ""
	}
	return fmt.Sprintf("kubelet v1.%d behaves like %s, the newest known version", p.Minor, p.ModelledAs)
}

// unchangedAsFarAsKnown returns why a container stays if one of the two kubelets is not modelled, without a fact about
// that one.
func (n *node) unchangedAsFarAsKnown() string {
	return fmt.Sprintf("no known change affects it from %s to %s", n.minor(&n.change.From), n.minor(&n.change.To))
}

// assumedOfStart returns what every prediction for the node assumes about its present kubelet. The target's assumption
// is in the report, once for all nodes.
func (n *node) assumedOfStart() []string {
	text := takenFor(&n.change.From)
	if text == "" || n.of.o.To.Major != 0 && n.change.From.Minor == n.change.To.Minor {
		return nil
	}
	return []string{text}
}

// extrapolationFindings: it is unknown what a kubelet that is not modelled refuses to start with.
func (n *node) extrapolationFindings() []report.Finding {
	if !n.report.Extrapolated || n.from.Compare(n.to) == 0 {
		return nil
	}
	p := &n.change.To
	if !p.Extrapolated {
		p = &n.change.From
	}
	text := fmt.Sprintf("kubelet v1.%d is newer than the known versions and treated as %s: it is not known which flags, "+
		"feature gates and files the new kubelet rejects", p.Minor, p.ModelledAs)
	if n.staticUnknown {
		text += ", nor whether it recreates static pods"
	}
	return []report.Finding{{Level: report.FindingCheck, Rule: "kubelet-not-modelled", Text: text,
		Do: "use a kubectl-restartwhy that knows both versions, and read the release notes of the newer one"}}
}
