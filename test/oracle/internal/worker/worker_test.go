package worker

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return start.Add(time.Duration(seconds * float64(time.Second))) }

func rulesOf(t testing.TB, version string) Rules {
	t.Helper()
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	r, err := RulesFor(v)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func running(id string, since float64, started bool) PodView {
	return PodView{ContainerID: id, Running: true, StartedAt: at(since), Started: started}
}

// base is a liveness probe every 10 s on a container that started with its pod,
// under a kubelet that has run for an hour, and every run fails.
func base(t testing.TB, version string) Scenario {
	return Scenario{
		Rules: rulesOf(t, version),
		Spec: probe.Spec{Kind: probe.Liveness, Handler: "httpGet", Period: 10,
			Timeout: 1, FailureThreshold: 3, SuccessThreshold: 1},
		KubeletStarted: at(-3600), AddedAt: at(0),
		Changes:    []StatusChange{{at(0), running("c1", 0, true)}},
		Executions: []Execution{{Outcome: Failed}},
		Until:      at(65),
	}
}

// kills returns the times of the kills, in seconds from the start.
func kills(events []Event) []float64 {
	var out []float64
	for _, e := range events {
		if e.Kills {
			out = append(out, e.At.Sub(start).Seconds())
		}
	}
	return out
}

func runs(events []Event) []float64 {
	var out []float64
	for _, e := range events {
		if e.Ran {
			out = append(out, e.At.Sub(start).Seconds())
		}
	}
	return out
}

func TestWhenTheKillComes(t *testing.T) {
	secondContainer := func(s *Scenario) {
		s.Changes = append(s.Changes, StatusChange{at(25), running("c2", 25, true)})
	}
	crashAfterTwo := func(s *Scenario) {
		s.Changes = append(s.Changes, StatusChange{at(15), running("c2", 15, true)})
	}
	for _, tt := range []struct {
		name    string
		version string
		change  func(*Scenario)
		want    []float64
	}{
		{"three failures, then the worker holds still", "v1.30.14", func(*Scenario) {}, []float64{20}},
		{"the initial delay counts from the container's start", "v1.30.14", func(s *Scenario) { s.Spec.InitialDelay = 15 },
			[]float64{40}},
		{"a start within a second counts from that second", "v1.30.14", func(s *Scenario) {
			s.Spec.InitialDelay = 10
			s.Changes[0].View.StartedAt = at(0.9)
		}, []float64{30}},
		{"the jitter moves every run up to 1.20", "v1.20.15", func(s *Scenario) { s.Jitter = 0.5 }, []float64{25}},
		{"the jitter moves only the first run up to 1.7", "v1.7.16", func(s *Scenario) { s.Jitter = 0.5 }, []float64{20}},
		{"an old kubelet does not jitter since 1.21", "v1.21.14", func(s *Scenario) { s.Jitter = 0.5 }, []float64{20}},
		{"a young kubelet jitters since 1.21", "v1.21.14", func(s *Scenario) { s.Jitter, s.KubeletStarted = 0.5, at(-5) },
			[]float64{25}},
		{"a success in between starts the count again", "v1.30.14", func(s *Scenario) {
			s.Executions = []Execution{{Outcome: Failed}, {Outcome: Failed}, {Outcome: Passed}, {Outcome: Failed}}
		}, []float64{50}},
		{"an errored run neither counts nor breaks the row", "v1.30.14", func(s *Scenario) {
			s.Executions = []Execution{{Outcome: Failed}, {Outcome: Errored}, {Outcome: Failed}}
		}, []float64{30}},
		{"runs longer than the period use up ticks", "v1.30.14", func(s *Scenario) {
			s.Executions[0].Took = 12 * time.Second
		}, []float64{36}},
		{"the run before the kill takes its time", "v1.30.14", func(s *Scenario) { s.Executions[0].Took = time.Second },
			[]float64{21}},
		{"after a kill 1.11 starts from nothing", "v1.11.10", secondContainer, []float64{20, 50}},
		{"after a kill 1.10 starts from one", "v1.10.13", secondContainer, []float64{20, 40}},
		{"after a kill 1.6.12 starts from one", "v1.6.12", secondContainer, []float64{20, 40}},
		{"after a kill 1.6.11 needs a single failure", "v1.6.11", secondContainer, []float64{20, 30}},
		{"failures of a container that crashed count against the next", "v1.36.3", crashAfterTwo, []float64{20}},
		{"a pod that is deleted is not killed since 1.20.6", "v1.20.6",
			func(s *Scenario) { s.Changes[0].View.Deleted = true }, nil},
		{"a pod that is deleted is killed up to 1.20.5", "v1.20.5", func(s *Scenario) { s.Changes[0].View.Deleted = true },
			[]float64{20}},
		{"the startup probe holds liveness off since 1.16", "v1.16.15",
			func(s *Scenario) { s.Changes[0].View.Started = false }, nil},
		{"nothing held liveness off up to 1.15", "v1.15.12", func(s *Scenario) { s.Changes[0].View.Started = false },
			[]float64{20}},
		{"a failed startup probe kills since 1.17", "v1.17.17", func(s *Scenario) {
			s.Spec.Kind, s.Changes[0].View.Started = probe.Startup, false
		}, []float64{20}},
		{"a failed startup probe did not kill in 1.16", "v1.16.15", func(s *Scenario) {
			s.Spec.Kind, s.Changes[0].View.Started = probe.Startup, false
		}, nil},
		{"a readiness probe never kills", "v1.30.14", func(s *Scenario) { s.Spec.Kind = probe.Readiness }, nil},
		{"no second startup probe in 1.21.0, whose worker ended", "v1.21.0", func(s *Scenario) {
			s.Spec.Kind = probe.Startup
			s.Changes = append(s.Changes, StatusChange{at(5), running("c2", 5, false)})
		}, nil},
		{"a second startup probe in 1.21.1", "v1.21.1", func(s *Scenario) {
			s.Spec.Kind = probe.Startup
			s.Changes = append(s.Changes, StatusChange{at(5), running("c2", 5, false)})
		}, []float64{30}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := base(t, tt.version)
			tt.change(&s)
			got, err := Simulate(s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, kills(got)); diff != "" {
				t.Errorf("kills (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatElseAWorkerDoes(t *testing.T) {
	type last struct {
		Step   Branch
		Result probe.Held
		Ended  bool
	}
	for _, tt := range []struct {
		name    string
		version string
		change  func(*Scenario)
		want    last
	}{
		{"without a status it waits", "v1.30.14", func(s *Scenario) { s.Changes = nil },
			last{StepNoStatus, probe.None, false}},
		{"a pod that is over ends it", "v1.30.14", func(s *Scenario) { s.Changes[0].View.PodOver = true },
			last{StepPodOver, probe.None, true}},
		{"without a container it waits", "v1.30.14", func(s *Scenario) { s.Changes[0].View = PodView{} },
			last{StepNoContainer, probe.None, false}},
		{"a dead container's result is a failure that kills nothing", "v1.30.14", func(s *Scenario) {
			s.Changes[0].View = PodView{ContainerID: "c1", Terminated: true}
		}, last{StepNotRunning, probe.Failure, false}},
		{"policy Never ends the worker with its container", "v1.30.14", func(s *Scenario) {
			s.RestartPolicyNever = true
			s.Changes[0].View = PodView{ContainerID: "c1", Terminated: true}
		}, last{StepNotRunning, probe.None, true}},
		{"policy Never ended a sidecar's worker too", "v1.33.5", func(s *Scenario) {
			s.RestartPolicyNever, s.Sidecar = true, true
			s.Changes[0].View = PodView{ContainerID: "c1", Terminated: true}
		}, last{StepNotRunning, probe.None, true}},
		{"a sidecar's worker goes on since 1.33.6", "v1.33.6", func(s *Scenario) {
			s.RestartPolicyNever, s.Sidecar = true, true
			s.Changes[0].View = PodView{ContainerID: "c1", Terminated: true}
		}, last{StepNotRunning, probe.Failure, false}},
		{"restart rules decide since 1.35", "v1.35.0", func(s *Scenario) {
			s.RestartPolicyNever = true
			s.Changes[0].View = PodView{ContainerID: "c1", Terminated: true}
		}, last{StepNotRunning, probe.Failure, false}},
		{"a survivor of a kubelet restart has no result before its first run since 1.35", "v1.35.0", func(s *Scenario) {
			s.KubeletStarted, s.AddedAt, s.Spec.InitialDelay = at(20), at(20), 1000
		}, last{StepInitialDelay, probe.None, false}},
		{"up to 1.34 it begins with Success", "v1.34.4", func(s *Scenario) {
			s.KubeletStarted, s.AddedAt, s.Spec.InitialDelay = at(20), at(20), 1000
		}, last{StepInitialDelay, probe.Success, false}},
		{"a survivor must be older than the kubelet by 10 s", "v1.35.0", func(s *Scenario) {
			s.KubeletStarted, s.AddedAt, s.Spec.InitialDelay = at(10), at(10), 1000
		}, last{StepInitialDelay, probe.Success, false}},
		{"a sidecar that had started is seeded since 1.36", "v1.36.3", func(s *Scenario) {
			s.Spec.Kind, s.Sidecar = probe.Startup, true
			s.KubeletStarted, s.AddedAt = at(20), at(20)
		}, last{StepAlreadyStarted, probe.Success, false}},
		{"a startup success puts on hold since 1.32", "v1.32.13", func(s *Scenario) {
			s.Spec.Kind, s.Changes[0].View.Started = probe.Startup, false
			s.Executions = nil
		}, last{StepOnHold, probe.Success, false}},
		{"a startup success does not put on hold up to 1.31", "v1.31.14", func(s *Scenario) {
			s.Spec.Kind, s.Changes[0].View.Started = probe.Startup, false
			s.Executions = nil
		}, last{StepResult, probe.Success, false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := base(t, tt.version)
			tt.change(&s)
			events, err := Simulate(s)
			if err != nil {
				t.Fatal(err)
			}
			e := events[len(events)-1]
			if diff := cmp.Diff(tt.want, last{e.Step, e.Result, e.Ended}); diff != "" {
				t.Errorf("last event (-want +got):\n%s", diff)
			}
		})
	}
}

func TestManualTriggers(t *testing.T) {
	for _, tt := range []struct {
		name    string
		version string
		change  func(*Scenario)
		want    []float64
	}{
		{"none before 1.21", "v1.20.15", func(*Scenario) {}, []float64{0, 10, 20}},
		{"a run in between from 1.21", "v1.31.14", func(*Scenario) {}, []float64{0, 4, 10, 20}},
		{"the period starts anew from 1.32", "v1.32.13", func(*Scenario) {}, []float64{0, 4, 14, 24}},
		{"liveness is not triggered", "v1.32.13", func(s *Scenario) { s.Spec.Kind = probe.Liveness }, []float64{0, 10, 20}},
		{"several during one run count once", "v1.31.14", func(s *Scenario) {
			s.Executions = []Execution{{Took: 6 * time.Second}, {}}
			s.Triggers = []time.Time{at(-1), at(2), at(3)}
		}, []float64{6, 6, 10, 20}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := base(t, tt.version)
			s.Spec.Kind, s.Executions, s.Until = probe.Readiness, nil, at(25)
			s.Triggers = []time.Time{at(4)}
			tt.change(&s)
			events, err := Simulate(s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, runs(events)); diff != "" {
				t.Errorf("runs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestImpossibleScenariosNameTheField(t *testing.T) {
	for _, tt := range []struct {
		name, version, want string
		change              func(*Scenario)
	}{
		{"no startup probes yet", "v1.15.12", "v1.15.12, which has none", func(s *Scenario) { s.Spec.Kind = probe.Startup }},
		{"no sidecars yet", "v1.27.16", "v1.27.16, which probes none", func(s *Scenario) { s.Sidecar = true }},
		{"jitter", "v1.30.14", "jitter 1", func(s *Scenario) { s.Jitter = 1 }},
		{"too long", "v1.30.14", "more than 1000000 ticks", func(s *Scenario) { s.Until = at(1e8) }},
		{"order", "v1.30.14", "not in order", func(s *Scenario) { s.Triggers = []time.Time{at(2), at(1)} }},
		{"took", "v1.30.14", "execution of -1s", func(s *Scenario) { s.Executions[0].Took = -time.Second }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := base(t, tt.version)
			tt.change(&s)
			events, err := Simulate(s)
			if err == nil || !strings.Contains(err.Error(), tt.want) || events != nil {
				t.Errorf("got %d events and error %v, want an error with %q", len(events), err, tt.want)
			}
		})
	}
}
