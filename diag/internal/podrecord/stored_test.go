package podrecord

import (
	"encoding/json"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// An event keeps its UID behind the mark of what no API server gave, a pod gets the one of text for people; what is
// neither stays as it is.
func TestStoredObjectsAreMarked(t *testing.T) {
	for name, c := range map[string]struct{ kind, in, want string }{
		"an event": {"Event", `{"metadata":{"uid":"a","name":"b"},"reason":"x"}`,
			`{"metadata":{"name":"b","uid":"` + evidence.Row + `a"},"reason":"x"}`},
		"an event without a UID": {"Event", `{"metadata":{"name":"b"}}`,
			`{"metadata":{"name":"b","uid":"` + evidence.Row + `b"}}`},
		"a pod": {"Pod", `{"metadata":{"uid":"a","name":"b","namespace":"c"}}`,
			`{"metadata":{"name":"b","namespace":"c","uid":"` + evidence.Described + `c/b"}}`},
		"a node":      {"Node", `{"metadata":{"uid":"a"}}`, `{"metadata":{"uid":"a"}}`},
		"no metadata": {"Event", `{"metadata":null}`, `{"metadata":null}`},
		"no object":   {"Pod", `[]`, `[]`},
	} {
		if got := string(Stored(c.kind, []byte(c.in))); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestStoredEventsWithoutANameDiffer(t *testing.T) {
	one, two := Stored("Event", []byte(`{"metadata":{},"count":1}`)), Stored("Event", []byte(`{"metadata":{},"count":2}`))
	var a, b struct{ Metadata struct{ UID string } }
	if json.Unmarshal(one, &a) != nil || json.Unmarshal(two, &b) != nil || a.Metadata.UID == b.Metadata.UID {
		t.Errorf("%s\n%s", one, two)
	}
}
