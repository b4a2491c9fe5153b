package report

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestListsAreNeverNullAndAbsentTimesAreAbsent(t *testing.T) {
	r := &Report{
		Items: []Item{{Verdict: Verdict{Chain: []Link{{}}, Alternatives: []Alternative{{}},
			Eliminated: Eliminations{{}}}}, {}},
		Incidents: []Incident{{}},
		NodeNotes: []NodeNote{{}},
	}
	r.Normalise()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(strings.ReplaceAll(string(b), `"to":null`, ""), `"from":null`, "")
	if strings.Contains(text, "null") {
		t.Errorf("a list is null: %s", text)
	}
	if strings.Contains(text, `"time"`) || strings.Contains(text, `"startedAt"`) {
		t.Errorf("an unknown time is present: %s", text)
	}
	if !strings.Contains(text, `"apiVersion":"restartwhy.dev/v1alpha1","kind":"RestartReport"`) {
		t.Errorf("no identity: %s", text)
	}
}

func TestTimeOfZeroIsNil(t *testing.T) {
	if Time(time.Time{}) != nil {
		t.Error("the zero time became a time")
	}
	in := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("x", 3600))
	if got := Time(in); !got.Equal(in) || got.Location() != time.UTC {
		t.Errorf("got %v", got)
	}
}

func TestConfidencesAreOrdered(t *testing.T) {
	order := []Confidence{Proven, Likely, Possible, Unknown}
	for i := 1; i < len(order); i++ {
		if order[i-1].Rank() <= order[i].Rank() {
			t.Errorf("%s does not rank above %s", order[i-1], order[i])
		}
	}
}

func TestFind(t *testing.T) {
	r := &Report{Evidence: []Evidence{{ID: "e1", Text: "x"}}}
	if got := r.Find("e1"); got == nil || got.Text != "x" {
		t.Errorf("e1 → %+v", got)
	}
	if got := r.Find("e2"); got != nil {
		t.Errorf("e2 → %+v", got)
	}
}
