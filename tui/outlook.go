package tui

import (
	"cmp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// outlook is a preflight with what makes it quick to look at. It never changes.
type outlook struct {
	r     *report.Preflight
	items []int32  // all of them, worst first
	text  []string // of each item, in lower case, for filters
	// reasons and nodes find the groups and nodes of the report.
	reasons map[reason]*report.PreflightGroup
	nodes   map[string]*report.PreflightNode
}

// reason is what the groups of a preflight are told apart by.
type reason struct {
	prediction    report.Prediction
	rule, because string
}

func newOutlook(r *report.Preflight) *outlook {
	o := &outlook{r: r, text: make([]string, len(r.Items)), reasons: map[reason]*report.PreflightGroup{}, nodes: map[string]*report.PreflightNode{}}
	for i := range r.Nodes {
		o.nodes[r.Nodes[i].Node] = &r.Nodes[i]
	}
	for i := range r.Groups {
		g := &r.Groups[i]
		o.reasons[reason{g.Prediction, g.Rule, g.Because}] = g
	}
	for i := range r.Items {
		it := &r.Items[i]
		o.items = append(o.items, int32(i))
		o.text[i] = strings.ToLower(strings.Join([]string{it.Namespace, it.Pod, it.Container, it.Node, it.Kind, string(it.Prediction), it.Rule, it.Because}, "\n"))
	}
	slices.SortStableFunc(o.items, func(a, b int32) int {
		return cmp.Compare(badness(r.Items[a].Prediction), badness(r.Items[b].Prediction))
	})
	return o
}

// badness orders predictions, worst first; one that is not known counts as unknown.
func badness(p report.Prediction) int {
	if i := slices.Index(report.Predictions(), p); i >= 0 {
		return i
	}
	return slices.Index(report.Predictions(), report.Undetermined)
}

// why returns the reason of an item.
func (o *outlook) why(i int32) reason {
	it := &o.r.Items[i]
	return reason{it.Prediction, it.Rule, it.Because}
}

// do is what to do about an item, "" where nothing is advised.
func (o *outlook) do(i int32) string {
	if g := o.reasons[o.why(i)]; g != nil {
		return g.Do
	}
	return ""
}

// aspect says what the containers of a preflight are put together by.
type aspect int

const (
	aspectNode aspect = iota
	aspectReason
	aspectNamespace
	aspects
)

func (a aspect) String() string { return [...]string{"node", "reason", "namespace"}[a] }

// pile are the containers that have an aspect in common.
type pile struct {
	by     aspect
	name   string // of the node or namespace; the rule of a reason
	reason reason // by reason
	items  []int32
	count  report.PreflightCount
}

// key tells piles of one aspect apart.
func (p *pile) key() reason {
	if p.by == aspectReason {
		return p.reason
	}
	return reason{rule: p.name}
}

func (o *outlook) keyed(by aspect, i int32) pile {
	it := &o.r.Items[i]
	switch by {
	case aspectNode:
		return pile{by: by, name: it.Node}
	case aspectNamespace:
		return pile{by: by, name: it.Namespace}
	}
	return pile{by: by, name: it.Rule, reason: o.why(i)}
}

// piles puts items together: nodes in the report's order of pain, with those on
// which nothing runs; the others worst first.
func (o *outlook) piles(by aspect, items []int32) []*pile {
	var out []*pile
	at := map[reason]*pile{}
	find := func(p pile) *pile {
		if at[p.key()] == nil {
			at[p.key()] = &p
			out = append(out, &p)
		}
		return at[p.key()]
	}
	if by == aspectNode {
		for i := range o.r.Nodes {
			find(pile{by: by, name: o.r.Nodes[i].Node})
		}
	}
	for _, i := range items {
		p := find(o.keyed(by, i))
		p.items = append(p.items, i)
		p.count.Add(o.r.Items[i].Prediction)
	}
	if by != aspectNode {
		slices.SortStableFunc(out, func(a, b *pile) int {
			return cmp.Or(
				cmp.Compare(badness(a.worst()), badness(b.worst())), cmp.Compare(b.count.Restarts, a.count.Restarts),
				cmp.Compare(b.count.May, a.count.May), cmp.Compare(len(b.items), len(a.items)), cmp.Compare(a.name, b.name))
		})
	}
	return out
}

// worst is the worst prediction of a pile.
func (p *pile) worst() report.Prediction {
	switch c := p.count; {
	case c.Restarts > 0:
		return report.Restarts
	case c.May > 0:
		return report.MayRestart
	case c.Unknown > 0:
		return report.Undetermined
	}
	return report.Stays
}

// findings are those of a pile's node, worst first.
func (o *outlook) findings(p *pile) []report.Finding {
	n := o.nodes[p.name]
	if p.by != aspectNode || n == nil {
		return nil
	}
	levels := report.FindingLevels()
	out := slices.Clone(n.Findings)
	slices.SortStableFunc(out, func(a, b report.Finding) int {
		return slices.Index(levels, a.Level) - slices.Index(levels, b.Level)
	})
	return out
}

// passing returns the items that pass a filter.
func (o *outlook) passing(f filter, items []int32) (out []int32) {
	for _, i := range items {
		if f.passes(o.text[i]) {
			out = append(out, i)
		}
	}
	return out
}

// named tells whether a filter's words are in what a pile itself is: its name, its
// kubelet, its findings.
func (o *outlook) named(f filter, p *pile) bool {
	words := []string{p.name, string(p.reason.prediction), p.reason.because}
	if n := o.nodes[p.name]; n != nil && p.by == aspectNode {
		words = append(words, n.From, n.To, n.Runtime, n.OS)
		for _, f := range n.Findings {
			words = append(words, string(f.Level), f.Rule, f.Text, f.Do)
		}
	}
	return f.passes(strings.ToLower(strings.Join(words, "\n")))
}

// passes tells whether a text in lower case holds what it must and nothing else.
func (f filter) passes(text string) bool {
	return !slices.ContainsFunc(f.with, func(w string) bool { return !strings.Contains(text, w) }) &&
		!slices.ContainsFunc(f.without, func(w string) bool { return strings.Contains(text, w) })
}
