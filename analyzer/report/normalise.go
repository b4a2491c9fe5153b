package report

// Normalise makes every nil list of the report an empty one, so that a reader in any language may range over it without
// a check for null.
func (r *Report) Normalise() {
	r.APIVersion, r.Kind = APIVersion, Kind
	r.Profile, r.Items, r.Incidents = list(r.Profile), list(r.Items), list(r.Incidents)
	r.Evidence, r.Gaps = list(r.Evidence), list(r.Gaps)
	for i := range r.Items {
		if log := r.Items[i].PreviousLog; log != nil {
			log.Lines = list(log.Lines)
		}
		v := &r.Items[i].Verdict
		v.Chain, v.Alternatives = list(v.Chain), list(v.Alternatives)
		v.Missing, v.Actions, v.Eliminated = list(v.Missing), list(v.Actions), list(v.Eliminated)
		v.Decide = list(v.Decide)
		for j := range v.Decide {
			v.Decide[j].Cause = list(v.Decide[j].Cause)
		}
		for j := range v.Eliminated {
			v.Eliminated[j].Evidence, v.Eliminated[j].Causes = list(v.Eliminated[j].Evidence), list(v.Eliminated[j].Causes)
		}
		for j := range v.Chain {
			v.Chain[j].Evidence = list(v.Chain[j].Evidence)
		}
		for j := range v.Alternatives {
			v.Alternatives[j].Evidence = list(v.Alternatives[j].Evidence)
		}
	}
	r.Extrapolated = list(r.Extrapolated)
	for i := range r.Extrapolated {
		r.Extrapolated[i].Items = list(r.Extrapolated[i].Items)
	}
	for i := range r.NodeNotes {
		r.NodeNotes[i].Evidence = list(r.NodeNotes[i].Evidence)
	}
	for i := range r.Incidents {
		in := &r.Incidents[i]
		in.Items, in.Nodes, in.Parts = list(in.Items), list(in.Nodes), list(in.Parts)
		for j := range in.Parts {
			in.Parts[j].Items = list(in.Parts[j].Items)
		}
	}
}

// Find returns the evidence with this id, or nil.
func (r *Report) Find(id string) *Evidence {
	for i := range r.Evidence {
		if r.Evidence[i].ID == id {
			return &r.Evidence[i]
		}
	}
	return nil
}

// Unique drops duplicate ids and keeps the order. It returns no nil.
func Unique(ids []string) []string {
	out, seen := make([]string, 0, len(ids)), make(map[string]bool, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
