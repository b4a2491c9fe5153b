package analyzer_test

import (
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// only keeps the evidence of some sources, as a collection with fewer rights would.
func only(s *analyzertest.Story, kinds ...evidence.SourceKind) *analyzertest.Story {
	s.Observations = slices.DeleteFunc(s.Observations, func(o evidence.Observation) bool {
		return !slices.Contains(kinds, o.Source.Kind)
	})
	s.Coverage = slices.DeleteFunc(s.Coverage, func(c evidence.Coverage) bool { return !slices.Contains(kinds, c.Source) })
	return s
}

// What the API alone can tell: less, and it says so. The table is the promise.
func TestWhatEachTierCanTell(t *testing.T) {
	type told struct {
		cause      string
		confidence report.Confidence
	}
	want := map[string]struct{ api, logs told }{
		"an application error":       {told{"app-exit-error", report.Likely}, told{"app-exit-error", report.Likely}},
		"one clean end":              {told{"app-exit-zero", report.Possible}, told{"app-exit-zero", report.Possible}},
		"a memory fault":             {told{"app-signal", report.Likely}, told{"app-signal", report.Likely}},
		"the code of a memory fault": {told{"app-signal", report.Likely}, told{"app-signal", report.Likely}},
		"a failed init container": {told{"init-container-failed", report.Likely},
			told{"init-container-failed", report.Likely}},
		"the container's memory limit": {told{"oom-container-limit", report.Possible},
			told{"oom-container-limit", report.Likely}},
		"the limit of a pod's only container": {told{"oom-container-limit", report.Possible},
			told{"oom-container-limit", report.Likely}},
		"the pod's memory limit": {told{"oom-container-limit", report.Possible}, told{"oom-container-limit", report.Likely}},
		"the node's memory":      {told{"app-signal", report.Possible}, told{"app-signal", report.Possible}},
		"a child out of memory":  {told{"oom-child-process", report.Possible}, told{"oom-child-process", report.Possible}},
		"a failed liveness probe": {told{"liveness-probe-failed", report.Proven},
			told{"liveness-probe-failed", report.Proven}},
		"a failed startup probe": {told{"startup-probe-failed", report.Proven}, told{"startup-probe-failed", report.Proven}},
		"an exec timeout that an upgrade enforces": {told{"liveness-probe-failed", report.Possible},
			told{"probe-timeout-enforced", report.Proven}},
		"a startup probe that ran again": {told{"startup-probe-rerun", report.Likely},
			told{"startup-probe-rerun", report.Proven}},
		"a failed postStart hook": {told{"post-start-hook-failed", report.Proven},
			told{"post-start-hook-failed", report.Proven}},
		"an in-place kubelet upgrade": {told{"hash-kubelet-upgrade", report.Likely},
			told{"hash-kubelet-upgrade", report.Likely}},
		"an image edit": {told{"spec-image-changed", report.Possible},
			told{"spec-image-changed", report.Proven}},
		"a dead sandbox":             {told{"sandbox-died", report.Possible}, told{"sandbox-died", report.Likely}},
		"a stop through the runtime": {told{"oom-node", report.Possible}, told{"killed-externally", report.Possible}},
		"a SIGKILL from the node":    {told{"oom-node", report.Possible}, told{"killed-externally", report.Possible}},
		"a boot of the node":         {told{"node-reboot", report.Possible}, told{"runtime-restarted", report.Possible}},
		"an invented exit code": {told{"container-status-unknown", report.Likely},
			told{"container-status-unknown", report.Likely}},
		"a pod whose cgroup was missing": {told{"pod-cgroup-missing", report.Possible},
			told{"pod-cgroup-missing", report.Likely}},
		"another cgroup driver": {told{"pod-cgroup-missing", report.Possible}, told{"pod-cgroup-missing", report.Likely}},
		"another container runtime": {told{"container-status-unknown", report.Likely},
			told{"runtime-switched", report.Likely}},
		"a pod that a new kubelet stopped": {told{"kubelet-restarted", report.Possible},
			told{"kubelet-restarted", report.Likely}},
		"a readiness that flipped": {told{"readiness-flip", report.Likely}, told{"readiness-flip", report.Proven}},
		"a mirror pod that was recreated": {told{"mirror-pod-deleted", report.Possible},
			told{"mirror-pod-deleted", report.Proven}},
		"a field that the API server began to default": {told{"hash-apiserver-change", report.Possible},
			told{"hash-apiserver-change", report.Possible}},
		"another field of a static pod with a UID of its own": {told{"spec-changed", report.Possible},
			told{"spec-changed", report.Proven}},
		"another field of a pod from the API": {told{"spec-changed", report.Possible}, told{"spec-changed", report.Possible}},
		"a static manifest that was edited": {told{"static-pod-changed", report.Possible},
			told{"static-pod-changed", report.Proven}},
		"a static manifest that was edited while the kubelet was away": {told{"static-pod-kubelet-upgrade", report.Possible},
			told{"static-pod-changed", report.Likely}},
		"another kubelet and the same static manifest": {told{"static-pod-kubelet-upgrade", report.Possible},
			told{"static-pod-kubelet-upgrade", report.Likely}},
		"a static manifest that is gone": {told{"static-pod-removed", report.Possible},
			told{"static-pod-removed", report.Proven}},
	}
	for _, story := range analyzertest.Stories() {
		w, ok := want[story.Name]
		if !ok {
			t.Errorf("%s: no promise for this story", story.Name)
			continue
		}
		for tier, c := range map[string]struct {
			kinds []evidence.SourceKind
			want  told
		}{
			"api":  {[]evidence.SourceKind{evidence.SourceAPI}, w.api},
			"logs": {[]evidence.SourceKind{evidence.SourceAPI, evidence.SourceKubeletLog}, w.logs},
		} {
			t.Run(story.Name+"/"+tier, func(t *testing.T) {
				v := newest(t, only(story.Story(), c.kinds...))
				if got := (told{v.Cause, v.Confidence}); got != c.want {
					t.Errorf("got %+v, want %+v\n%s\nalternatives %+v\nmissing %+v", got, c.want, v.Summary, v.Alternatives, v.Missing)
				}
			})
		}
	}
}

// An honest tool never gets surer of a wrong cause with less evidence.
func TestTheAPIAloneNeverProvesAWrongCause(t *testing.T) {
	for _, story := range analyzertest.Stories() {
		v := newest(t, only(story.Story(), evidence.SourceAPI))
		if v.Confidence == report.Proven && v.Cause != story.Cause {
			t.Errorf("%s: proven %s", story.Name, v.Cause)
		}
	}
}

// The runtime may miss that the kernel struck when the container is gone at
// once, so without the kernel's log no end of the process's own is proven.
func TestSilenceOfTheRuntimeDoesNotRuleOutMemory(t *testing.T) {
	for _, story := range analyzertest.Stories() {
		v := newest(t, only(story.Story(), evidence.SourceAPI, evidence.SourceKubeletLog, evidence.SourceRuntimeLog))
		if v.Confidence == report.Proven && (v.Cause == "app-exit-error" || v.Cause == "app-signal" ||
			v.Cause == "init-container-failed") {
			t.Errorf("%s: proven %s without the kernel's log", story.Name, v.Cause)
		}
	}
}
