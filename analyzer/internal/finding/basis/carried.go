package basis

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// carried returns the lines that a log dates after the end, and that stand before it only because its clock was taken
// to be ahead: it may be late instead.
func (f *Basis) carried(s timeline.Skew) (ids []string) {
	end := f.R.From.Finished
	if !s.Loose || end.IsZero() || f.Node == nil {
		return nil
	}
	for _, m := range slices.Concat(f.R.From.Marks, f.R.PodMarks, f.Node.AdminActions, f.Node.Shortages) {
		if m.Obs.Source.Kind != s.Source || !m.At.Before(end) || m.At.Add(s.Offset).Before(end) {
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
