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
	list := make([]*evidence.Observation, 0, len(cited))
	for i := range s.Observations {
		if _, ok := cited[s.Observations[i].ID]; ok {
			list = append(list, &s.Observations[i])
		}
	}
	var times pool.Pool
	return detail.Cite(list, times.Time)
}
