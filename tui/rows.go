package tui

import (
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// none stands for "no incident" or "no item" in a row.
const none = -1

// row is one line of the list: an incident (item is none), or an item, which
// belongs to an incident or not (incident is none). Both are indexes into the
// report, so that 100 000 rows cost less than a megabyte.
type row struct{ incident, item int32 }

// group is an incident of at least two items.
type group struct {
	incident int32
	items    []int32
	// weakest is the least confidence among the items: a group claims no more
	// than its weakest member.
	weakest report.Confidence
	open    bool
}

// rows turns a report into the visible lines of the list.
type rows struct {
	groups []group
	of     []int32 // incident → index into groups, or none
	single []int32 // items outside the groups, in the order of the report
}

func newRows(r *report.Report) *rows {
	byID := make(map[string]int32, len(r.Incidents))
	for i := range r.Incidents {
		byID[r.Incidents[i].ID] = int32(i)
	}
	members := make([][]int32, len(r.Incidents))
	for i := range r.Items {
		if n, ok := byID[r.Items[i].Incident]; ok && r.Items[i].Incident != "" {
			members[n] = append(members[n], int32(i))
		}
	}
	out := &rows{of: make([]int32, len(members)), single: make([]int32, 0, len(r.Items))}
	for n, items := range members {
		out.of[n] = none
		if len(items) > 1 {
			out.of[n] = int32(len(out.groups))
			out.groups = append(out.groups, group{incident: int32(n), items: items, weakest: weakest(r, items)})
		}
	}
	for i := range r.Items {
		n, ok := byID[r.Items[i].Incident]
		if !ok || len(members[n]) < 2 {
			out.single = append(out.single, int32(i))
		}
	}
	return out
}

func weakest(r *report.Report, items []int32) report.Confidence {
	least := report.Proven
	for _, i := range items {
		if c := r.Items[i].Verdict.Confidence; c.Rank() < least.Rank() {
			least = c
		}
	}
	return least
}

// visible lists the rows to show: incidents first. Under a filter every incident
// with a matching item is open, and an incident that matches itself keeps all.
func (rs *rows) visible(f filter, ix *index) []row {
	out := make([]row, 0, len(rs.single)+len(rs.groups))
	for g := range rs.groups {
		gr := &rs.groups[g]
		head := row{gr.incident, none}
		if f.empty() {
			out = append(out, head)
			if gr.open {
				out = appendItems(out, gr.incident, gr.items, nil)
			}
			continue
		}
		keep := func(i int32) bool { return f.match(ix.items[i]) }
		if f.match(ix.incidents[gr.incident]) {
			keep = nil
		}
		if with := appendItems(append(out, head), gr.incident, gr.items, keep); len(with) > len(out)+1 {
			out = with
		}
	}
	if f.empty() {
		return appendItems(out, none, rs.single, nil)
	}
	return appendItems(out, none, rs.single, func(i int32) bool { return f.match(ix.items[i]) })
}

func appendItems(out []row, incident int32, items []int32, keep func(int32) bool) []row {
	for _, i := range items {
		if keep == nil || keep(i) {
			out = append(out, row{incident, i})
		}
	}
	return out
}

// group returns the group of an incident, or nil.
func (rs *rows) group(incident int32) *group {
	if g := rs.of[incident]; g != none {
		return &rs.groups[g]
	}
	return nil
}

// index makes filtering and the look-up of evidence cheap. It is built once, by
// a command beside the first frame, because a large report takes a while.
type index struct {
	items     []string // one lower-case line per item
	incidents []string
	evidence  map[string]int
}

func newIndex(r *report.Report) *index {
	ix := &index{
		items: make([]string, len(r.Items)), incidents: make([]string, len(r.Incidents)),
		evidence: make(map[string]int, len(r.Evidence)),
	}
	// One block of memory for all lines: a filter reads every one of them.
	var all strings.Builder
	ends := make([]int, len(r.Items))
	for i := range r.Items {
		it := &r.Items[i]
		for _, field := range []string{
			it.Namespace, "/", it.Pod, "/", it.Container, "\n", it.Node, "\n", string(it.Kind), "\n", it.ContainerKind, "\n",
			it.Verdict.Cause, "\n", it.Verdict.Mechanism, "\n", string(it.Verdict.Confidence), "\n", it.Verdict.Summary, "\n", exit(it.From),
		} {
			all.WriteString(strings.ToLower(field))
		}
		ends[i] = all.Len()
	}
	text, from := all.String(), 0
	for i, end := range ends {
		ix.items[i], from = text[from:end], end
	}
	for i := range r.Incidents {
		in := &r.Incidents[i]
		ix.incidents[i] = strings.ToLower(strings.Join([]string{in.ID, in.Cause, in.Node, in.Summary}, "\n"))
	}
	for i := range r.Evidence {
		ix.evidence[r.Evidence[i].ID] = i
	}
	return ix
}

// exit says how an instance ended: "exit 137 Error", "" when nobody knows.
func exit(in *report.Instance) string {
	if in == nil {
		return ""
	}
	var parts []string
	if in.ExitCode != nil {
		parts = append(parts, "exit "+strconv.Itoa(int(*in.ExitCode)))
	}
	if in.Signal != 0 {
		parts = append(parts, "signal "+strconv.Itoa(int(in.Signal)))
	}
	if in.Reason != "" {
		parts = append(parts, in.Reason)
	}
	return strings.Join(parts, " ")
}
