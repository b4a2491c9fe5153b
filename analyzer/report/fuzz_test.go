package report

import (
	"bytes"
	"encoding/json"
	"testing"
)

// A report survives a round trip unchanged.
func FuzzReport(f *testing.F) {
	f.Add(
		[]byte(
			`{"apiVersion":"restartwhy.dev/v1alpha1","kind":"RestartReport","items":[{"id":"r1","time":"2026-11-21T07:00:00Z","from":{"exitCode":137},"verdict":{"cause":"oom-node","confidence":"proven","eliminated":[{"cause":"app-exit-zero","because":"it was killed","evidence":["e1"]},{"cause":"app-signal","because":"it was killed","evidence":["e1"]}]}}],"evidence":[{"id":"e1"}]}`))
	f.Add(
		[]byte(
			`{"items":[{"verdict":{"eliminated":null}},{"verdict":{"eliminated":[{"cause":"a"},{"cause":"a","because":"\u2028","evidence":[]}]}}],"gaps":null}`))
	f.Add([]byte(`{"items":[{"to":{},"verdict":{"eliminated":[{"cause":1}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r, again Report
		if json.Unmarshal(data, &r) != nil {
			return
		}
		r.Normalise()
		first, err := json.Marshal(&r)
		if err != nil {
			t.Skip("a time that JSON cannot hold")
		}
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatalf("its own text is not read: %v\n%s", err, first)
		}
		again.Normalise()
		second, err := json.Marshal(&again)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("read and written again it is another report, %v:\n%s\n%s", err, first, second)
		}
	})
}
