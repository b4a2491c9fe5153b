package main

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// counted returns a tally with that many likely verdicts at a tier, some of them wrong.
func counted(likely, wrong int) (t score.Tally) {
	for i := range likely {
		o := score.Right
		if i < wrong {
			o = score.Wrong
		}
		t.Add("0", score.Judged{Outcome: o, Confidence: "likely"})
	}
	return t
}

func TestTooMuchThatIsWrongAtLikelyFailsTheRun(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*sums)
		want   string
	}{
		"all right":                          {func(*sums) {}, ""},
		"a little, as it is":                 {func(s *sums) { s.tiers = counted(100, 2) }, ""},
		"too much, as it is":                 {func(s *sums) { s.tiers = counted(100, 3) }, "3.00 % is wrong as it is"},
		"too much of one entry":              {func(s *sums) { s.tiers, s.every = counted(100, 3), false }, ""},
		"a little, with evidence taken away": {func(s *sums) { s.poorer = counted(1000, 4) }, ""},
		"too much, with evidence taken away": {func(s *sums) { s.poorer = counted(1000, 5) },
			"0.50 % with evidence taken away"},
		"too much, in a sample of single ones": {func(s *sums) { s.poorer, s.all = counted(1000, 5), false }, ""},
	} {
		s := &sums{every: true, all: true, entries: 1, tiers: counted(100, 0), whole: counted(100, 0)}
		c.change(s)
		err := s.verdict()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		var out strings.Builder
		s.print(&out, false)
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if !strings.HasPrefix(lines[len(lines)-1], "corpus: 1 entries, 0 truths, 100.0 % right with full evidence") {
			t.Errorf("%s: closes with %q", name, lines[len(lines)-1])
		}
	}
}
