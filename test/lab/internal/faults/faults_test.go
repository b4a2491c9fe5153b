package faults

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/judge"
)

func report(gap string, pods ...string) judge.Report {
	var r judge.Report
	for _, pod := range pods {
		r.Items = append(r.Items, judge.Item{Namespace: "e2e-n3", Pod: pod, Container: "app",
			Time: time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)})
	}
	if gap != "" {
		r.Gaps = []judge.Gap{{Source: gap, Why: "no answer"}}
	}
	return r
}

func TestARunUnderAFaultHolds(t *testing.T) {
	quiet := calm{ends: ends(report("", "a", "b")), took: time.Second}
	whole := fault{name: "pauses", within: time.Minute}
	partly := fault{name: "stands-still", within: time.Minute, gap: "cri"}
	fails := fault{name: "full", within: time.Minute, code: 1, says: "no space left"}
	either := fault{name: "flaps", within: time.Minute, either: true}
	tests := []struct {
		name string
		f    fault
		o    outcome
		want string // in the error; "" for none
	}{
		{"all ends", whole, outcome{wrote: true, report: report("", "b", "a", "c")}, ""},
		{"an end is lost", whole, outcome{wrote: true, report: report("", "a")}, "lost without a gap: e2e-n3/b/app"},
		{"an end is lost beside another gap", whole, outcome{wrote: true, report: report("kernel-log", "a")}, "lost without"},
		{"an end is lost with the gap", partly, outcome{wrote: true, report: report("cri", "a")}, ""},
		{"no gap", partly, outcome{wrote: true, report: report("", "a", "b")}, "no gap of cri"},
		{"too slow", whole, outcome{took: time.Hour, wrote: true, report: report("", "a", "b")}, "it took"},
		{"it failed", whole, outcome{code: 1}, "exit code 1"},
		{"it failed as it should", fails, outcome{code: 1, stderr: "error: write: no space left on device"}, ""},
		{"it failed for another reason", fails, outcome{code: 1, stderr: "error: no such file"}, "did not say"},
		{"it failed and wrote", fails, outcome{code: 1, wrote: true}, "wrote a bundle"},
		{"it did not fail", fails, outcome{wrote: true}, "exit code 0"},
		{"it may fail", either, outcome{code: 1, stderr: "error: unexpected EOF"}, ""},
		{"it may fail, but not in silence", either, outcome{code: 1}, "did not say"},
		{"it may leave a gap", either, outcome{wrote: true, report: report("kubelet-log", "a")}, ""},
		{"it may not lose an end in silence", either, outcome{wrote: true, report: report("", "a")}, "lost without a gap"},
		{"rubbish is left", whole, outcome{wrote: true, left: []string{".tmp1"}}, "left behind: .tmp1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, tt.f.held(tt.o, quiet), tt.want)
		})
	}
}

func TestEachEndOfAQuietRunNeedsItsOwn(t *testing.T) {
	at := func(seconds ...int) map[string][]time.Time {
		var times []time.Time
		for _, s := range seconds {
			times = append(times, time.Unix(int64(s), 0))
		}
		return map[string][]time.Time{"ns/pod/app": times}
	}
	tests := []struct {
		name       string
		quiet, now map[string][]time.Time
		want       int
	}{
		{"the same", at(100, 102, 120), at(100, 102, 120), 0},
		{"dated by another source, and more of them", at(100, 102, 120), at(60, 101, 103, 121, 150), 0},
		{"one of two that are close", at(100, 102, 120), at(101, 120), 1},
		{"another end long after", at(100), at(130), 1},
		{"none", at(100), nil, 1},
	}
	for _, tt := range tests {
		if got := lost(tt.quiet, tt.now); len(got) != tt.want {
			t.Errorf("%s: lost %v, want %d", tt.name, got, tt.want)
		}
	}
}

func TestARunThatIsInterruptedHolds(t *testing.T) {
	tests := []struct {
		name string
		o    outcome
		want string
	}{
		{"it ended before", outcome{code: 0, wrote: true}, ""},
		{"it says that it was interrupted", outcome{code: 1, stderr: "error: collect evidence: interrupted"}, ""},
		{"it was not there yet", outcome{code: 130}, ""},
		{"it goes on", outcome{code: 1, stderr: "error: x", took: time.Minute}, "it went on"},
		{"nothing was written", outcome{code: 0}, "without a bundle"},
		{"nothing was said", outcome{code: 1}, "without a word"},
		{"it panicked", outcome{code: 2, stderr: "panic"}, "exit code 2"},
		{"rubbish is left", outcome{code: 1, stderr: "error: x", left: []string{"x"}}, "left behind"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, stopped(tt.o, time.Second), tt.want)
		})
	}
}

func TestAProxyPassesOnAndCuts(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		for {
			c, err := server.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte(strings.Repeat("x", 100))) // and it stays open
		}
	}()
	for _, p := range []proxy{{cut: 500 * time.Millisecond}, {piece: 30, pause: time.Millisecond, cut: time.Second}} {
		client, from := net.Pipe()
		go p.pass(t.Context(), from, server.Addr().String())
		if said, err := io.ReadAll(client); len(said) != 100 || err != nil {
			t.Errorf("%+v: %d bytes, %v", p, len(said), err)
		}
	}
}

func expect(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%v, want %q", err, want)
	}
}
