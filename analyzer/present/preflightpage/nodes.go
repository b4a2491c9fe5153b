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

// nodeFolds returns the nodes, each with its findings and its containers, worst first. A fold's Anchor.ID is its node;
// the row of a container has its index as Anchor.Opens.
func nodeFolds(r *report.Preflight) []document.Block {
	var out []document.Block
	nodes, on := slices.Clone(r.Nodes), map[string][]int{}
	for i := range nodes {
		on[nodes[i].Node] = nil
	}
	for i := range r.Items {
		name := r.Items[i].Node
		if _, known := on[name]; !known {
			nodes = append(nodes, report.PreflightNode{Node: name, To: r.To})
		}
		on[name] = append(on[name], i)
	}
	for n := range nodes {
		node, count := &nodes[n], report.PreflightCount{}
		for _, i := range on[node.Node] {
			count.Add(r.Items[i].Prediction)
		}
		words := document.Text(nil)
		switch b := blocked(node); b {
		case "yes":
			words = document.Word(string(report.FindingBlocker))
		case "check":
			words = document.Word(b)
		}
		name := cmp.Or(node.Node, "node not known")
		fold := document.Fold{Open: len(nodes) == 1,
			Summary: document.Join("  ", document.In(document.Strong, name), document.Say(predicted(count)), words),
			Anchor:  document.Anchor{ID: node.Node, Copy: name + ": " + predicted(count)}}
		fold.Blocks = append(fold.Blocks, document.Note(present.Joined(" · ",
			"kubelet "+cmp.Or(node.From, "unknown")+" → "+node.To, node.Runtime, node.OS)))
		if node.Blocked {
			fold.Blocks = append(fold.Blocks, document.Para(notYet))
		}
		list := document.List{}
		findings := slices.Clone(node.Findings)
		slices.SortStableFunc(findings, worstFirst)
		for _, f := range findings {
			list.Entries = append(list.Entries, findingEntry(f, ""))
		}
		items := on[node.Node]
		slices.SortStableFunc(items, func(a, b int) int {
			return severity(r.Items[a].Prediction) - severity(r.Items[b].Prediction)
		})
		for _, i := range items {
			it := &r.Items[i]
			list.Entries = append(list.Entries, document.ListItem{Label: document.Word(string(it.Prediction)),
				Text:   document.Say(container(it) + "  " + it.Rule),
				Anchor: document.Anchor{Copy: Line(it), Cause: it.Rule, Opens: strconv.Itoa(i)}})
		}
		fold.Blocks = append(fold.Blocks, list)
		out = append(out, fold)
	}
	return out
}

// severity orders predictions, worst first; an invalid one counts as unknown.
func severity(p report.Prediction) int {
	if i := slices.Index(report.Predictions(), p); i >= 0 {
		return i
	}
	return slices.Index(report.Predictions(), report.Undetermined)
}

// container returns a container's name, with its kind unless it is an app container.
func container(it *report.PreflightItem) string {
	return present.WithKind(it.Namespace+"/"+it.Pod+"/"+it.Container, it.Kind)
}

// predicted counts predictions as text, omitting zeros.
func predicted(c report.PreflightCount) string {
	var out []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{c.Restarts, "restarts", "restart"}, {c.May, "may restart", "may restart"},
		{c.Unknown, "unknown", "unknown"}, {c.Stays, "stays", "stay"}} {
		switch {
		case p.n == 1:
			out = append(out, "1 "+p.one)
		case p.n > 1:
			out = append(out, strconv.Itoa(p.n)+" "+p.many)
		}
	}
	if len(out) == 0 {
		return "no container runs here"
	}
	return strings.Join(out, ", ")
}

// notYet is shown where the new kubelet does not even start.
const notYet = "The new kubelet would not start: the containers keep running without one. The predictions apply once " +
	"this is fixed."

// Line returns a prediction in one line, for a clipboard.
func Line(it *report.PreflightItem) string {
	return fmt.Sprintf("%s/%s/%s: %s (%s): %s", it.Namespace, it.Pod, it.Container, it.Prediction, it.Rule, it.Because)
}

// predictions explain each word.
var predictions = map[report.Prediction]string{
	report.Restarts:   "the new kubelet stops and restarts it",
	report.MayRestart: "it depends on something that cannot be known in advance",
	report.Stays:      "it is not affected", report.Undetermined: "the evidence does not show it",
}

// Container returns all that is known about one container.
func Container(r *report.Preflight, it *report.PreflightItem) []document.Block {
	var facts []string
	add := func(more ...string) { facts = append(facts, more...) }
	for _, g := range r.Groups {
		if g.Prediction == it.Prediction && g.Rule == it.Rule && g.Because == it.Because {
			add("do", g.Do)
		}
	}
	add("because", it.Because, "proof", it.Proof, "rule", it.Rule, "function", it.Function)
	for _, a := range it.Assumed {
		add("assumed", a)
	}
	for _, n := range r.Nodes {
		if n.Node == it.Node && n.Blocked {
			add("note", notYet)
		}
	}
	add("node", it.Node, "pod", it.Namespace+"/"+it.Pod, "pod uid", it.PodUID,
		"container", it.Container, "kind", it.Kind)
	list := document.List{Kind: document.Fields, Entries: document.FieldsOf(facts...)}
	for n := range list.Entries {
		list.Entries[n].Anchor = document.Anchor{Copy: list.Entries[n].Text.String(), Cause: it.Rule}
	}
	head := document.Join("  ", document.Word(string(it.Prediction)),
		document.In(document.Strong, predictions[it.Prediction]))
	return []document.Block{document.Paragraph{Text: head}, list}
}

// Glossary explains the words of a preflight.
func Glossary() []document.Block {
	var words, levels []document.ListItem
	for _, p := range report.Predictions() {
		words = append(words, document.ListItem{Label: document.Word(string(p)), Text: document.Say(predictions[p])})
	}
	for n, l := range report.FindingLevels() {
		meaning := [...]string{"the new kubelet exits at once; the containers keep running without one",
			"not supported, or dangerous", "it could not be read: check it", "for information: it stops nothing"}[n]
		levels = append(levels, document.ListItem{Label: document.Word(string(l)), Text: document.Say(meaning)})
	}
	return slices.Concat(present.Section("What a prediction means for a container", 2, document.Fields, words),
		present.Section("What a finding means for a node", 2, document.Fields, levels))
}
