package analyzer_test

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

// Restarts are judged in parts: the verdicts and their order are the same as in one.
func TestARestartIsJudgedTheSameInAnyPart(t *testing.T) {
	s := fleet(3000)
	report := func(processors int) string {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		text, err := json.Marshal(analyzer.Analyze(s, analyzer.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	one := report(1)
	for _, processors := range []int{2, 3, 7} {
		if report(processors) != one {
			t.Errorf("on %d processors the report is another", processors)
		}
	}
}
