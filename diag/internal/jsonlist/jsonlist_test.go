package jsonlist

import (
	"bytes"
	"encoding/json"
	"testing"
)

var documents = []string{
	`{"kind":"List","items":[{"a":1},{"b":"]}"},{}]}`,
	`{ "items" : [ ] , "kind": "List" }`,
	`{"items":[{"items":[{"c":[1]}]}],"metadata":{"items":[{"x":1}]}}`,
	`{"items":[{"a":1}],"items":[{"b":2}]}`,
	`{"items":[1,2]}`, `{"items":{"a":1}}`, `{"items":null}`, `{"Items":[{"a":1}]}`,
	`{"\u0069tems":[{"a":1}]}`, `{"x":"\"items\":[{}]"}`, `[{"items":[{}]}]`, `{"items":[{"a":1}`, `{"items":[{"a":1},]}`,
	"{\"items\":[{\"a\":\"\\\\\"},{\"b\":\"\\\"}\"}]}", ``, `nonsense`,
}

// What is cut out is what encoding/json finds, or nothing is.
func check(t *testing.T, data []byte) bool {
	from, to, items, ok := Cut(data)
	if !ok {
		return false
	}
	if from < 0 || to < from || to > len(data) {
		t.Fatalf("%q: from %d to %d", data, from, to)
	}
	var want struct{ Items []json.RawMessage }
	if json.Unmarshal(data, &want) != nil {
		return true // a decoder of each item, and of the rest, finds that out
	}
	if len(want.Items) != len(items) {
		t.Fatalf("%q: %d items, want %d", data, len(items), len(want.Items))
	}
	for i := range items {
		if !bytes.Equal(items[i], want.Items[i]) {
			t.Errorf("%q: item %d is %q, want %q", data, i, items[i], want.Items[i])
		}
	}
	return true
}

func TestItemsAreWhatEncodingJSONFinds(t *testing.T) {
	for i, text := range documents {
		if got, want := check(t, []byte(text)), i < 3 || i == 7 || i == 13; got != want {
			t.Errorf("%q: cut %v, want %v", text, got, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, text := range documents {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) { check(t, data) })
}
