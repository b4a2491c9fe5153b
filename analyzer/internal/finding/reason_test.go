package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Who tells of an end by its reason alone may leave out the code: some reasons tell that no process returned one.
func TestReasonsWithoutACode(t *testing.T) {
	for reason, want := range map[string]struct{ invented, notStarted bool }{
		"ContainerStatusUnknown": {true, false}, "StartError": {false, true}, "Error": {},
	} {
		s := analyzertest.New()
		s.Status(10, 42, 137, reason, 43)
		record := s.Observations[0].Fact.(evidence.ContainerRecord)
		record.ExitCode = nil
		s.Observations[0].Fact = record
		if e := find(t, s).Exit; e.Known || e.Invented != want.invented || e.NotStarted != want.notStarted {
			t.Errorf("%s: %+v", reason, e)
		}
	}
}
