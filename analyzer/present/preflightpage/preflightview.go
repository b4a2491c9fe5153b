package preflightpage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// View is a preflight with what makes it quick to look at. It never changes.
type View struct {
	Report *report.Preflight
	Items  []int32  // all of them, worst first
	text   []string // of each item, in lower case, for filters
	// reasons and nodes find the groups and nodes of the report.
	reasons map[reason]*report.PreflightGroup
	nodes   map[string]*report.PreflightNode
}

// reason is what the groups of a preflight differ in.
type reason struct {
	prediction    report.Prediction
	rule, because string
}

// NewView prepares a preflight for looking at it.
func NewView(r *report.Preflight) *View {
	o := &View{Report: r, text: make([]string, len(r.Items)), reasons: map[reason]*report.PreflightGroup{},
		nodes: map[string]*report.PreflightNode{}}
	for i := range r.Nodes {
		o.nodes[r.Nodes[i].Node] = &r.Nodes[i]
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		o.reasons[reason{g.Prediction, g.Rule, g.Because}] = g
	}
	for i := range r.Items {
		it := &r.Items[i]
		o.Items = append(o.Items, int32(i))
		o.text[i] = strings.ToLower(strings.Join([]string{it.Namespace, it.Pod,
			it.Container, it.Node, it.Kind, string(it.Prediction), it.Rule, it.Because}, "\n"))
	}
	slices.SortStableFunc(o.Items, func(a, b int32) int {
		return cmp.Compare(severity(r.Items[a].Prediction), severity(r.Items[b].Prediction))
	})
	return o
}

// severity orders predictions, worst first; one that is not known counts as unknown.
func severity(p report.Prediction) int {
	if i := slices.Index(report.Predictions(), p); i >= 0 {
		return i
	}
	return slices.Index(report.Predictions(), report.Undetermined)
}

func (o *View) why(i int32) reason {
	it := &o.Report.Items[i]
	return reason{it.Prediction, it.Rule, it.Because}
}

// do is what to do about an item, "" where nothing is advised.
func (o *View) do(i int32) string {
	if g := o.reasons[o.why(i)]; g != nil {
		return g.Do
	}
	return ""
}

// Aspect says what the containers of a preflight are put together by.
type Aspect int

// The aspects, and how many there are.
const (
	ByNode Aspect = iota
	ByReason
	ByNamespace
	Aspects
)

func (a Aspect) String() string { return [...]string{"node", "reason", "namespace"}[a] }

// Group are the containers that have an aspect in common.
type Group struct {
	By     Aspect
	Name   string // of the node or namespace; the rule of a reason
	reason reason // by reason
	Items  []int32
	Count  report.PreflightCount
}

// key is unique among groups of one aspect.
func (p *Group) key() reason {
	if p.By == ByReason {
		return p.reason
	}
	return reason{rule: p.Name}
}

func (o *View) keyed(by Aspect, i int32) Group {
	it := &o.Report.Items[i]
	switch by {
	case ByNode:
		return Group{By: by, Name: it.Node}
	case ByNamespace:
		return Group{By: by, Name: it.Namespace}
	}
	return Group{By: by, Name: it.Rule, reason: o.why(i)}
}

// Groups puts items together: nodes in the report's order, with those on
// which nothing runs; the others worst first.
func (o *View) Groups(by Aspect, items []int32) []*Group {
	var out []*Group
	at := map[reason]*Group{}
	find := func(p Group) *Group {
		if at[p.key()] == nil {
			at[p.key()] = &p
			out = append(out, &p)
		}
		return at[p.key()]
	}
	if by == ByNode {
		for i := range o.Report.Nodes {
			find(Group{By: by, Name: o.Report.Nodes[i].Node})
		}
	}
	for _, i := range items {
		p := find(o.keyed(by, i))
		p.Items = append(p.Items, i)
		p.Count.Add(o.Report.Items[i].Prediction)
	}
	if by != ByNode {
		slices.SortStableFunc(out, func(a, b *Group) int {
			return cmp.Or(
				cmp.Compare(severity(a.Worst()), severity(b.Worst())), cmp.Compare(b.Count.Restarts, a.Count.Restarts),
				cmp.Compare(b.Count.May, a.Count.May), cmp.Compare(len(b.Items), len(a.Items)), cmp.Compare(a.Name, b.Name))
		})
	}
	return out
}

// Worst is the worst prediction of a group.
func (p *Group) Worst() report.Prediction {
	switch c := p.Count; {
	case c.Restarts > 0:
		return report.Restarts
	case c.May > 0:
		return report.MayRestart
	case c.Unknown > 0:
		return report.Undetermined
	}
	return report.Stays
}

// Findings are those of a group's node, worst first.
func (o *View) Findings(p *Group) []report.Finding {
	n := o.nodes[p.Name]
	if p.By != ByNode || n == nil {
		return nil
	}
	levels := report.FindingLevels()
	out := slices.Clone(n.Findings)
	slices.SortStableFunc(out, func(a, b report.Finding) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
	return out
}

// Passing returns those of the items whose words pass a filter.
func (o *View) Passing(pass func(text string) bool, items []int32) (out []int32) {
	for _, i := range items {
		if pass(o.text[i]) {
			out = append(out, i)
		}
	}
	return out
}

// Named reports whether what a group itself is passes a filter: its name, its kubelet,
// its findings.
func (o *View) Named(pass func(text string) bool, p *Group) bool {
	words := []string{p.Name, string(p.reason.prediction), p.reason.because}
	if n := o.nodes[p.Name]; n != nil && p.By == ByNode {
		words = append(words, n.From, n.To, n.Runtime, n.OS)
		for _, f := range n.Findings {
			words = append(words, string(f.Level), f.Rule, f.Text, f.Do)
		}
	}
	return pass(strings.ToLower(strings.Join(words, "\n")))
}
