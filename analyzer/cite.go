package analyzer

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/detail"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/pool"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

type ids map[string]struct{}

func (s ids) add(lists ...[]string) {
	for _, list := range lists {
		for _, id := range list {
			s[id] = struct{}{}
		}
	}
}

// cite returns the observations of the set in the form that reports use, in the snapshot's order.
func cite(s *evidence.Snapshot, cited ids) []report.Evidence {
	var times pool.Pool
	out := make([]report.Evidence, 0, len(cited))
	for i := range s.Observations {
		o := &s.Observations[i]
		if _, ok := cited[o.ID]; ok {
			out = append(out, detail.Cite(o, times.Time))
		}
	}
	return out
}
