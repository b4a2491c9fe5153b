package oom

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

func kernel(level finding.OOMLevel) func(*finding.Findings) {
	return func(f *finding.Findings) {
		f.OOM.Point, f.OOM.Level, f.OOM.Victim = causestest.Yes(0), level, "tail"
	}
}

// The limit is the one of then: the kernel's or the runtime's, or the spec's where nobody wrote that since.
func TestTheLimitIsTheOneOfThen(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   int64
	}{
		"the spec's":    {func(*finding.Findings) {}, 256 << 20},
		"the kernel's":  {func(f *finding.Findings) { f.OOM.Limit = 128 << 20 }, 128 << 20},
		"the runtime's": {func(f *finding.Findings) { f.R.From.MemoryLimit = 64 << 20 }, 64 << 20},
		"the pod's cgroup was full": {func(f *finding.Findings) {
			f.OOM.Limit, f.OOM.Level = 512<<20, finding.OOMPod
		}, 256 << 20},
		"resized since": {func(f *finding.Findings) {
			f.R.Pod.SpecWrites = []evidence.SpecWrite{{Manager: "vpa", Time: causestest.End.Add(time.Minute)}}
		}, 0},
		"resized before": {func(f *finding.Findings) {
			f.R.Pod.SpecWrites = []evidence.SpecWrite{{Manager: "vpa", Time: causestest.End.Add(-time.Minute)}}
		}, 256 << 20},
	} {
		f := causestest.Base(137)
		kernel(finding.OOMContainer)(f)
		spec, pod := *f.R.Spec, *f.R.Pod
		spec.MemoryLimit, f.R.Spec, f.R.Pod = 256<<20, &spec, &pod
		c.change(f)
		if got := limitOf(f); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestMemory(t *testing.T) {
	label := func(f *finding.Findings) { f.OOM.Label = true }
	blind := func(f *finding.Findings) {
		f.OOM.Point, f.OOM.Notice, f.KernelLog = finding.Point{}, finding.Point{}, false
	}
	short := func(f *finding.Findings) { blind(f); f.OOM.Shortage = causestest.Yes(0) }
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"the kubelet's word that the node was out of memory": {ID: causes.OOMNode, Code: 137,
			Change: short, Want: causes.Strong},
		"its word, and another container's process was killed": {ID: causes.OOMNode,
			Code: 137, Change: func(f *finding.Findings) { short(f); f.OOM.Elsewhere = true }, Want: causes.Weak},
		"a kernel's word without a time, about a process of that name": {ID: causes.OOMNode, Code: 137,
			Change: func(f *finding.Findings) {
				short(f)
				f.OOM.Shortage.At, f.OOM.Told = time.Time{}, true
			}, Want: causes.Weak},
		"a kill without its cgroup, an end without its code": {ID: causes.OOMContainerLimit,
			Change: func(f *finding.Findings) {
				blind(f)
				f.Exit, f.OOM.Unplaced = finding.Exit{}, causestest.Yes(0)
			}, Want: causes.Weak},
		"the runtime's notice and label": {ID: causes.OOMContainerLimit, Code: 137, Change: func(f *finding.Findings) {
			blind(f)
			label(f)
			f.OOM.Notice = causestest.Yes(0)
		}, Want: causes.Strong},
		"the same, in a pod that has a limit, too": {ID: causes.OOMContainerLimit, Code: 137,
			Change: func(f *finding.Findings) {
				blind(f)
				label(f)
				f.OOM.Notice, f.R.Pod.MemoryLimit = causestest.Yes(0), 1<<20
			}, Want: causes.Weak},
		"systemd-oomd names the container": {ID: causes.OOMNode, Code: 137, Change: func(f *finding.Findings) {
			f.OOM.Shortage, f.OOM.Killer, f.OOM.Named = causestest.Yes(0), "systemd-oomd", true
		}, Want: causes.Decisive},
		"systemd-oomd kills it for its own pressure": {ID: causes.OOMNode, Code: 137, Change: func(f *finding.Findings) {
			f.OOM.Shortage, f.OOM.Killer, f.OOM.Named, f.OOM.Own = causestest.Yes(0), "systemd-oomd", true, true
		}, Want: causes.Weak},
		"earlyoom asked a process, which returns an error": {ID: causes.OOMNode,
			Code: 1, Change: func(f *finding.Findings) {
				f.OOM.Shortage, f.OOM.Killer = causestest.Yes(-1), "earlyoom"
			}, Want: causes.Strong},
		"earlyoom, and the kubelet gives a reason": {ID: causes.OOMNode, Code: 137, Change: func(f *finding.Findings) {
			f.OOM.Shortage, f.OOM.Killer = causestest.Yes(-1), "earlyoom"
			causestest.Killed(f, evidence.KillLiveness)
		}, Want: causestest.Out},
		"the kernel names the container's cgroup, the spec no limit": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				kernel(finding.OOMContainer)(f)
				f.R.Spec.MemoryLimit = 0
			}, Want: causes.Decisive},
		"no limit, and no record": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) { blind(f); f.R.Spec.MemoryLimit = 0 }, Want: causestest.Out},
		"the label beside any kill of the kubelet": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				label(f)
				causestest.Killed(f, evidence.KillPod)
			}, Want: causes.Weak},
		"a child at the end, without a code": {ID: causes.OOMChildProcess,
			Change: func(f *finding.Findings) {
				kernel(finding.OOMContainer)(f)
				f.Exit.Known, f.OOM.Child = false, true
			}, Want: causes.Strong},
		"a child at the end, without a code, is not the container's limit": {ID: causes.OOMContainerLimit,
			Change: func(f *finding.Findings) {
				kernel(finding.OOMContainer)(f)
				f.Exit.Known, f.OOM.Child = false, true
			}, Want: causes.Weak},
		"a child that only the kernel knows": {ID: causes.OOMChildProcess,
			Change: func(f *finding.Findings) {
				kernel(finding.OOMContainer)(f)
				f.Exit.Known, f.OOM.Child, f.R.From.OnlyKilled = false, true, true
			}, Want: causes.Weak},
		"the kernel names the container's cgroup": {ID: causes.OOMContainerLimit,
			Code: 137, Change: kernel(finding.OOMContainer), Want: causes.Decisive},
		"the kernel names the pod's cgroup": {ID: causes.OOMContainerLimit, Code: 137,
			Change: kernel(finding.OOMPod), Want: causestest.Out},
		"the pod's cgroup, for the pod's rule": {ID: causes.OOMPodLimit, Code: 137,
			Change: kernel(finding.OOMPod), Want: causes.Decisive},
		"the pod's cgroup rules out the node": {ID: causes.OOMNode, Code: 137,
			Change: kernel(finding.OOMPod), Want: causestest.Out},
		"the whole machine": {ID: causes.OOMNode, Code: 137,
			Change: kernel(finding.OOMNode), Want: causes.Decisive},
		"the pod's cgroup, and nobody knows the spec": {ID: causes.OOMPodLimit,
			Code: 137, Change: func(f *finding.Findings) {
				kernel(finding.OOMPod)(f)
				f.OOM.Unsure = true
			}, Want: causes.Strong},
		"the label, and the kernel's log has nothing": {ID: causes.OOMContainerLimit, Code: 137,
			Change: label, Want: causestest.Out},
		"the label without a log of the kernel": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) { blind(f); label(f) }, Want: causes.Strong},
		"the label, and an earlier kill that it may be of": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				label(f)
				f.OOM.Earlier = causestest.Yes(-30)
			}, Want: causes.Weak},
		"the label, and a child's kill at the end": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				label(f)
				f.OOM.Earlier = causestest.Yes(-1)
			}, Want: causes.Strong},
		"the label beside a stated reason is worth little": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				label(f)
				causestest.Killed(f, evidence.KillLiveness)
			}, Want: causes.Weak},
		"the label with exit code 143 is an old one": {ID: causes.OOMContainerLimit,
			Code: 143, Change: func(f *finding.Findings) { blind(f); label(f) }, Want: causestest.Out},
		"exit code 137 alone says nothing about memory": {ID: causes.OOMContainerLimit, Code: 137,
			Change: blind, Want: causestest.None},
		"exit code 137 that the kubelet made up": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				f.Exit.Invented, f.Exit.Reason = true, "ContainerStatusUnknown"
			},
			Want: causestest.Out},
		"a container without a limit": {ID: causes.OOMContainerLimit,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				label(f)
				f.R.Spec.MemoryLimit = 0
			}, Want: causestest.Out},
		"a kill that outlived its grace": {ID: causes.OOMNode,
			Code: 137, Change: func(f *finding.Findings) {
				blind(f)
				causestest.Killed(f, evidence.KillPod)
				f.Kill.GraceOver = true
			},
			Want: causestest.Out},
		"a child, and the container ended with its own code": {ID: causes.OOMChildProcess,
			Code: 1, Change: kernel(finding.OOMContainer), Want: causes.Strong},
		"the label with exit code 143 may be a child's": {ID: causes.OOMChildProcess, Code: 143,
			Change: label, Want: causes.Weak},
		"the label with exit code 143 after a stated kill": {ID: causes.OOMChildProcess,
			Code: 143, Change: func(f *finding.Findings) {
				label(f)
				causestest.Killed(f, evidence.KillLiveness)
			}, Want: causestest.Out},
		"the main process itself is no child": {ID: causes.OOMChildProcess, Code: 137,
			Change: kernel(finding.OOMContainer), Want: causestest.Out},
		"a runtime's notice and a code of the process's own": {ID: causes.OOMChildProcess,
			Code: 1, Change: func(f *finding.Findings) { blind(f); f.OOM.Notice = causestest.Yes(0) }, Want: causes.Strong},
		"no exit code, and the kernel struck at the end": {ID: causes.OOMContainerLimit,
			Change: func(f *finding.Findings) {
				kernel(finding.OOMContainer)(f)
				f.Exit = finding.Exit{}
			}, Want: causes.Strong},
		"no exit code, and the cgroup of a pod that has an only container": {ID: causes.OOMContainerLimit,
			Change: func(f *finding.Findings) {
				kernel(finding.OOMPod)(f)
				f.Exit, f.OOM.Unsure, f.OOM.Lone = finding.Exit{}, true, true
			}, Want: causes.Strong},
		"no exit code, and the cgroup of a pod that may have several": {ID: causes.OOMContainerLimit,
			Change: func(f *finding.Findings) {
				kernel(finding.OOMPod)(f)
				f.Exit, f.OOM.Unsure = finding.Exit{}, true
			}, Want: causes.Weak},
		"no exit code, and nothing of the kernel": {ID: causes.OOMContainerLimit,
			Change: func(f *finding.Findings) { blind(f); f.Exit = finding.Exit{} }, Want: causestest.None},
	})
}

// Only what really has one root may become one incident.
// The limit is the one that the runtime has on record, or the spec's; a limit that was not certainly reached is no more
// than possible in the words, too.
func TestTheWordsOfALimit(t *testing.T) {
	for want, change := range map[string]func(*finding.Findings){
		"it was OOM-killed after 1m; it may have exceeded its memory limit of 256 MiB": func(*finding.Findings) {},
		"it was OOM-killed after 1m; it may have exceeded its memory limit of 20 MiB": func(f *finding.Findings) {
			f.R.From.MemoryLimit = 0
		},
		"it was OOM-killed after 1m; it may have exceeded its memory limit": func(f *finding.Findings) {
			f.R.Spec, f.R.From.MemoryLimit = nil, 0
		},
		"it exceeded its memory limit of 256 MiB and the kernel killed it after 1m": func(f *finding.Findings) {
			f.OOM.Notice = causestest.Yes(0)
		},
		// a resize in place that is not done
		"it exceeded its memory limit and the kernel killed it after 1m": func(f *finding.Findings) {
			f.OOM.Notice, f.R.From.MemoryLimit = causestest.Yes(0), 0
			has := corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("10Mi")}}
			f.R.Pod.Object = podobject.Of(&corev1.Pod{Status: corev1.PodStatus{
				ContainerStatuses: []corev1.ContainerStatus{{Name: f.R.Container, Resources: &has}}}})
		},
	} {
		for _, sidecar := range []bool{false, true} {
			f := causestest.Base(137)
			f.OOM.Point, f.OOM.Label, f.R.From.MemoryLimit, f.KubeletLog = finding.Point{}, true, 256<<20, false
			change(f)
			if o := f.R.Pod.Object; o != nil && sidecar {
				status := &o.Whole().Status
				status.InitContainerStatuses, status.ContainerStatuses = status.ContainerStatuses, nil
			}
			at := slices.IndexFunc(Rules(), func(r causes.Rule) bool { return r.ID == causes.OOMContainerLimit })
			if got := Rules()[at].Claim(f).Summary; got != "container a: "+want {
				t.Errorf("sidecar %t: %q, want %q", sidecar, got, want)
			}
		}
	}
}

// What ends behind a child's death ends with success or not.
func TestHowAContainerEndsBehindAChild(t *testing.T) {
	for code, want := range map[int32]causes.ID{0: causes.AppExitZero, 1: causes.AppExitError} {
		f := causestest.Base(code)
		kernel(finding.OOMContainer)(f)
		for _, r := range Rules() {
			if r.ID != causes.OOMChildProcess {
				continue
			}
			if got := r.Claim(f).Mechanism; got != want {
				t.Errorf("code %d: %s, want %s", code, got, want)
			}
		}
	}
}

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
