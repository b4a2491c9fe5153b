package dataset

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/present"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Narrowed is the part of a report about some of its items, for a file that goes with a ticket.
func Narrowed(r *report.Report, items []int32) *report.Report {
	out := *r
	out.Items, out.Incidents, out.Evidence = nil, nil, nil
	ids, incidents, evidence := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, i := range items {
		it := r.Items[i]
		out.Items = append(out.Items, it)
		ids[it.ID], incidents[it.Incident] = true, true
		for _, id := range present.Cited(&it.Verdict) {
			evidence[id] = true
		}
	}
	for _, in := range r.Incidents {
		if incidents[in.ID] {
			out.Incidents = append(out.Incidents, in)
		}
	}
	out.Extrapolated = nil
	for _, x := range r.Extrapolated {
		x.Items = slices.DeleteFunc(slices.Clone(x.Items), func(id string) bool { return !ids[id] })
		out.Extrapolated = append(out.Extrapolated, x)
	}
	for _, n := range r.NodeNotes {
		for _, id := range n.Evidence {
			evidence[id] = true
		}
	}
	for _, e := range r.Evidence {
		if evidence[e.ID] {
			out.Evidence = append(out.Evidence, e)
		}
	}
	out.Normalise()
	return &out
}
