package score

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTally(t *testing.T) {
	var sum Tally
	if c := sum.Sum(); c.Judged != 0 || c.Share() != 0 || c.WrongShare() != 0 || sum.Row("0").Judged != 0 {
		t.Error("nothing was counted, and something is there")
	}
	for _, c := range []struct {
		row string
		j   Judged
	}{
		{"0", Judged{Outcome: Right, Confidence: "likely", Named: true}},
		{"0", Judged{Outcome: Wrong, Confidence: "likely", Named: true}},
		{"0", Judged{Outcome: Silent}}, {"2", Judged{Outcome: Right, Confidence: "proven", Named: true}},
		{"2", Judged{Outcome: WrongProven, Confidence: "proven"}}, {"2", Judged{Outcome: Right}},
		{"2", Judged{Outcome: Honest, Confidence: "possible", Named: true}},
		{"2", Judged{Outcome: Vague, Confidence: "possible"}},
	} {
		sum.Add(c.row, c.j)
	}
	want := Counts{Judged: 8, Outcomes: [6]int{3, 1, 1, 1, 1, 1}, Words: map[string]Count{
		"likely": {Said: 2, Right: 1, Named: 2}, "proven": {Said: 2, Right: 1, Named: 1},
		"possible": {Said: 2, Named: 1}, "silent": {Said: 2, Right: 1, Named: 1}}}
	if diff := cmp.Diff(want, sum.Sum()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := sum.Row("0"); c.Judged != 3 || c.WrongShare() != 0.5 || c.Share() < 0.33 || c.Share() > 0.34 {
		t.Errorf("row 0: %+v", c)
	}
}

func TestTables(t *testing.T) {
	var sum Tally
	sum.Add("1", Judged{Outcome: Right, Confidence: "likely"})
	sum.Add("0", Judged{Outcome: Wrong, Confidence: "likely"})
	sum.Add("0", Judged{Outcome: Silent})
	var out strings.Builder
	sum.Calibration(&out, "tier")
	sum.Outcomes(&out, "tier")
	want := `| tier | top-1  | proven | likely       | possible | unknown | silent       |
|------|--------|--------|--------------|----------|---------|--------------|
| 0    | 0.0%   |        | 0 of 1 right |          |         | 0 of 1 right |
| 1    | 100.0% |        | 1 of 1 right |          |         |              |
| tier | truths | right | honest | vague | silent | wrong | wrong proven |
|------|--------|-------|--------|-------|--------|-------|--------------|
| 0    | 2      | 0     | 0      | 0     | 1      | 1     | 0            |
| 1    | 1      | 1     | 0      | 0     | 0      | 0     | 0            |
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOutcomesHaveTheirWords(t *testing.T) {
	if len(Outcomes) != len(outcomeWords) {
		t.Fatalf("%d outcomes and %d words", len(Outcomes), len(outcomeWords))
	}
	for i, want := range []string{"right", "honest", "vague", "silent", "wrong", "wrong proven"} {
		if got := Outcomes[i].String(); got != want {
			t.Errorf("outcome %d is %q, want %q", i, got, want)
		}
	}
}
