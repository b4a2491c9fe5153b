package history

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// startedAfterEnds dates the starts of instances that a kubelet reported right after its own start, when such lines
// tell of old starts too. Two instances of a container never run at once: one that runs after another one ended under
// the same kubelet was started in between.
func (t *builder) startedAfterEnds(g *group) {
	if len(g.instances) < 2 {
		return
	}
	for _, in := range g.instances {
		if !in.Started.IsZero() || !in.Created.IsZero() || in.Exited() {
			continue
		}
		for _, m := range in.Marks {
			if _, started := m.Obs.Fact.(evidence.ContainerStarted); !started || m.Obs.Source.Kind != evidence.SourceKubeletLog {
				continue
			}
			run, _ := t.Node(subject.NodeOf(m.Obs)).KubeletAt(m.At)
			if run != nil && slices.ContainsFunc(g.instances, func(o *timeline.Instance) bool {
				return o != in && !o.Finished.Before(run.Start) && !o.Finished.After(m.At.Add(tolerance.SameRelist))
			}) {
				in.SetTime(timeline.OfStarted, &in.Started, m.At, timeline.FromKubeletLog)
			}
		}
	}
}
