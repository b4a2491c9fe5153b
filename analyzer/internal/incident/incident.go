// Package incident groups restarts that share one root: one kubelet upgrade, three nodes, two hundred containers. It
// may import report and causes; it judges nothing, and only groups what verdicts name as their root.
package incident

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// part is what one root did on one node.
type part struct {
	cause, node, key string
	root             *causes.Root
	items            []int
	start, end       time.Time
}

// Group finds the incidents among items. roots[i] is the root of items[i], nil where it has none. A root becomes an
// incident when at least two items share it and their verdicts are likely or better (possible, where its words say so);
// the same kind of root on several nodes, shortly after each other, is one incident with a part for each node. Items
// without a shared root that fit a pattern are an incident too. Each item gets its incident's id.
func Group(items []report.Item, roots []*causes.Root) []report.Incident {
	var out []report.Incident
	for _, wave := range waves(parts(items, roots)) {
		total := 0
		for _, p := range wave {
			total += len(p.items)
		}
		if total >= 2 {
			out = append(out, told(items, wave))
		}
	}
	out = append(out, seen(items)...)
	slices.SortFunc(out, func(a, b report.Incident) int {
		return cmp.Or(moment(b.End).Compare(moment(a.End)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// moment returns the time, or the zero time for nil.
func moment(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}

// leastFor returns the confidence that a verdict needs to share the root: what states it as a fact needs likely.
func leastFor(root *causes.Root) report.Confidence {
	if root.Hedged {
		return report.Possible
	}
	return report.Likely
}

// parts groups the items with the same root on the same node.
func parts(items []report.Item, roots []*causes.Root) []*part {
	type key struct{ cause, node, key string }
	by := map[key]*part{}
	var all []*part
	for i, root := range roots {
		it := &items[i]
		if root == nil || it.Verdict.Confidence.Rank() < leastFor(root).Rank() {
			continue
		}
		k := key{it.Verdict.Cause, it.Node, root.Key}
		p := by[k]
		if p == nil {
			p = &part{cause: k.cause, node: k.node, key: k.key, root: root, start: root.At}
			by[k] = p
			all = append(all, p)
		}
		p.items = append(p.items, i)
		if t := it.Time; t != nil {
			if p.start.IsZero() || t.Before(p.start) {
				p.start = *t
			}
			if t.After(p.end) {
				p.end = *t
			}
		}
	}
	return all
}

// waves groups parts of one kind that follow each other on several nodes; every other part stays alone. Parts of a wave
// are in order of time.
func waves(all []*part) (out [][]*part) {
	type key struct{ cause, kind string }
	kinds := map[key][]*part{}
	var order []key
	for _, p := range all {
		k := key{p.cause, p.root.Kind}
		if k.kind == "" || p.node == "" || p.start.IsZero() {
			out = append(out, []*part{p})
			continue
		}
		if kinds[k] == nil {
			order = append(order, k)
		}
		kinds[k] = append(kinds[k], p)
	}
	for _, k := range order {
		row := kinds[k]
		slices.SortFunc(row, func(a, b *part) int {
			return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.node, b.node), cmp.Compare(a.key, b.key))
		})
		begin := 0
		for i := range row {
			if next := i + 1; next == len(row) ||
				row[next].start.Sub(row[i].start) > cmp.Or(row[i].root.Apart, tolerance.RolloutPause) {
				out = append(out, split(row[begin:next])...)
				begin = next
			}
		}
	}
	return out
}

// split keeps a row whole if it goes over several nodes; several roots on one node
// are several incidents.
func split(row []*part) (out [][]*part) {
	if slices.ContainsFunc(row, func(p *part) bool { return p.node != row[0].node }) {
		return [][]*part{row}
	}
	for i := range row {
		out = append(out, row[i:i+1])
	}
	return out
}

// told makes the incident of a wave and sets its id in the items.
func told(items []report.Item, wave []*part) report.Incident {
	first := wave[0]
	in := report.Incident{ID: id(first.cause, first.node, first.key), Cause: first.cause, Node: first.node}
	if len(wave) > 1 {
		in.ID, in.Node = id(first.cause, "", first.root.Kind, first.node, first.key), ""
	}
	var all []int
	start, end := first.start, first.end
	for _, p := range wave {
		all = append(all, p.items...)
		if p.end.After(end) {
			end = p.end
		}
		in.Nodes = append(in.Nodes, p.node)
		if len(wave) > 1 {
			one := report.IncidentPart{ID: id(p.cause, p.node, p.key), Node: p.node,
				Start: report.Time(p.start), End: report.Time(p.end), Items: names(items, p.items)}
			one.Containers, one.Pods = count(items, p.items)
			one.Summary = p.root.Summary + ": " + report.Count(one.Containers, "container") + " of " +
				report.Count(one.Pods, "pod")
			in.Parts = append(in.Parts, one)
		}
	}
	for _, i := range all {
		items[i].Incident = in.ID
	}
	slices.Sort(in.Nodes)
	in.Nodes = slices.Compact(in.Nodes)
	in.Start, in.End, in.Items = report.Time(start), report.Time(end), names(items, all)
	in.Containers, in.Pods = count(items, all)
	what := first.root.Summary
	if len(wave) > 1 {
		what = first.root.Kind + " on " + list(in.Nodes)
		what += lasting(wave[len(wave)-1].start.Sub(start))
	}
	in.Summary = what + ": " + report.Count(in.Containers, "container") + " of " + report.Count(in.Pods, "pod")
	if n := len(in.Items); n > in.Containers {
		in.Summary += fmt.Sprintf(", %d restarts", n)
	}
	return in
}

func names(items []report.Item, is []int) []string {
	out := make([]string, 0, len(is))
	for _, i := range is {
		out = append(out, items[i].ID)
	}
	slices.Sort(out)
	return out
}

// count returns the number of containers and pods among the items.
func count(items []report.Item, is []int) (containers, pods int) {
	type who struct{ uid, namespace, pod, container string }
	seen := map[who]bool{}
	for _, i := range is {
		it := &items[i]
		w := who{it.PodUID, it.Namespace, it.Pod, it.Container}
		if !seen[w] {
			seen[w] = true
			containers++
		}
		if w.container = "\x00"; !seen[w] { // no container has this name
			seen[w] = true
			pods++
		}
	}
	return containers, pods
}

// list names up to three nodes.
func list(nodes []string) string {
	const most = 3
	text := strings.Join(nodes[:min(most, len(nodes))], ", ")
	if more := len(nodes) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%d nodes (%s)", len(nodes), text)
}

// lasting says how long nodes followed each other, if it is a minute or more.
func lasting(d time.Duration) string {
	if d < time.Minute {
		return ""
	}
	return ", one after the other within " + within(d)
}

// within rounds up: "12 min", "3 h".
func within(d time.Duration) string {
	if d <= 90*time.Minute {
		return fmt.Sprintf("%d min", (d+time.Minute-1)/time.Minute)
	}
	return fmt.Sprintf("%d h", (d+time.Hour-1)/time.Hour)
}

func id(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		fmt.Fprintf(h, "%s\x00", p)
	}
	return fmt.Sprintf("i%08x", uint32(h.Sum64()^h.Sum64()>>32))
}
