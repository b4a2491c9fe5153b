// Package incident groups restarts that share one root: one kubelet upgrade,
// twelve containers. It may import report and causes; it judges nothing, it
// only puts together what verdicts named as their root.
package incident

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Group finds the incidents among items. roots[i] is the root of items[i], nil
// where it has none. A root becomes an incident when at least two items share it
// and their verdicts are likely or better. The items get the incident's id.
func Group(items []report.Item, roots []*causes.Root) []report.Incident {
	type key struct{ cause, node, key string }
	members := map[key][]int{}
	for i, root := range roots {
		if root == nil || items[i].Verdict.Confidence.Rank() < report.Likely.Rank() {
			continue
		}
		k := key{items[i].Verdict.Cause, items[i].Node, root.Key}
		members[k] = append(members[k], i)
	}
	var out []report.Incident
	for k, is := range members {
		if len(is) < 2 {
			continue
		}
		in := report.Incident{ID: id(k.cause, k.node, k.key), Cause: k.cause, Node: k.node}
		start, end := roots[is[0]].At, time.Time{}
		for _, i := range is {
			items[i].Incident = in.ID
			in.Items = append(in.Items, items[i].ID)
			if t := items[i].Time; t != nil {
				if start.IsZero() || t.Before(start) {
					start = *t
				}
				if t.After(end) {
					end = *t
				}
			}
		}
		slices.Sort(in.Items)
		in.Start, in.End = report.Time(start), report.Time(end)
		in.Summary = fmt.Sprintf("%s: %d containers", roots[is[0]].Summary, len(is))
		out = append(out, in)
	}
	slices.SortFunc(out, func(a, b report.Incident) int {
		if a.End != nil && b.End != nil {
			if c := b.End.Compare(*a.End); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return out
}

func id(parts ...string) string {
	h := fnv.New64a()
	for _, p := range parts {
		fmt.Fprintf(h, "%s\x00", p)
	}
	return fmt.Sprintf("i%08x", uint32(h.Sum64()^h.Sum64()>>32))
}
