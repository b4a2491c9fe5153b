package node

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

func TestNode(t *testing.T) {
	boot := func(f *finding.Findings) { f.Around.Boot = yes(60) }
	lost := func(f *finding.Findings) { f.Exit.Lost, f.Exit.Reason = true, "Unknown" }
	daemon := func(after int) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Around.Runtime = yes(after) }
	}
	both := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	run(t, map[string]row{
		"a boot, and the runtime lost the container":       {causes.NodeReboot, 255, both(boot, lost), causes.Decisive},
		"a boot after a signal of the shutdown":            {causes.NodeReboot, 143, boot, causes.Strong},
		"a boot long after a crash":                        {causes.NodeReboot, 3, boot, out},
		"a boot after a liveness kill":                     {causes.NodeReboot, 137, both(boot, func(f *finding.Findings) { killed(f, evidence.KillLiveness) }), out},
		"no boot":                                          {causes.NodeReboot, 255, lost, out},
		"nobody knows of a boot":                           {causes.NodeReboot, 137, func(f *finding.Findings) { f.Around.Boot = finding.Fact{} }, none},
		"a restarted runtime lost the container":           {causes.RuntimeRestarted, 255, both(daemon(-2), lost), causes.Strong},
		"a boot restarts the runtime too":                  {causes.RuntimeRestarted, 255, both(daemon(70), boot, lost), none},
		"a crash well after the runtime had come back":     {causes.RuntimeRestarted, 1, daemon(-30), out},
		"an error right before the runtime came back":      {causes.RuntimeRestarted, 1, daemon(4), causes.Weak},
		"a clean end right before the runtime came back":   {causes.RuntimeRestarted, 0, daemon(4), causes.Weak},
		"a kill by the kubelet beside a restarted runtime": {causes.RuntimeRestarted, 137, both(daemon(4), func(f *finding.Findings) { killed(f, evidence.KillPod) }), out},
		"the runtime's log shows no start":                 {causes.RuntimeRestarted, 255, lost, out},
	})
}
