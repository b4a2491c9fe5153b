// Package causestest holds the base that the rules of every family are tested on: the findings of one end, for a table
// to change. Shipped code never imports it.
package causestest

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// End is when the container of Base ended.
var End = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// None and Out extend the strengths for a rule without a claim and for one that a fact contradicts.
const (
	None = causes.Strength(0)
	Out  = causes.Strength(-1)
)

// Base returns a container with a limit that ended with a code after a minute; logs of kubelet, runtime and kernel
// cover the time and are silent.
func Base(code int32) *finding.Findings {
	spec := evidence.Container{Name: "a", Kind: evidence.KindApp, Image: "busybox:1", MemoryLimit: 20 << 20}
	pod := &evidence.Pod{Namespace: "shop", Name: "web-0", UID: "u1", Node: "n1",
		RestartPolicy: "Always", Containers: []evidence.Container{spec}}
	silent := finding.Point{Answer: finding.No}
	f := &finding.Findings{Basis: finding.Basis{
		R: &timeline.Restart{Node: "n1", Namespace: "shop", PodName: "web-0",
			PodUID: "u1", Container: "a", ContainerKind: evidence.KindApp, Pod: pod, Spec: &pod.Containers[0],
			From: &timeline.Instance{Started: End.Add(-time.Minute), Finished: End, ExitCode: &code}},
		T:    &timeline.History{Snapshot: &evidence.Snapshot{}},
		Exit: finding.Exit{Known: true, Code: code, Evidence: []string{"e1"}},

		KubeletLog: true, RuntimeLog: true, KernelLog: true, Events: true,
	}}
	f.Stops = finding.Stops{Kill: finding.KubeletKill{Point: silent, Grace: -1}, Stop: silent, Hook: silent}
	f.OOM.Point, f.OOM.Notice, f.Sandbox.Changed = silent, silent, silent
	f.NodeEvents = finding.Disturbance{Boot: silent, Runtime: silent, Kubelet: silent}
	return f
}

// Yes returns a fact that many seconds after the end.
func Yes(seconds int) finding.Point {
	return finding.Point{Answer: finding.Yes, At: End.Add(time.Duration(seconds) * time.Second), Evidence: []string{"e2"}}
}

// Killed makes the kubelet kill the container three seconds before its end.
func Killed(f *finding.Findings, reason evidence.KillReason) {
	f.Kill = finding.KubeletKill{Point: Yes(-3), Reason: reason, Grace: 2, DecidedAt: End.Add(-3 * time.Second)}
}

// Says returns a rule's result for findings: its strength, None when it makes no claim and nothing contradicts it, Out
// when a fact does.
func Says(t *testing.T, rules []causes.Rule, id causes.ID, f *finding.Findings) causes.Strength {
	t.Helper()
	for _, r := range rules {
		if r.ID != id {
			continue
		}
		c, a := r.Claim(f), r.Against(f)
		switch {
		case !a.Holds() && len(a.Evidence) > 0:
			t.Errorf("%s is contradicted without a reason", id)
		case a.Holds():
			return Out
		case c == nil:
			return None
		case c.Summary == "" || len(c.Chain) == 0:
			t.Errorf("%s claims without a summary or a chain", id)
		}
		return c.Strength
	}
	t.Fatalf("no rule %s in this family", id)
	return None
}

// Row is a rule, a change of the base, and the expected result.
type Row struct {
	ID     causes.ID
	Code   int32
	Change func(*finding.Findings)
	Want   causes.Strength
}

// Run applies each row's rule to its findings.
func Run(t *testing.T, rules []causes.Rule, rows map[string]Row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := Base(c.Code)
			if c.Change != nil {
				c.Change(f)
			}
			if got := Says(t, rules, c.ID, f); got != c.Want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.ID, got, c.Want)
			}
		})
	}
}
