package timeline

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Counted reports whether an observation is secondhand: from a monitoring system, a log store, or the output of a tool
// for people.
func (t *History) Counted(id string) bool { return t.counted[id] }

// secondhand reports whether an observation is from a source that nothing vouches for: periodic readings, results from
// a log store, a boot whose time was computed, and the output of a node's tools about boots and units (last, uptime,
// systemctl status), whose machine and, usually, time zone are unknown.
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

// remember records which observations are secondhand; usually none is.
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

// witnessed drops secondhand marks that another source confirms, so that the better source is cited.
func witnessed(marks []Occurrence) []Occurrence {
	told := func(m Occurrence) bool { return secondhand(m.Obs) }
	seen := slices.DeleteFunc(slices.Clone(marks), told)
	if len(seen) == 0 || len(seen) == len(marks) {
		return marks
	}
	return slices.DeleteFunc(marks, func(m Occurrence) bool {
		near := Since(seen, m.At.Add(-tolerance.BootTold))
		return told(m) && len(near) > 0 && near[0].At.Sub(m.At) <= tolerance.BootTold
	})
}

// untold drops what a monitoring system knows of kubelets from the first start on that another source records:
// readings, which may be from another cluster, must not add versions to that.
func untold(runs []KubeletRun) []KubeletRun {
	first := slices.IndexFunc(runs, func(r KubeletRun) bool { return !r.counted() })
	if first < 0 {
		return runs
	}
	return append(
		runs[:first:first],
		slices.DeleteFunc(slices.Clone(runs[first:]), func(r KubeletRun) bool { return r.counted() })...)
}
