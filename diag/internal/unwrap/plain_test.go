package unwrap

import "testing"

func TestRecordsOfALoggerAsPeopleReadThem(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"zap", `{"level":"info","ts":"2026-01-24T10:56:41Z","msg":"Evicting pod","pod":"shop/web-0"}`,
			"2026-01-24T10:56:41Z Evicting pod level=info pod=shop/web-0"},
		{"epochs", `{"level":"info","ts":1769252201.5,"msg":"Evicting pod"}`, "2026-01-24T10:56:41Z Evicting pod level=info"},
		{"an object below", `{"time":"2026-01-24T10:56:41.2Z","message":"evicted","pod":{"name":"web-0","namespace":"shop"}}`,
			"2026-01-24T10:56:41Z evicted pod.name=web-0 pod.namespace=shop"},
		{"Bunyan, with a tag", `{"v":0,"msg":"[EVICT - EVENT] evicted Pod 'web-0'","time":"2026-01-24T10:56:41.2+00:00"}`,
			"2026-01-24T10:56:41Z evicted Pod 'web-0' v=0"},
		{"a message of several lines", `{"time":"2026-01-24T10:56:41Z","msg":"a\n  b"}`, "2026-01-24T10:56:41Z a b"},
		{"docker's file", `{"log":"Error: no port\n","stream":"stderr","time":"2026-01-24T10:56:41.2Z"}`,
			"2026-01-24T10:56:41Z Error: no port"},
		{"a file of the CRI", `2026-01-24T10:56:41.2Z stderr F Error: no port`, "2026-01-24T10:56:41.2Z Error: no port"},
		{"docker's key beside others", `{"log":"x","stream":"stderr","pod":"a","time":"2026-01-24T10:56:41Z"}`, ""},
		{"no time", `{"msg":"evicted","pod":"web-0"}`, ""},
		{"no message", `{"time":"2026-01-24T10:56:41Z","pod":"web-0"}`, ""},
		{"a kubelet's", `{"ts":1769252201000.5,"caller":"a.go:1","msg":"Killing","v":2}`, ""},
		{"a kubelet's within a store's", `{"time":"2026-01-24T10:56:41Z","message":"I0124 10:56:41.000000 1 a.go:1] x"}`, ""},
		{"an object of the API", `{"apiVersion":"v1","message":"x","time":"2026-01-24T10:56:41Z"}`, ""},
		{"a cut one", `{"time":"2026-01-24T10:56:41Z","msg":"evic`, ""},
		{"a sentence", "We drained the node.", ""},
	} {
		want := c.want
		if want == "" {
			want = c.line
		}
		if got := Plain("before\n" + c.line + "\nafter\n"); got != "before\n"+want+"\nafter\n" {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}
