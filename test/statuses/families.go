package main

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file holds the table from the reasons in a status to the causes of which one must be named.

// podsEnds are the causes that end whole pods or nodes.
var podsEnds = []string{
	"evicted-memory", "evicted-disk", "evicted-pid", "preempted-by-kubelet",
	"admission-rejected", "deadline-exceeded", "node-shutdown", "api-evicted", "taint-evicted",
	"preempted-by-scheduler", "pod-orphaned", "pod-deleted", "pod-replaced",
	"node-reboot", "runtime-restarted", "runtime-switched", "static-pod-changed",
	"static-pod-kubelet-upgrade", "static-pod-removed",
}

var memory = []string{"oom-container-limit", "oom-pod-limit", "oom-node", "oom-child-process", "oom-label-stale"}

// named returns the causes that an exit itself names, none if it leaves them open.
func (e end) named(init bool) []string {
	own := "app-exit-error"
	if init {
		own = "init-container-failed"
	}
	switch {
	case e.reason == "OOMKilled":
		return memory
	case e.never():
		return []string{"start-error"}
	case e.reason == "ContainerStatusUnknown":
		return append([]string{"container-status-unknown", "sandbox-died"}, podsEnds...)
	case e.reason == "Unknown", e.code == 255:
		return []string{"runtime-restarted", "node-reboot", own}
	case e.code == 0 && !init:
		return []string{"app-exit-zero"}
	case e.code == 0:
		return nil
	case e.fault() && init:
		return []string{own}
	case e.fault():
		return []string{"app-signal"}
	case e.sent(), e.code < 0:
		return nil
	}
	return []string{own}
}

// fault reports signals that a process causes itself; sent those that someone sends.
func (e end) fault() bool { return e.code == 134 || e.code == 139 }

func (e end) sent() bool { return e.code == 129 || e.code == 130 || e.code == 137 || e.code == 143 }

// isNamed: what kubectl describe names is the verdict or one of its alternatives.
func isNamed(a *answered) (out []string) {
	p := a.pod
	if want := podEnds[a.status[ofPod]].names; want != nil && !(a.static() && want[0] == "taint-evicted") &&
		!slices.ContainsFunc(a.items, func(it report.Item) bool { return names(&it, want) }) && len(a.items) > 0 {
		out = append(out, fmt.Sprintf("reason %s (%s) is not among %s", family(p.Status.Reason),
			family(want[0]), said(a.items[len(a.items)-1:])))
	}
	for _, t := range a.told {
		it := a.of(t.container, t.id, t.code)
		if it == nil {
			continue // hasItem reports it
		}
		init := a.status[ofKind] == kindInit && t.container == "main"
		want := t.named(init)
		if t == *a.last() && a.status[ofKill] > 0 && kills[a.status[ofKill]-1].names != "" {
			k := kills[a.status[ofKill]-1]
			want = []string{k.names}
			if k.probed() {
				want = append(want, "probe-failures-carried-over", "startup-probe-rerun", "probe-timeout-enforced")
			}
		} else if t == *a.last() && a.status[ofKill] > 0 || len(want) == 0 || a.againstPolicy(t) ||
			t.id == "" && a.status[ofKill] > 0 && a.status[ofMerged] > 0 { // the first merged kill may be for this one
			continue
		}
		if (t.present || a.creating()) && podEnds[a.status[ofPod]].names != nil || a.endedFromOutside() {
			want = append(slices.Clone(want), podsEnds...) // it may have ended with its pod
		}
		if !names(it, append(slices.Clone(want), "post-start-hook-failed", "init-rerun",
			"sandbox-died")[:len(want)+a.spoiled(t)]) {
			out = append(out, fmt.Sprintf("end %s (%s) is not among %s", t.reason, want[0], said([]report.Item{*it})))
		}
	}
	return append(out, waitNamed(a)...)
}

// creating reports whether the status leaves open if the end of the pod came first.
func (a *answered) creating() bool {
	w := a.waits()
	return w != nil && (w.reason == "ContainerCreating" || w.reason == "PodInitializing")
}

// againstPolicy reports whether the restart policy would have left the container down after this exit: then it ran
// again for another reason.
func (a *answered) againstPolicy(t told) bool {
	policy := a.pod.Spec.RestartPolicy
	if a.status[ofKind] == kindSidecar && t.container == "main" || t.present && a.waits() == nil {
		return false
	}
	return policy == corev1.RestartPolicyNever || policy == corev1.RestartPolicyOnFailure && t.code == 0
}

// waitNamed: a container that could not be created or started has that as its cause.
func waitNamed(a *answered) (out []string) {
	w := a.status.waits()
	if w == nil || w.names == "" || len(a.told) > 0 && a.status[ofLast] > 0 {
		return nil
	}
	for i := range a.items {
		if it := &a.items[i]; it.Container == "main" && !names(it, []string{w.names}) && a.status[ofCount] == 0 {
			out = append(out, fmt.Sprintf("waits %s (%s) is not among %s", w.reason, w.names, said([]report.Item{*it})))
		}
	}
	return out
}

func family(s string) string {
	s, _, _ = strings.Cut(s, "-")
	if rest, ok := strings.CutPrefix(s, "OutOf"); ok && rest != "" {
		return "OutOf"
	}
	return s
}

// last returns the newest exit of main, a made-up one if there is none.
func (a *answered) last() *told {
	if a.newest == nil {
		return &told{container: "none"}
	}
	return a.newest
}

// spoiled returns 3 if an event gives the exit another reason than its code does.
func (a *answered) spoiled(t told) int {
	if e := a.status[ofPodEvent]; e > 0 && (podEvents[e-1].reason == "FailedPostStartHook" ||
		podEvents[e-1].reason == "SandboxChanged") {
		return 3
	}
	if w := a.waits(); w != nil && w.reason == "PostStartHookError" || t.code == 0 && a.status[ofKind] == kindInit {
		return 3
	}
	return 0
}

// endedFromOutside reports whether something other than the status says that pod or node ended.
func (a *answered) endedFromOutside() bool {
	s := a.status
	return s[ofDisruption] > 0 || s[ofDeletion] > 0 || s[ofNodeEvent] > 0 || s[ofPodEvent] >= 5
}

func names(it *report.Item, want []string) bool {
	if slices.Contains(want, it.Verdict.Cause) {
		return true
	}
	for _, l := range it.Verdict.Chain {
		if l.Cause == "oom-label-stale" && slices.Contains(want, l.Cause) {
			return true
		}
	}
	return slices.ContainsFunc(it.Verdict.Alternatives, func(o report.Alternative) bool {
		return slices.Contains(want, o.Cause)
	})
}

func said(items []report.Item) string {
	var all []string
	for _, it := range items {
		all = append(all, it.Verdict.Cause)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// container returns the spec of the container with that name, nil if there is none.
func (a *answered) container(name string) *corev1.Container {
	for _, l := range [][]corev1.Container{a.pod.Spec.InitContainers, a.pod.Spec.Containers} {
		for i := range l {
			if l[i].Name == name {
				return &l[i]
			}
		}
	}
	return nil
}
