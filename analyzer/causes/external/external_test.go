package external

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

func killedBy(f *finding.Findings, reason evidence.KillReason) {
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

func TestEndsFromOutside(t *testing.T) {
	stop := func(f *finding.Findings) { f.Stop = yes(-2) }
	blind := func(f *finding.Findings) { f.Kill.Fact, f.KubeletLog = finding.Fact{}, false }
	run(t, map[string]row{
		"a stop request that the kubelet did not make": {causes.KilledExternally, 137, stop, causes.Decisive},
		"a stop request that the process obeyed":       {causes.KilledExternally, 0, stop, causes.Decisive},
		"a stop request of which nobody knows whose":   {causes.KilledExternally, 137, func(f *finding.Findings) { stop(f); blind(f) }, causes.Weak},
		"a stop request of the kubelet":                {causes.KilledExternally, 137, func(f *finding.Findings) { stop(f); killedBy(f, evidence.KillPod) }, out},
		"SIGKILL, and nobody did it":                   {causes.KilledExternally, 137, nil, causes.Strong},
		"SIGKILL at the same age again":                {causes.KilledExternally, 137, func(f *finding.Findings) { f.Alike = 1 }, causes.Weak},
		"SIGKILL in the namespace of the host":         {causes.KilledExternally, 137, func(f *finding.Findings) { f.R.Pod.HostPID = true }, causes.Weak},
		"SIGKILL without logs":                         {causes.KilledExternally, 137, blind, causes.Weak},
		"SIGKILL by the kernel":                        {causes.KilledExternally, 137, func(f *finding.Findings) { f.OOM.Fact = yes(0) }, out},
		"SIGKILL with the label OOMKilled":             {causes.KilledExternally, 137, func(f *finding.Findings) { f.OOM.Fact = finding.Fact{}; f.OOM.Label = true }, none},
		"SIGTERM":                                      {causes.KilledExternally, 143, nil, causes.Weak},
		"a memory fault":                               {causes.KilledExternally, 139, nil, out},
		"a memory fault without the runtime's log":     {causes.KilledExternally, 139, func(f *finding.Findings) { f.Stop = finding.Fact{} }, none},
		"a code of its own":                            {causes.KilledExternally, 1, nil, out},
		"a clean end without the runtime's log":        {causes.KilledExternally, 0, func(f *finding.Findings) { f.Stop = finding.Fact{} }, none},
		"an invented 137":                              {causes.KilledExternally, 137, func(f *finding.Findings) { f.Exit.Invented = true }, none},
	})
}
