package timeline

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Counted reports whether an observation is secondhand: a monitoring system's, a log store's, or a tool's that printed
// it for people.
func (t *History) Counted(id string) bool { return t.counted[id] }

// secondhand tells what nobody vouches for: readings, what a log store gave back, a boot whose time was reckoned, and
// what a tool of the node printed of boots and units (last, uptime, systemctl status), of which neither the machine
// nor, mostly, the zone is known.
func secondhand(o *evidence.Observation) bool {
	if from := o.Source.Origin; from != nil && from.Stored {
		return true
	}
	if boot, ok := o.Fact.(evidence.KernelBooted); ok && boot.Reckoned {
		return true
	}
	switch o.Source.Kind {
	case evidence.SourceMetrics:
		return true
	case evidence.SourceHostLog:
		switch o.Fact.(type) {
		case evidence.KernelBooted, evidence.KubeletStarted, evidence.UnitChanged:
			return true
		}
	}
	return false
}

// remember notes which observations are secondhand; mostly none is.
func (t *History) remember(obs []evidence.Observation) {
	for i := range obs {
		if !secondhand(&obs[i]) {
			continue
		}
		if t.counted == nil {
			t.counted = map[string]bool{}
		}
		t.counted[obs[i].ID] = true
	}
}

// witnessed leaves out secondhand marks that another source has, too: who cites one cites the other's.
func witnessed(marks []Occurrence) []Occurrence {
	counted := func(m Occurrence) bool { return secondhand(m.Obs) }
	if !slices.ContainsFunc(marks, counted) {
		return marks
	}
	all := slices.Clone(marks)
	return slices.DeleteFunc(marks, func(m Occurrence) bool {
		return counted(m) &&
			slices.ContainsFunc(
				all,
				func(o Occurrence) bool { return !counted(o) && o.At.Sub(m.At).Abs() <= tolerance.BootTold },
			)
	})
}

// untold leaves out what a monitoring system has of kubelets from the first start on that another source tells of: what
// that one says of versions is not to be mended by readings, which may be another cluster's.
func untold(runs []KubeletRun) []KubeletRun {
	first := slices.IndexFunc(runs, func(r KubeletRun) bool { return !r.counted() })
	if first < 0 {
		return runs
	}
	return append(
		runs[:first:first],
		slices.DeleteFunc(slices.Clone(runs[first:]), func(r KubeletRun) bool { return r.counted() })...)
}
