package oom

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

func kernel(level finding.OOMLevel) func(*finding.Findings) {
	return func(f *finding.Findings) {
		f.OOM.Fact, f.OOM.Level, f.OOM.Victim = yes(0), level, "tail"
	}
}

func TestMemory(t *testing.T) {
	label := func(f *finding.Findings) { f.OOM.Label = true }
	blind := func(f *finding.Findings) {
		f.OOM.Fact, f.OOM.Notice, f.KernelLog = finding.Fact{}, finding.Fact{}, false
	}
	run(t, map[string]row{
		"the kernel names the container's cgroup":            {causes.OOMContainerLimit, 137, kernel(finding.OOMContainer), causes.Decisive},
		"the kernel names the pod's cgroup":                  {causes.OOMContainerLimit, 137, kernel(finding.OOMPod), out},
		"the pod's cgroup, for the pod's rule":               {causes.OOMPodLimit, 137, kernel(finding.OOMPod), causes.Decisive},
		"the pod's cgroup rules out the node":                {causes.OOMNode, 137, kernel(finding.OOMPod), out},
		"the whole machine":                                  {causes.OOMNode, 137, kernel(finding.OOMNode), causes.Decisive},
		"the pod's cgroup, and nobody knows the spec":        {causes.OOMPodLimit, 137, func(f *finding.Findings) { kernel(finding.OOMPod)(f); f.OOM.Unsure = true }, causes.Strong},
		"the label, and the kernel's log has nothing":        {causes.OOMContainerLimit, 137, label, out},
		"the label without a log of the kernel":              {causes.OOMContainerLimit, 137, func(f *finding.Findings) { blind(f); label(f) }, causes.Strong},
		"the label beside a stated reason is worth little":   {causes.OOMContainerLimit, 137, func(f *finding.Findings) { blind(f); label(f); killed(f, evidence.KillLiveness) }, causes.Weak},
		"the label with exit code 143 is an old one":         {causes.OOMContainerLimit, 143, func(f *finding.Findings) { blind(f); label(f) }, out},
		"exit code 137 alone says nothing about memory":      {causes.OOMContainerLimit, 137, blind, none},
		"exit code 137 that the kubelet made up":             {causes.OOMContainerLimit, 137, func(f *finding.Findings) { blind(f); f.Exit.Invented, f.Exit.Reason = true, "ContainerStatusUnknown" }, out},
		"a container without a limit":                        {causes.OOMContainerLimit, 137, func(f *finding.Findings) { blind(f); label(f); f.R.Spec.MemoryLimit = 0 }, out},
		"a kill that outlived its grace":                     {causes.OOMNode, 137, func(f *finding.Findings) { blind(f); killed(f, evidence.KillPod); f.Kill.GraceOver = true }, out},
		"a child, and the container ended with its own code": {causes.OOMChildProcess, 1, kernel(finding.OOMContainer), causes.Strong},
		"the label with exit code 143 may be a child's":      {causes.OOMChildProcess, 143, label, causes.Strong},
		"the label with exit code 143 after a stated kill":   {causes.OOMChildProcess, 143, func(f *finding.Findings) { label(f); killed(f, evidence.KillLiveness) }, out},
		"the main process itself is no child":                {causes.OOMChildProcess, 137, kernel(finding.OOMContainer), out},
		"a runtime's notice and a code of the process's own": {causes.OOMChildProcess, 1, func(f *finding.Findings) { blind(f); f.OOM.Notice = yes(0) }, causes.Strong},
		"no exit code, and the kernel struck at the end":     {causes.OOMContainerLimit, 0, func(f *finding.Findings) { kernel(finding.OOMContainer)(f); f.Exit = finding.Exit{} }, causes.Strong},
		"no exit code, and nothing of the kernel":            {causes.OOMContainerLimit, 0, func(f *finding.Findings) { blind(f); f.Exit = finding.Exit{} }, none},
	})
}

// Only what really has one root may become one incident.
func TestRootsOfDifferentKillsDiffer(t *testing.T) {
	root := func(id causes.ID, level finding.OOMLevel, change func(*finding.Findings)) causes.Root {
		f := base(137)
		kernel(level)(f)
		change(f)
		for _, r := range Rules() {
			if r.ID == id {
				return *r.Claim(f).Root
			}
		}
		t.Fatalf("no rule %s", id)
		return causes.Root{}
	}
	same := func(*finding.Findings) {}
	tomorrow := func(f *finding.Findings) { f.OOM.At = f.OOM.At.AddDate(0, 0, 1) }
	other := func(f *finding.Findings) { f.R.PodUID = "u2" }
	if a, b := root(causes.OOMNode, finding.OOMNode, same), root(causes.OOMNode, finding.OOMNode, other); a.Key != b.Key {
		t.Errorf("two pods that one shortage of the node killed: %q and %q", a.Key, b.Key)
	}
	if a, b := root(causes.OOMNode, finding.OOMNode, same), root(causes.OOMNode, finding.OOMNode, tomorrow); a.Key == b.Key {
		t.Errorf("the same minute of another day is the same root: %q", a.Key)
	}
	if a, b := root(causes.OOMPodLimit, finding.OOMPod, same), root(causes.OOMPodLimit, finding.OOMPod, other); a.Key == b.Key {
		t.Errorf("the limits of two pods are one root: %q", a.Key)
	}
}
