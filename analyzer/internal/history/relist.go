package history

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// startedAfterEnds dates the starts of instances that a kubelet reported right after its own start, when such lines
// tell of old starts too. Two instances of a container never run at once: one that is reported as running after
// another one ended was started in between.
func (g *group) startedAfterEnds() {
	if len(g.instances) < 2 {
		return
	}
	var ended time.Time // the first known end
	for _, in := range g.instances {
		if f := in.Finished; !f.IsZero() && (ended.IsZero() || f.Before(ended)) {
			ended = f
		}
	}
	if ended.IsZero() {
		return
	}
	for _, in := range g.instances {
		if !in.Started.IsZero() || in.Exited() {
			continue
		}
		for _, m := range in.Marks {
			if _, started := m.Obs.Fact.(evidence.ContainerStarted); started && m.Obs.Source.Kind == evidence.SourceKubeletLog &&
				!m.At.Before(ended.Add(-tolerance.SameRelist)) {
				in.SetTime(timeline.OfStarted, &in.Started, m.At, timeline.FromKubeletLog)
			}
		}
	}
}
