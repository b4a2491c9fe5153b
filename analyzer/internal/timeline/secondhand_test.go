package timeline

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What a tool for people tells of boots gives way to a log that has the same one. There may be very many: a log of
// nothing else took half a minute once.
func TestASecondhandMarkGivesWayToAFirsthandOne(t *testing.T) {
	const many = 60_000
	mark := func(minute int, stored bool) Occurrence {
		at := time.Date(2026, 3, 1, 0, minute, 0, 0, time.UTC)
		return Occurrence{At: at, Obs: &evidence.Observation{Time: at, Fact: evidence.KernelBooted{},
			Source: evidence.Source{Kind: evidence.SourceKernelLog, Origin: &evidence.Origin{Stored: stored}}}}
	}
	var told []Occurrence
	for i := range many {
		told = append(told, mark(30*i, true))
	}
	if got := witnessed(told); len(got) != many {
		t.Errorf("%d of %d marks are left, and no log has any of them", len(got), many)
	}
	told = append(told[:many/2:many/2], told[many/2-1:]...)
	told[many/2] = mark(30*(many/2-1)+5, false)
	got := witnessed(told)
	if len(got) != many || got[many/2-1].Obs.Source.Origin.Stored {
		t.Errorf("%d of %d marks are left", len(got), many+1)
	}
}
