package worker

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

func TestWorkersThatAreAdded(t *testing.T) {
	a := Probed{"a", []probe.Kind{probe.Liveness, probe.Readiness}}
	b := Probed{"b", []probe.Kind{probe.Liveness, probe.Startup}}
	all := []Key{{"a", probe.Readiness}, {"a", probe.Liveness}, {"b", probe.Startup}, {"b", probe.Liveness}}
	tests := map[string]struct {
		version    string
		pod        []Probed
		have, want []Key
	}{
		"a new pod":           {"v1.37", []Probed{a, b}, nil, all},
		"a pod that has them": {"v1.37", []Probed{a, b}, all, nil},
		"the second container's have ended: 1.36": {"v1.36", []Probed{a, b}, all[:2], nil},
		"1.37 adds them":                           {"v1.37", []Probed{a, b}, all[:2], all[2:]},
		"the first container's have ended":         {"v1.36", []Probed{a, b}, all[2:], all[:2]},
		"one worker keeps the rest of its own out": {"v1.37", []Probed{a, b}, all[:1], all[2:]},
		"a container without probes stops nothing": {"v1.36", []Probed{{Name: "c"}, b}, nil, all[2:]},
		"startup probes exist since 1.16":          {"v1.15", []Probed{b}, nil, all[3:]},
		"a name that stands twice":                 {"v1.37", []Probed{a, a, b}, nil, all},
		"a name that stands twice ends it in 1.36": {"v1.36", []Probed{a, a, b}, nil, all[:2]},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Added(rulesOf(t, test.version), test.pod, test.have)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// In 1.35 and 1.36 an exec probe gives no more results once its pod is being terminated.
func TestExecRunsAreCancelledWithTheirPod(t *testing.T) {
	life := func(version, handler string, took time.Duration) Event {
		s := base(t, version)
		s.Spec.Kind, s.Spec.Handler, s.Spec.FailureThreshold = probe.Readiness, handler, 1
		s.Executions = []Execution{{Passed, 0}, {Passed, 0}, {Failed, took}}
		going := running("c1", 0, true)
		going.Deleted = true
		s.Changes = append(s.Changes, StatusChange{at(23), going})
		s.Until = at(35)
		events, err := Simulate(s)
		if err != nil {
			t.Fatal(err)
		}
		return events[len(events)-1]
	}
	for version, want := range map[string]probe.Held{"v1.34.4": probe.Failure, "v1.35.0": probe.Success,
		"v1.36.4": probe.Success, "v1.37.0": probe.Failure} {
		// The last run begins at 20 s, and is in progress at the deletion; or at 30 s, after it.
		for _, took := range []time.Duration{0, 5 * time.Second} {
			want := want
			if took == 0 {
				want = probe.Failure
			}
			if last := life(version, "exec", took); last.Result != want {
				t.Errorf("%s, a run of %s: ready as %d, want %d (%+v)", version, took, last.Result, want, last)
			}
		}
	}
	if last := life("v1.36.4", "httpGet", 5*time.Second); last.Result != probe.Failure {
		t.Errorf("a probe by HTTP is cancelled too: %+v", last)
	}
	if last := life("v1.36.4", "exec", 5*time.Second); last.Outcome != Errored || !last.Began.Equal(at(30)) {
		t.Errorf("the last run %+v", last)
	}
}
