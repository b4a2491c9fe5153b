package basis

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// carried returns the lines that stand before the end only because of how far a log's clock was taken to be from the
// node's. Where it was taken to be ahead, all of that may be how late its lines are; where it is behind, a part of it.
func (f *Basis) carried(s timeline.Skew) (ids []string) {
	end := f.R.From.Finished
	if !s.Loose || end.IsZero() || f.Node == nil {
		return nil
	}
	late := max(s.Offset, tolerance.LateLook)
	for _, m := range slices.Concat(f.R.From.Marks, f.R.PodMarks, f.Node.AdminActions, f.Node.Shortages) {
		if m.Obs.Source.Kind != s.Source || !m.At.Before(end) || m.At.Add(late).Before(end) {
			continue
		}
		switch m.Obs.Fact.(type) {
		case evidence.ContainerStarted, evidence.ContainerDied, evidence.ContainerFinished, evidence.RuntimeCreated,
			evidence.TaskExited:
			continue // they are what was compared
		}
		ids = append(ids, m.Obs.ID)
	}
	return ids
}
