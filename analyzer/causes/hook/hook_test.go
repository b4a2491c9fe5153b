package hook

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var end = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

const (
	none = causes.Strength(0)
	out  = causes.Strength(-1)
)

// base is a container with a limit that ended with a code after a minute; logs
// of kubelet, runtime and kernel cover the time and are silent.
func base(code int32) *finding.Findings {
	spec := evidence.Container{Name: "a", Kind: evidence.KindApp, Image: "busybox:1", MemoryLimit: 20 << 20}
	pod := &evidence.Pod{Namespace: "shop", Name: "web-0", UID: "u1", Node: "n1", RestartPolicy: "Always", Containers: []evidence.Container{spec}}
	silent := finding.Fact{Answer: finding.No}
	f := &finding.Findings{
		R: &timeline.Restart{Node: "n1", Namespace: "shop", PodName: "web-0", PodUID: "u1", Container: "a", ContainerKind: evidence.KindApp, Pod: pod, Spec: &pod.Containers[0],
			From: &timeline.Instance{Started: end.Add(-time.Minute), Finished: end, ExitCode: &code}},
		T:    &timeline.Timeline{Snapshot: &evidence.Snapshot{}},
		Exit: finding.Exit{Known: true, Code: code, Evidence: []string{"e1"}},
		Stop: silent, Hook: silent, KubeletLog: true, RuntimeLog: true, KernelLog: true, Events: true,
	}
	f.Kill = finding.Kill{Fact: silent, Grace: -1}
	f.OOM.Fact, f.OOM.Notice, f.Sandbox.Changed = silent, silent, silent
	f.Around = finding.Disturbance{Boot: silent, Runtime: silent, Kubelet: silent}
	return f
}

func yes(seconds int) finding.Fact {
	return finding.Fact{Answer: finding.Yes, At: end.Add(time.Duration(seconds) * time.Second), Evidence: []string{"e2"}}
}

func killed(f *finding.Findings, reason evidence.KillReason) {
	f.Kill = finding.Kill{Fact: yes(-3), Reason: reason, Grace: 2, DecidedAt: end.Add(-3 * time.Second)}
}

// says is what a rule says of findings: its strength, none when it is silent and
// nothing contradicts it, out when a fact does.
func says(t *testing.T, id causes.ID, f *finding.Findings) causes.Strength {
	t.Helper()
	for _, r := range Rules() {
		if r.ID != id {
			continue
		}
		c, a := r.Claim(f), r.Against(f)
		switch {
		case a != nil && a.Because == "":
			t.Errorf("%s is contradicted without a reason", id)
		case a != nil:
			return out
		case c == nil:
			return none
		case c.Summary == "" || len(c.Chain) == 0:
			t.Errorf("%s claims without a summary or a chain", id)
		}
		return c.Strength
	}
	t.Fatalf("no rule %s in this family", id)
	return none
}

type row struct {
	id     causes.ID
	code   int32
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := says(t, c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

func TestHook(t *testing.T) {
	hook := func(f *finding.Findings) { f.R.Spec.PostStart, f.Hook = true, yes(-4) }
	spec := func(f *finding.Findings) { f.R.Spec.PostStart = true }
	run(t, map[string]row{
		"the kubelet's own words":                {causes.PostStartHookFailed, 137, func(f *finding.Findings) { spec(f); killed(f, evidence.KillPostStart) }, causes.Decisive},
		"a failed hook and the kill right after": {causes.PostStartHookFailed, 137, func(f *finding.Findings) { hook(f); killed(f, "") }, causes.Decisive},
		"a failed hook and a kill much later":    {causes.PostStartHookFailed, 137, func(f *finding.Findings) { hook(f); f.Hook.At = end.Add(-time.Hour); killed(f, "") }, causes.Strong},
		"a failed hook and a kill by a probe":    {causes.PostStartHookFailed, 137, func(f *finding.Findings) { hook(f); killed(f, evidence.KillLiveness) }, out},
		"no hook in the spec":                    {causes.PostStartHookFailed, 137, nil, out},
		"no kill in the kubelet's log":           {causes.PostStartHookFailed, 137, spec, out},
		"a hook whose traces are gone":           {causes.PostStartHookFailed, 137, func(f *finding.Findings) { spec(f); f.Kill.Fact, f.Hook = finding.Fact{}, finding.Fact{} }, causes.Weak},
	})
}
