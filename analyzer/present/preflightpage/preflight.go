// Package preflightpage turns a prediction into pages: what a change of kubelets will do, in groups, and what it did.
// Like package present, it decides on texts, order and limits, and not on the format.
//
// It may import analyzer/report, analyzer/document and analyzer/present.
package preflightpage

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Limits say how much of a preflight is on one page; 0 means all.
type Limits struct {
	Nodes, Items, Gaps int
	// Proof adds what proves each prediction; Stays lists the containers that stay.
	Proof, Stays bool
	// About adds what was requested, when and by which tool.
	About bool
	// Folds puts the containers below their nodes, for a reader who can open them.
	Folds bool
}

// listedNodes is how many nodes are listed after a finding.
const listedNodes = 5

// Title says in one line what would happen.
func Title(r *report.Preflight) string {
	what := "Replacing kubelets with " + r.To
	if r.To == "same" {
		what = "Restarting kubelets as they are"
	}
	text, rest := what+": ", r.Summary
	if rest.BlockedNodes > 0 {
		text += "on " + report.Count(rest.BlockedNodes, "node") + " the kubelet would not start; "
	}
	text += fmt.Sprintf("%d of %s would restart", rest.Restarts, report.Count(rest.Total(), "container"))
	if rest.Restarts = 0; rest.Total() > 0 {
		text += ", " + predicted(rest)
	}
	if slices.ContainsFunc(r.Nodes, func(n report.PreflightNode) bool { return n.Extrapolated }) {
		text += "; a kubelet newer than the newest known version is treated as that version"
	}
	return text
}

// Page returns a whole preflight on one page: the count, the nodes, their problems, the reasons with what to do, the
// containers.
func Page(r *report.Preflight, l Limits) document.Doc {
	var d document.Doc
	d.Add(document.Title(1, Title(r)))
	if l.About {
		d.Add(document.Note(present.Joined(" · ", present.Asked(r.Scope), present.About(r.GeneratedAt, r.Tool),
			"all times are UTC")))
	}
	const nodes = "Nodes, most affected first"
	if len(r.Nodes) > 0 && !l.Folds {
		d.Add(document.Title(2, nodes), preflightNodes(r, l))
	}
	var findings []document.ListItem
	for _, f := range sharedFindings(r) {
		findings = append(findings, findingEntry(f.Finding, f.where()))
	}
	d.Add(present.Section("Node findings", 2, document.Bullets, findings)...)
	var reasons []document.ListItem
	for n := range r.Groups {
		g := &r.Groups[n]
		size := fmt.Sprintf("%s of %s on %s", report.Count(g.Containers, "container"), report.Count(g.Pods, "pod"),
			report.Count(g.Nodes, "node"))
		reasons = append(reasons, document.ListItem{
			Label: document.Join(" ", document.Word(string(g.Prediction)), document.In(document.Code, g.Rule)),
			Text:  document.Say(size + ": " + g.Because),
			Below: advice(g.Do), Anchor: document.Anchor{Cause: g.Rule},
		})
	}
	d.Add(present.Section("Reasons", 2, document.Bullets, reasons)...)
	if l.Folds && len(r.Nodes)+len(r.Items) > 0 {
		d.Add(document.Title(2, nodes))
		d.Add(nodeFolds(r)...)
	} else if items := affected(r, l.Stays); len(items) > 0 {
		d.Add(document.Title(2, "Containers"), preflightItems(items, l))
	}
	d.Add(present.Section("Assumed", 2, document.Bullets, assumed(r))...)
	d.Add(present.Gaps(r.Gaps, l.Gaps)...)
	return d
}

func advice(do string) []document.Text {
	if do == "" {
		return nil
	}
	return []document.Text{append(document.In(document.Faint, "Do: "), document.Say(do)...)}
}

func findingEntry(f report.Finding, where string) document.ListItem {
	e := document.ListItem{Label: document.Word(string(f.Level)), Text: document.Say(present.Joined(": ", where, f.Text)),
		Below: advice(f.Do)}
	e.Anchor.Copy = present.Joined("; do: ", string(f.Level)+" ("+f.Rule+"): "+f.Text, f.Do)
	return e
}

// sharedFinding is a finding with the nodes that have it.
type sharedFinding struct {
	report.Finding
	nodes []string
}

func (f *sharedFinding) where() string {
	shown, left := present.First(f.nodes, listedNodes)
	if left > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), left)
	}
	return strings.Join(shown, ", ")
}

// sharedFindings groups the findings that several nodes have in common, worst first.
func sharedFindings(r *report.Preflight) []sharedFinding {
	at := map[report.Finding]int{}
	var all []sharedFinding
	for i := range r.Nodes {
		for _, f := range r.Nodes[i].Findings {
			n, ok := at[f]
			if !ok {
				n = len(all)
				at[f] = n
				all = append(all, sharedFinding{Finding: f})
			}
			all[n].nodes = append(all[n].nodes, r.Nodes[i].Node)
		}
	}
	slices.SortStableFunc(all, func(a, b sharedFinding) int { return worstFirst(a.Finding, b.Finding) })
	return all
}

// worstFirst orders findings by their level.
func worstFirst(a, b report.Finding) int {
	levels := report.FindingLevels()
	return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
}

func preflightNodes(r *report.Preflight, l Limits) document.Table {
	t := document.Table{Heads: []string{"NODE", "KUBELET", "RESTARTS", "MAY", "UNKNOWN", "STAYS", "BLOCKED"}}
	nodes, left := present.First(r.Nodes, l.Nodes)
	if left > 0 {
		t.More = fmt.Sprintf("and %d more with fewer restarts (-o wide)", left)
	}
	for i := range nodes {
		n := &nodes[i]
		t.Rows = append(t.Rows, document.Row{Cells: document.Cells(n.Node, cmp.Or(n.From, "unknown"),
			strconv.Itoa(n.Count.Restarts), strconv.Itoa(n.Count.May), strconv.Itoa(n.Count.Unknown),
			strconv.Itoa(n.Count.Stays), blocked(n))})
	}
	return t
}

// blocked says no for a node only if nothing is left to check.
func blocked(n *report.PreflightNode) string {
	switch {
	case n.Blocked:
		return "yes"
	case n.Extrapolated && n.From != n.To:
		return "unknown"
	case slices.ContainsFunc(n.Findings, func(f report.Finding) bool { return f.Level == report.FindingCheck }):
		return "check"
	}
	return "no"
}

// affected returns the containers worth a row, worst first, or all that stay, in their order.
func affected(r *report.Preflight, stays bool) (out []*report.PreflightItem) {
	for _, p := range report.Predictions() {
		for i := range r.Items {
			if it := &r.Items[i]; stays && p == report.Restarts || it.Prediction == p && p != report.Stays && !stays {
				out = append(out, it)
			}
		}
	}
	return out
}

func preflightItems(items []*report.PreflightItem, l Limits) document.Table {
	t := document.Table{Heads: []string{"PREDICTION", "NODE", "NAMESPACE", "POD", "CONTAINER", "KIND", "RULE"}}
	if l.Proof {
		t.Heads = append(t.Heads, "PROOF")
	}
	items, left := present.First(items, l.Items)
	if left > 0 {
		t.More = fmt.Sprintf("and %d more (-o wide)", left)
	}
	for _, it := range items {
		cells := append([]document.Text{document.Word(string(it.Prediction))},
			document.Cells(it.Node, it.Namespace, it.Pod, it.Container, it.Kind, it.Rule)...)
		if l.Proof {
			cells = append(cells, document.Say(it.Proof))
		}
		t.Rows = append(t.Rows, document.Row{Cells: cells})
	}
	return t
}

// assumed lists what is assumed everywhere, and what for some containers, with their number.
func assumed(r *report.Preflight) []document.ListItem {
	var out []document.ListItem
	for _, a := range r.Assumed {
		out = append(out, document.Entry(a))
	}
	times := map[string]int{}
	var order []string
	for i := range r.Items {
		for _, a := range r.Items[i].Assumed {
			if times[a] == 0 {
				order = append(order, a)
			}
			times[a]++
		}
	}
	for _, a := range order {
		out = append(out, document.Entry(fmt.Sprintf("%s (%s)", a, report.Count(times[a], "container"))))
	}
	return out
}
