package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestAnAnswerIsShortenedAtItsLongestList(t *testing.T) {
	long := strings.Repeat("x", 100)
	answer := []byte(`{"kind": "Report", "items": [{"id": "1", "text": "` + long + `", "evidence": ["a"]},
	{"id": "2", "text": "` + long + `", "evidence": ["b"]}],
	"incidents": [{"id": "i"}], "evidence": [{"id": "a", "text": "` + long + long + `"},
	{"id": "b", "text": "` + long + long + `"}]}`)
	cases := map[string]struct {
		limit       int
		left        string
		want, lacks string
		fails       bool
	}{
		"it is short enough":           {limit: 2000, want: `{"id":"b"`},
		"an item and its evidence":     {limit: 500, left: `first 1 of 2`, want: `{"id":"a"`, lacks: `{"id":"b"`},
		"no item fits":                 {limit: 100, left: `first 0 of 2`, want: `"items":[]`, lacks: `{"id":"a"`},
		"what is left is too long too": {limit: 30, fails: true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, left, err := shorten(answer, c.limit)
			if c.fails {
				if err == nil {
					t.Fatalf("got %s", got)
				}
				return
			}
			if err != nil || len(got) > c.limit || !json.Valid(got) {
				t.Fatalf("%d bytes, error %v: %s", len(got), err, got)
			}
			if (left == "") != (c.left == "") || !strings.Contains(left, c.left) {
				t.Errorf("said %q", left)
			}
			if !strings.Contains(string(got), c.want) || c.lacks != "" && strings.Contains(string(got), c.lacks) {
				t.Errorf("got %s", got)
			}
		})
	}
	if _, _, err := shorten([]byte("no JSON"), 10); err == nil {
		t.Error("what is no JSON was shortened")
	}
}

// A long answer is shortened in linear time, to as many elements as fit.
func TestAsManyElementsAsFitAreKept(t *testing.T) {
	var items, evidence []string
	for i := range 20_000 {
		items = append(items, fmt.Sprintf(`{"id":"i%d","why":["e%d","e%d"],"text":"%s"}`, i, i, i/2, strings.Repeat("x", 80)))
		evidence = append(evidence, fmt.Sprintf(`{"id":"e%d","text":"a log line"}`, i))
	}
	answer := `{"items":[` + strings.Join(items, ",") + `],"evidence":[` + strings.Join(evidence, ",") + `]}`
	for _, limit := range []int{1000, 100_000, len(answer) - 1} {
		got, _, err := shorten([]byte(answer), limit)
		if err != nil || len(got) > limit || limit-len(got) > 200 {
			t.Fatalf("%d of %d bytes: %v", len(got), limit, err)
		}
		var o struct {
			Items    []struct{ Why []string }
			Evidence []struct{ ID string }
		}
		if err := json.Unmarshal(got, &o); err != nil {
			t.Fatal(err)
		}
		has := map[string]bool{}
		for _, e := range o.Evidence {
			has[e.ID] = true
		}
		for _, it := range o.Items {
			for _, id := range it.Why {
				if !has[id] {
					t.Fatalf("at %d bytes %s is cited and not there", limit, id)
				}
			}
		}
	}
}
