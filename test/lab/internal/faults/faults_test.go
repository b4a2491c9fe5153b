package faults

import (
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
		{"rubbish is left", whole, outcome{wrote: true, left: []string{".tmp1"}}, "left behind: .tmp1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, tt.f.held(tt.o, quiet), tt.want)
		})
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

func expect(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("%v, want %q", err, want)
	}
}
