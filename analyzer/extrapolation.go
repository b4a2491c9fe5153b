package analyzer

import (
	"cmp"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// extrapolation collects the items that rest on a kubelet which is not modelled, by node and version.
type extrapolation map[kubeletOf][]string

type kubeletOf struct{ node, version string }

// add records that an item's verdict rests on a version; "" is none.
func (e extrapolation) add(version string, it *report.Item) {
	if version != "" {
		k := kubeletOf{it.Node, version}
		e[k] = append(e[k], it.ID)
	}
}

// list returns the extrapolations. A wanted node whose present kubelet is not modelled is included even without items:
// a log with new messages may contain more ends than were parsed.
func (e extrapolation) list(s *evidence.Snapshot, wants func(node string) bool) []report.Extrapolation {
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if version := release.Unmodelled(n.KubeletVersion); version != "" && wants(n.Name) {
			k := kubeletOf{n.Name, version}
			e[k] = slices.Clip(e[k])
		}
	}
	var out []report.Extrapolation
	for k, items := range e {
		out = append(out, report.Extrapolation{
			Node: k.node, KubeletVersion: k.version, ModelledAs: modelledAs(k.version), Items: items,
			Text: "kubelet " + release.TakenFor(k.version) +
				": nothing that it did here is proven, and log messages with new wording are not read",
		})
	}
	slices.SortFunc(out, func(a, b report.Extrapolation) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.KubeletVersion, b.KubeletVersion))
	})
	return out
}

// modelledAs returns the minor whose behaviour is assumed for a version; "unknown" where there is none.
func modelledAs(version string) string {
	if v, err := kubelet.ParseVersion(version); err == nil {
		if p, err := kubelet.ProfileFor(v); err == nil {
			return p.ModelledAs
		}
	}
	return "unknown"
}

// extrapolationNotes returns the extrapolations as notes, for readers of other formats than JSON.
func extrapolationNotes(all []report.Extrapolation) (notes []report.NodeNote) {
	for _, x := range all {
		notes = append(notes, report.NodeNote{Node: x.Node, Text: x.Text,
			Hint: "a newer kubectl-restartwhy may know this kubelet version"})
	}
	return notes
}
