package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// This file checks that a verdict fits the container, its exit, and the four words of confidence.

// actionsFit: the recommended actions can be done for such an exit.
func actionsFit(a *answered) (out []string) {
	for _, it := range a.items {
		c := a.container(it.Container)
		e := endOf(&it)
		for _, action := range it.Verdict.Actions {
			switch {
			case strings.Contains(action, "core dump") && !e.fault() && e.code <= 128+64:
				out = append(out, fmt.Sprintf("a core dump of code %d", e.code))
			case strings.Contains(action, "limits.memory") && c != nil && c.Resources.Limits.Memory().IsZero():
				out = append(out, "a memory limit of a container without one: "+it.Verdict.Cause)
			case strings.Contains(action, "kubectl logs") && e.never():
				out = append(out, "the log of a process that never ran: "+it.Verdict.Cause)
			}
			if strings.Contains(action, "kubectl logs") && strings.Contains(action, "--previous") && a.stands(&it) {
				out = append(out, "--previous for an end that is the container's present state: "+it.Verdict.Cause)
			}
		}
	}
	return out
}

// stands reports whether an exit is in state rather than lastState: kubectl logs without --previous shows it.
func (a *answered) stands(it *report.Item) bool {
	return slices.ContainsFunc(a.told, func(t told) bool {
		return t.present && t.container == it.Container && t.id != "" && t.id == it.From.ContainerID
	})
}

func endOf(it *report.Item) (e end) {
	if it.From != nil && it.From.ExitCode != nil {
		e = end{it.From.Reason, *it.From.ExitCode, it.From.Signal}
	}
	return e
}

// nothingImpossible: the leading cause is one that this container or exit can have had.
func nothingImpossible(a *answered) (out []string) {
	for _, it := range a.items {
		c, e := a.container(it.Container), endOf(&it)
		bad := func(why string) { out = append(out, it.Verdict.Cause+" "+why) }
		switch cause := it.Verdict.Cause; cause {
		case "liveness-probe-failed", "startup-probe-failed", "probe-timeout-enforced",
			"startup-probe-rerun", "probe-failures-carried-over":
			p := probeOf(c, cause)
			switch {
			case p == nil:
				bad("of a container without the probe")
			case it.From.StartedAt != nil && it.From.FinishedAt != nil &&
				it.From.FinishedAt.Sub(*it.From.StartedAt)+2*time.Second < time.Duration(p.InitialDelaySeconds)*time.Second:
				bad("of a container that ended before the probe ran")
			}
		case "oom-container-limit":
			if c == nil || c.Resources.Limits.Memory().IsZero() {
				bad("of a container without a limit")
			}
		case "oom-pod-limit":
			if a.pod.Spec.Resources == nil && !limited(a.pod) {
				bad("of a pod without a limit")
			}
		case "post-start-hook-failed":
			if c == nil || c.Lifecycle == nil || c.Lifecycle.PostStart == nil {
				if a.waits() == nil || a.waits().reason != "PostStartHookError" {
					bad("of a container without the hook")
				}
			}
		case "app-exit-zero":
			if e.code != 0 || e.reason == "OOMKilled" && it.Verdict.Confidence == report.Likely {
				bad(fmt.Sprintf("of an end with %s %d", e.reason, e.code))
			}
		case "init-container-failed":
			if it.ContainerKind != "init" {
				bad("of " + it.ContainerKind)
			}
		case "node-reboot":
			if a.beside != nil || a.status[ofBeside] == besideRuns && it.Time != nil {
				bad("of a node on which a container ran on")
			}
		}
	}
	return out
}

// limited reports whether every container of a pod has a memory limit: then the pod's cgroup has one.
func limited(p *corev1.Pod) bool {
	return !slices.ContainsFunc(p.Spec.Containers, func(c corev1.Container) bool {
		return c.Resources.Limits.Memory().IsZero()
	})
}

func probeOf(c *corev1.Container, cause string) *corev1.Probe {
	switch {
	case c == nil:
		return nil
	case strings.HasPrefix(cause, "startup"):
		return c.StartupProbe
	case strings.HasPrefix(cause, "liveness") || c.LivenessProbe != nil:
		return c.LivenessProbe
	}
	return c.StartupProbe
}

// deciding are the causes that are offered without a claim, each with the evidence that would decide it.
var deciding = func() map[string]string {
	words := map[string]string{}
	for _, c := range analyzer.Causes() {
		words[c.ID] = c.Decides
	}
	return words
}()

// possibleDecides: a cause that is only possible has another one next to it, with the evidence that would distinguish
// them.
func possibleDecides(a *answered) (out []string) {
	for _, it := range a.items {
		v := &it.Verdict
		if v.Confidence == report.Possible && len(v.Alternatives) == 0 {
			out = append(out, "possible without an alternative: "+v.Cause)
		}
		decides := false
		for _, o := range v.Alternatives {
			decides = decides || o.Decides != ""
			if d := deciding[o.Cause]; d != "" && d != o.Decides {
				out = append(out, "an alternative without what decides: "+o.Cause)
			}
		}
		if v.Confidence == report.Possible && len(v.Alternatives) > 0 && !decides {
			out = append(out, fmt.Sprintf("possible %s, and nothing that decides: %s", v.Cause, v.Alternatives[0].Cause))
		}
	}
	return out
}

// hedges are the expressions for what is not a fact.
var hedges = regexp.MustCompile(
	`\bmay\b|\bmay have\b|perhaps|not known|\bas [^;]*\bdo(es)?\b|is not in the evidence|not said|\bas after\b|no trace|nothing shows|the evidence (shows no|does not show)|rather|does not tell|seems|looks like|fits|could\b|cannot be told|as its own`)

// statements are the causes that the kubelet itself states in the API, so that the API alone may prove them.
var statements = []string{
	"create-error", "start-error", "admission-rejected", "evicted-memory",
	"evicted-disk", "evicted-pid", "preempted-by-kubelet", "deadline-exceeded", "node-shutdown",
	"liveness-probe-failed", "startup-probe-failed", "post-start-hook-failed", "resize-restart",
	"node-reboot", // the kubelet's event Rebooted, and the runtime's 255 "Unknown" for what it lost
}

// asked are ends of pods that someone requests from the API, which says so itself.
var asked = []string{"pod-deleted", "taint-evicted", "api-evicted", "preempted-by-scheduler"}

// wordsFit: what is only possible is not stated as a fact, and the API alone proves only what the kubelet itself
// states.
func wordsFit(a *answered) (out []string) {
	for _, it := range a.items {
		v := &it.Verdict
		if v.Confidence == report.Possible && !hedges.MatchString(v.Summary) {
			out = append(out, "possible, said as a fact: "+v.Cause)
		}
		// the kubelet says that it stops the pod, the API why
		killed := a.status[ofKill] > 0 && slices.Contains(asked, v.Cause)
		if v.Confidence == report.Proven && !slices.Contains(statements, v.Cause) && !killed {
			out = append(out, "proven by the API alone: "+v.Cause)
		}
		if v.Summary == "" || v.Cause == "" {
			out = append(out, "no summary of "+v.Cause)
		}
	}
	return out
}
