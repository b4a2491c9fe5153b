package report

import (
	"slices"
	"time"
)

// Cited returns the evidence that a verdict cites, each id once, the chain's first: it is the proof.
func (v *Verdict) Cited() []string {
	var out []string
	for i := range v.Chain {
		out = append(out, v.Chain[i].Evidence...)
	}
	for i := range v.Alternatives {
		out = append(out, v.Alternatives[i].Evidence...)
	}
	for i := range v.Eliminated {
		out = append(out, v.Eliminated[i].Evidence...)
	}
	return Unique(out)
}

// End identifies the end of one instance. The id of an item does not: it changes with the evidence.
func (i *Item) End() string {
	end := string(i.Kind)
	switch {
	case i.From != nil && i.From.ContainerID != "":
		end = i.From.ContainerID
	case i.Time != nil:
		end = i.Time.UTC().Format(time.RFC3339Nano)
	}
	return i.Namespace + "/" + i.Pod + "/" + i.PodUID + "/" + i.Container + "/" + end
}

// Narrowed is the part of a report about some of its items, by their positions: for a ticket, for a message.
func (r *Report) Narrowed(items ...int32) *Report {
	out := *r
	out.Items, out.Incidents, out.Evidence = nil, nil, nil
	ids, incidents, evidence := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, i := range items {
		it := r.Items[i]
		out.Items = append(out.Items, it)
		ids[it.ID], incidents[it.Incident] = true, true
		for _, id := range it.Verdict.Cited() {
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
