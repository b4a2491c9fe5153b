package mcp

import (
	"encoding/json"
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
