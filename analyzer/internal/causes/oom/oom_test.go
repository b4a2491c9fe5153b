package oom

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

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
			f := causestest.Base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := causestest.Says(t, Rules(), c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

func kernel(level finding.OOMLevel) func(*finding.Findings) {
	return func(f *finding.Findings) {
		f.OOM.Point, f.OOM.Level, f.OOM.Victim = causestest.Yes(0), level, "tail"
	}
}

func TestMemory(t *testing.T) {
	label := func(f *finding.Findings) { f.OOM.Label = true }
	blind := func(f *finding.Findings) {
		f.OOM.Point, f.OOM.Notice, f.KernelLog = finding.Point{}, finding.Point{}, false
	}
	short := func(f *finding.Findings) { blind(f); f.OOM.Shortage = causestest.Yes(0) }
	run(t, map[string]row{
		"the kubelet's word that the node was out of memory": {causes.OOMNode, 137, short, causes.Strong},
		"its word, and another container's process was killed": {causes.OOMNode,
			137, func(f *finding.Findings) { short(f); f.OOM.Elsewhere = true }, causes.Weak},
		"systemd-oomd names the container": {causes.OOMNode, 137, func(f *finding.Findings) {
			f.OOM.Shortage, f.OOM.Killer, f.OOM.Named = causestest.Yes(0), "systemd-oomd", true
		}, causes.Decisive},
		"earlyoom asked a process, which returns an error": {causes.OOMNode,
			1, func(f *finding.Findings) { f.OOM.Shortage, f.OOM.Killer = causestest.Yes(-1), "earlyoom" }, causes.Strong},
		"earlyoom, and the kubelet gives a reason": {causes.OOMNode, 137, func(f *finding.Findings) {
			f.OOM.Shortage, f.OOM.Killer = causestest.Yes(-1), "earlyoom"
			causestest.Killed(f, evidence.KillLiveness)
		}, causestest.Out},
		"the kernel names the container's cgroup, the spec no limit": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { kernel(finding.OOMContainer)(f); f.R.Spec.MemoryLimit = 0 }, causes.Decisive},
		"no limit, and no record": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { blind(f); f.R.Spec.MemoryLimit = 0 }, causestest.Out},
		"the label beside any kill of the kubelet": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { blind(f); label(f); causestest.Killed(f, evidence.KillPod) }, causes.Weak},
		"the kernel names the container's cgroup": {causes.OOMContainerLimit,
			137, kernel(finding.OOMContainer), causes.Decisive},
		"the kernel names the pod's cgroup":    {causes.OOMContainerLimit, 137, kernel(finding.OOMPod), causestest.Out},
		"the pod's cgroup, for the pod's rule": {causes.OOMPodLimit, 137, kernel(finding.OOMPod), causes.Decisive},
		"the pod's cgroup rules out the node":  {causes.OOMNode, 137, kernel(finding.OOMPod), causestest.Out},
		"the whole machine":                    {causes.OOMNode, 137, kernel(finding.OOMNode), causes.Decisive},
		"the pod's cgroup, and nobody knows the spec": {causes.OOMPodLimit,
			137, func(f *finding.Findings) { kernel(finding.OOMPod)(f); f.OOM.Unsure = true }, causes.Strong},
		"the label, and the kernel's log has nothing": {causes.OOMContainerLimit, 137, label, causestest.Out},
		"the label without a log of the kernel": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { blind(f); label(f) }, causes.Strong},
		"the label beside a stated reason is worth little": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { blind(f); label(f); causestest.Killed(f, evidence.KillLiveness) }, causes.Weak},
		"the label with exit code 143 is an old one": {causes.OOMContainerLimit,
			143, func(f *finding.Findings) { blind(f); label(f) }, causestest.Out},
		"exit code 137 alone says nothing about memory": {causes.OOMContainerLimit, 137, blind, causestest.None},
		"exit code 137 that the kubelet made up": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { blind(f); f.Exit.Invented, f.Exit.Reason = true, "ContainerStatusUnknown" },
			causestest.Out},
		"a container without a limit": {causes.OOMContainerLimit,
			137, func(f *finding.Findings) { blind(f); label(f); f.R.Spec.MemoryLimit = 0 }, causestest.Out},
		"a kill that outlived its grace": {causes.OOMNode,
			137, func(f *finding.Findings) { blind(f); causestest.Killed(f, evidence.KillPod); f.Kill.GraceOver = true },
			causestest.Out},
		"a child, and the container ended with its own code": {causes.OOMChildProcess,
			1, kernel(finding.OOMContainer), causes.Strong},
		"the label with exit code 143 may be a child's": {causes.OOMChildProcess, 143, label, causes.Weak},
		"the label with exit code 143 after a stated kill": {causes.OOMChildProcess,
			143, func(f *finding.Findings) { label(f); causestest.Killed(f, evidence.KillLiveness) }, causestest.Out},
		"the main process itself is no child": {causes.OOMChildProcess, 137, kernel(finding.OOMContainer), causestest.Out},
		"a runtime's notice and a code of the process's own": {causes.OOMChildProcess,
			1, func(f *finding.Findings) { blind(f); f.OOM.Notice = causestest.Yes(0) }, causes.Strong},
		"no exit code, and the kernel struck at the end": {causes.OOMContainerLimit,
			0, func(f *finding.Findings) { kernel(finding.OOMContainer)(f); f.Exit = finding.Exit{} }, causes.Strong},
		"no exit code, and nothing of the kernel": {causes.OOMContainerLimit,
			0, func(f *finding.Findings) { blind(f); f.Exit = finding.Exit{} }, causestest.None},
	})
}

// Only what really has one root may become one incident.
func TestRootsOfDifferentKillsDiffer(t *testing.T) {
	root := func(id causes.ID, level finding.OOMLevel, change func(*finding.Findings)) causes.Root {
		f := causestest.Base(137)
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
	if a, b := root(causes.OOMNode, finding.OOMNode, same),
		root(causes.OOMNode, finding.OOMNode, tomorrow); a.Key == b.Key {
		t.Errorf("the same minute of another day is the same root: %q", a.Key)
	}
	if a, b := root(causes.OOMPodLimit, finding.OOMPod, same),
		root(causes.OOMPodLimit, finding.OOMPod, other); a.Key == b.Key {
		t.Errorf("the limits of two pods are one root: %q", a.Key)
	}
}
