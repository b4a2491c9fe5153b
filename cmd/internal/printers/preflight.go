package printers

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// PreflightFormats are the values of -o for a preflight report.
const PreflightFormats = "table|wide|json|yaml|name|markdown|html"

// How much of a large preflight stands in text for people; -o wide, json and yaml have it all.
const (
	preflightNodes = 20
	preflightItems = 30
	listedNodes    = 5 // behind a finding
)

// PreflightPrinter writes one preflight report.
type PreflightPrinter func(w io.Writer, r *report.Preflight) error

// NewPreflight returns the printer for a format, or an error that names the formats.
func NewPreflight(format string) (PreflightPrinter, error) {
	switch format {
	case "", "table":
		return func(w io.Writer, r *report.Preflight) error { return preflightText(w, r, false) }, nil
	case "wide":
		return func(w io.Writer, r *report.Preflight) error { return preflightText(w, r, true) }, nil
	case "json":
		return preflightJSON, nil
	case "yaml":
		return printYAML[*report.Preflight], nil
	case "name":
		return preflightNames, nil
	case "markdown":
		return preflightMarkdown, nil
	case "html":
		return preflightHTML, nil
	}
	return nil, fmt.Errorf("unknown output format %q: want %s", format, PreflightFormats)
}

// preflightNames prints the pods of which a container restarts or may restart, as kubectl -o name does.
func preflightNames(w io.Writer, r *report.Preflight) error {
	var b strings.Builder
	seen := map[[2]string]bool{}
	for i := range r.Items {
		it := &r.Items[i]
		key := [2]string{it.Namespace, it.Pod}
		if (it.Prediction == report.Restarts || it.Prediction == report.MayRestart) && !seen[key] {
			seen[key] = true
			fmt.Fprintf(&b, "pod/%s\n", it.Pod)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// preflightHeadline says in one line what would happen.
func preflightHeadline(r *report.Preflight) string {
	what := "Kubelets to " + r.To
	if r.To == "same" {
		what = "Kubelets restarted as they are"
	}
	s := r.Summary
	text := fmt.Sprintf("%s: %d of %s would restart, %d may, %d unknown, %d stay", what, s.Restarts, count(s.Total(), "container"), s.May, s.Unknown, s.Stays)
	if s.BlockedNodes > 0 {
		text += fmt.Sprintf("; on %s the kubelet would not start", count(s.BlockedNodes, "node"))
	}
	if slices.ContainsFunc(r.Nodes, func(n report.PreflightNode) bool { return n.Extrapolated }) {
		text += "; a kubelet that is too new to be known is taken for the newest one that is"
	}
	return text
}

// sharedFinding is a finding with the nodes that have it.
type sharedFinding struct {
	report.Finding
	nodes []string
}

// sharedFindings gathers what several nodes have in common, worst first.
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
	levels := report.FindingLevels()
	slices.SortStableFunc(all, func(a, b sharedFinding) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
	return all
}

func (f *sharedFinding) where() string {
	if more := len(f.nodes) - listedNodes; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(f.nodes[:listedNodes], ", "), more)
	}
	return strings.Join(f.nodes, ", ")
}

// affected are the items worth a line: everything but what stays.
func affected(r *report.Preflight) (out []*report.PreflightItem) {
	for _, p := range report.Predictions() {
		for i := range r.Items {
			if it := &r.Items[i]; it.Prediction == p && p != report.Stays {
				out = append(out, it)
			}
		}
	}
	return out
}

// nodeRow says no for a node only where nothing is left to look at.
func nodeRow(n *report.PreflightNode) []string {
	blocked := "no"
	switch {
	case n.Blocked:
		blocked = "yes"
	case n.Extrapolated && n.From != n.To:
		blocked = "unknown"
	case slices.ContainsFunc(n.Findings, func(f report.Finding) bool { return f.Level == report.FindingCheck }):
		blocked = "check"
	}
	from := n.From
	if from == "" {
		from = "unknown"
	}
	c := &n.Count
	return []string{n.Node, from, strconv.Itoa(c.Restarts), strconv.Itoa(c.May), strconv.Itoa(c.Unknown), strconv.Itoa(c.Stays), blocked}
}

var nodeHeads = []string{"NODE", "KUBELET", "RESTARTS", "MAY", "UNKNOWN", "STAYS", "BLOCKED"}

func groupSize(g *report.PreflightGroup) string {
	return fmt.Sprintf("%s of %s on %s", count(g.Containers, "container"), count(g.Pods, "pod"), count(g.Nodes, "node"))
}

func preflightText(w io.Writer, r *report.Preflight, wide bool) error {
	var b strings.Builder
	b.WriteString(preflightHeadline(r) + "\n")
	if len(r.Nodes) > 0 {
		rows := [][]string{nodeHeads}
		for i := range r.Nodes {
			if i == preflightNodes && !wide {
				break
			}
			rows = append(rows, nodeRow(&r.Nodes[i]))
		}
		b.WriteString("\n")
		columns(&b, rows)
		if more := len(r.Nodes) - preflightNodes; more > 0 && !wide {
			fmt.Fprintf(&b, "and %d more, where less restarts (-o wide)\n", more)
		}
	}
	for n, f := range sharedFindings(r) {
		if n == 0 {
			b.WriteString("\nNODES\n")
		}
		fmt.Fprintf(&b, "  %s: %s: %s\n", f.Level, f.where(), f.Text)
		if f.Do != "" {
			fmt.Fprintf(&b, "    do: %s\n", f.Do)
		}
	}
	for n := range r.Groups {
		if n == 0 {
			b.WriteString("\nREASONS\n")
		}
		g := &r.Groups[n]
		fmt.Fprintf(&b, "  %s: %s: %s\n    %s\n", g.Prediction, g.Rule, groupSize(g), g.Because)
		if g.Do != "" {
			fmt.Fprintf(&b, "    do: %s\n", g.Do)
		}
	}
	items := affected(r)
	if wide {
		items = nil
		for i := range r.Items {
			items = append(items, &r.Items[i])
		}
	}
	if len(items) > 0 {
		heads := []string{"PREDICTION", "NODE", "NAMESPACE", "POD", "CONTAINER", "KIND", "RULE"}
		if wide {
			heads = append(heads, "PROOF")
		}
		rows := [][]string{heads}
		for n, it := range items {
			if n == preflightItems && !wide {
				break
			}
			row := []string{string(it.Prediction), it.Node, it.Namespace, it.Pod, it.Container, it.Kind, it.Rule}
			if wide {
				row = append(row, it.Proof)
			}
			rows = append(rows, row)
		}
		b.WriteString("\n")
		columns(&b, rows)
		if more := len(items) - preflightItems; more > 0 && !wide {
			fmt.Fprintf(&b, "and %d more (-o wide)\n", more)
		}
	}
	for n, a := range preflightAssumed(r) {
		if n == 0 {
			b.WriteString("\nASSUMED\n")
		}
		fmt.Fprintf(&b, "  %s\n", a)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// preflightAssumed is what is assumed everywhere, and what is assumed of some containers with their number.
func preflightAssumed(r *report.Preflight) []string {
	out := slices.Clone(r.Assumed)
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
		out = append(out, fmt.Sprintf("%s (%s)", a, count(times[a], "container")))
	}
	return out
}

// columns writes rows as kubectl's tables are.
func columns(b *strings.Builder, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, c := range row {
			line.WriteString(c + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)) + gutter)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
