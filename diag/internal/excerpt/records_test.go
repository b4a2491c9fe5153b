package excerpt

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// The records of one store stay one text: what the kernel says of a kill is in several of its lines.
func TestRecordsOfOneStoreStayTogether(t *testing.T) {
	const (
		one   = `{"labels":{"host":"n1"},"line":"worker invoked oom-killer: order=0","timestamp":"2026-11-20T08:04:59Z"}`
		two   = `{"labels":{"host":"n1"},"line":"Killed process 7 (worker)","timestamp":"2026-11-20T08:04:59Z"}`
		other = `{"time":"2026-11-20T08:04:59Z","message":"Killed process 7 (worker)"}`
	)
	for name, c := range map[string]struct {
		lines []string
		want  []int // lines of each text
	}{
		"alone":                 {[]string{one, two, one, two}, []int{4}},
		"after a person's word": {[]string{"This is what Loki has of that night:", one, two, one}, []int{3}},
		"around a word":         {[]string{one, two, "and a little later, when I looked again:", one, two}, []int{4}},
		"of two stores":         {[]string{one, two, other, other}, []int{2, 2}},
		"of two stores in turn": {[]string{one, other, one}, []int{1, 1, 1}},
	} {
		found, ok := Read(strings.Join(c.lines, "\n")+"\n", "kernel.jsonl", describe.Place{}, time.Time{})
		var got []int
		for _, w := range found.Whole {
			got = append(got, len(w.Lines))
		}
		if !ok || !slices.Equal(got, c.want) {
			t.Errorf("%s: texts of %v lines, want %v", name, got, c.want)
		}
	}
}
