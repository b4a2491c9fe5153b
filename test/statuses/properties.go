package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// property is what must be true of every status. It returns each violation as a shape that other statuses share: no
// names, no times.
type property struct {
	name  string
	check func(*answered) []string
}

var properties = []property{
	{"asked", hasItem}, {"once", oneItem}, {"named", isNamed}, {"actions", actionsFit}, {"impossible", nothingImpossible},
	{"order", chainInOrder}, {"possible", possibleDecides}, {"words", wordsFit}, {"range", timesInRange},
}

// hasItem: whatever needs an explanation has an item. That is a container that exited and was not meant to, one that
// waits because something went wrong, one that was restarted; and a pod that failed or has a reason.
func hasItem(a *answered) (out []string) {
	p := a.pod
	for _, l := range [...]struct {
		statuses []corev1.ContainerStatus
		kind     string
	}{{p.Status.InitContainerStatuses, "init"}, {p.Status.ContainerStatuses, "app"}} {
		for i := range l.statuses {
			s := &l.statuses[i]
			kind := l.kind
			if kind == "init" && a.status[ofKind] == kindSidecar {
				kind = "sidecar"
			}
			if why := asks(p, s, kind); why != "" &&
				!slices.ContainsFunc(a.items, func(it report.Item) bool { return it.Container == s.Name }) {
				out = append(out, "no item of a container that "+why)
			}
			if t := s.State.Terminated; t != nil && !asMeant(p, t, kind) && !a.has(s.Name, t) {
				out = append(out, "no item of an end in state: "+t.Reason)
			}
			if t := s.LastTerminationState.Terminated; t != nil && !a.has(s.Name, t) && !a.refused(s.Name, t) {
				out = append(out, "no item of an end in lastState: "+t.Reason)
			}
		}
	}
	lost := a.static() && p.Status.Phase == corev1.PodRunning // a mirror pod's status does not end a static pod
	if (p.Status.Phase == corev1.PodFailed || p.Status.Reason != "" && !lost) && len(a.items) == 0 {
		out = append(out, fmt.Sprintf("no item of a pod that is %s with reason %q", p.Status.Phase, p.Status.Reason))
	}
	return out
}

// static reports whether it is a mirror pod.
func (a *answered) static() bool { return owners[a.status[ofOwner]] == "Node" }

// has reports whether an item is about an exit.
func (a *answered) has(container string, t *corev1.ContainerStateTerminated) bool {
	return a.of(container, bare(t.ContainerID), t.ExitCode) != nil
}

// refused reports whether a container had finished as intended, should run again, and cannot.
func (a *answered) refused(container string, t *corev1.ContainerStateTerminated) bool {
	return t.ExitCode == 0 && slices.ContainsFunc(a.items, func(it report.Item) bool {
		return it.Container == container && it.Kind == report.Refused
	})
}

// of returns the item of an exit: by its id or, if the kubelet lost it, by its code.
func (a *answered) of(container, id string, code int32) *report.Item {
	for i := range a.items {
		it := &a.items[i]
		if it.Container == container && it.From != nil && it.From.ExitCode != nil &&
			*it.From.ExitCode == code && it.From.ContainerID == id {
			return it
		}
	}
	return nil
}

func bare(id string) string {
	_, after, _ := strings.Cut(id, "://")
	return after
}

func asks(p *corev1.Pod, s *corev1.ContainerStatus, kind string) string {
	switch w := s.State.Waiting; {
	case s.State.Terminated != nil && !asMeant(p, s.State.Terminated, kind):
		return "ended"
	case w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing":
		return "waits: " + w.Reason
	case s.LastTerminationState.Terminated != nil:
		return "had ended before"
	case s.RestartCount > 0:
		return "was restarted"
	}
	return ""
}

// asMeant reports whether an exit needs no explanation.
func asMeant(p *corev1.Pod, t *corev1.ContainerStateTerminated, kind string) bool {
	if t.ExitCode != 0 || t.Reason == "OOMKilled" {
		return false
	}
	failed := p.Status.Phase == corev1.PodFailed && p.Status.Reason != ""
	switch kind {
	case "init":
		return true
	case "sidecar":
		return p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed && !failed
	default:
		// Times, not the status, say which containers of a failed pod had finished before: either is accepted.
		return p.Spec.RestartPolicy != corev1.RestartPolicyAlways
	}
}

// oneItem: no two items are about one exit.
func oneItem(a *answered) (out []string) {
	seen := map[string]bool{}
	for _, it := range a.items {
		id, attempt := "", -1
		if it.From != nil {
			if id = it.From.ContainerID; it.From.Attempt != nil {
				attempt = *it.From.Attempt
			}
		}
		key := it.Container + "|" + id
		if id == "" {
			key += fmt.Sprint(attempt, it.Kind)
		}
		if seen[key] {
			out = append(out, "two items of one end: "+string(it.Kind))
		}
		seen[key] = true
	}
	whole := slices.IndexFunc(a.items, func(it report.Item) bool { return it.Container == "" })
	for i := range a.items {
		if it := &a.items[i]; whole >= 0 && i != whole && it.Kind == report.Death &&
			it.Verdict.Cause != "node-reboot" && it.Verdict.Confidence.Rank() >= report.Likely.Rank() &&
			it.Verdict.Cause == a.items[whole].Verdict.Cause {
			out = append(out, "an item of the whole pod beside a container's that says the same")
		}
	}
	return out
}

// timesInRange: an item's time is between the pod's creation and the collection.
func timesInRange(a *answered) (out []string) {
	from, until := a.pod.CreationTimestamp.Add(-2*time.Second), a.collected.Add(2*time.Second)
	for _, it := range a.items {
		if it.Time != nil && (it.Time.Before(from) || it.Time.After(until)) {
			out = append(out, "an item outside of its pod's time")
		}
		for _, l := range it.Verdict.Chain {
			if l.At != nil && (l.At.After(until) || l.At.Before(from) && l.Role != report.RoleBehind) {
				out = append(out, "a link outside of its pod's time: "+it.Verdict.Cause)
			}
		}
	}
	return out
}

// chainInOrder: the times of a chain do not decrease, beyond the rounding of the API.
func chainInOrder(a *answered) (out []string) {
	for _, it := range a.items {
		var last time.Time
		for _, l := range it.Verdict.Chain {
			if l.At == nil {
				continue
			}
			if l.At.Before(last.Add(-2 * time.Second)) {
				out = append(out, fmt.Sprintf("chain of %s goes back in time at %s %s", it.Verdict.Cause, l.Role, l.Cause))
				break
			}
			last = *l.At
		}
	}
	return out
}
