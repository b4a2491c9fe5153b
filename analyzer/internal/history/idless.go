package history

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// placeIDless assigns state records without an id to the instance whose end they match, and makes an instance for each
// of the others. kubectl describe prints the last state without its id; logs and tables have the id.
func (t *builder) placeIDless(g *group) {
	known := g.instances
	for _, o := range g.idless {
		rec := o.Fact.(evidence.ContainerRecord)
		var fits []*timeline.Instance
		for _, in := range known {
			if sameEnd(in, &rec) {
				fits = append(fits, in)
			}
		}
		if len(fits) == 1 {
			t.Fold(fits[0], o.Observation, o.Subject.Node)
			continue
		}
		in := &timeline.Instance{Attempt: -1, Lost: true, Present: !rec.Last}
		t.Fold(in, o.Observation, o.Subject.Node)
		g.instances = append(g.instances, in)
	}
}

// sameEnd reports whether an instance with an id matches the end and its time in a record without one. The times that
// the kubelet invents for a lost container (kubelet_pods.go convertToAPIContainerStatuses) match nothing.
func sameEnd(in *timeline.Instance, rec *evidence.ContainerRecord) bool {
	if in.ID == "" || rec.State != evidence.StateExited || rec.Reason == "ContainerStatusUnknown" ||
		rec.Finished.IsZero() ||
		in.Finished.IsZero() || in.ExitCode != nil && rec.ExitCode != nil && *in.ExitCode != *rec.ExitCode {
		return false
	}
	apart := tolerance.Slack
	if in.Coarse || rec.Coarse {
		apart = tolerance.Age
	}
	return in.Finished.Sub(rec.Finished).Abs() <= apart
}
