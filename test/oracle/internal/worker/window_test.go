package worker

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// The window contains every simulated kill, whatever the jitter, the phase of the ticker and the duration of runs.
func TestEverySimulatedKillLiesInItsWindow(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	versions := []string{"v1.7.16", "v1.10.13", "v1.20.15", "v1.30.14", "v1.36.3"}
	seen, tightest := 0, time.Hour
	for range 4_000 {
		r := rulesOf(t, versions[rng.Intn(len(versions))])
		s := probe.Spec{Kind: probe.Liveness, InitialDelay: int32(rng.Intn(20)), Period: int32(1 + rng.Intn(10)),
			Timeout: int32(1 + rng.Intn(15)), FailureThreshold: int32(1 + rng.Intn(4)), SuccessThreshold: 1}
		took := func() time.Duration { return time.Duration(rng.Int63n(int64(seconds(s.Timeout)) + 1)) }
		since := at(rng.Float64() * 20)
		sc := Scenario{
			Rules: r, Spec: s, Jitter: rng.Float64(), KubeletStarted: at(-20 * rng.Float64()), AddedAt: at(0),
			Changes: []StatusChange{
				{At: since, View: PodView{ContainerID: "c", Running: true, Started: true, StartedAt: since}},
			},
			Until: at(400),
		}
		life := probe.Life{ContainerStarted: since}
		if rng.Intn(2) == 0 {
			// The container is old; the kubelet restarted and adds the pod soon after.
			life.ContainerStarted, life.KubeletStarted = at(-50), at(-rng.Float64())
			sc.KubeletStarted = life.KubeletStarted
			sc.Changes[0] = StatusChange{
				At:   at(0),
				View: PodView{ContainerID: "c", Running: true, Started: true, StartedAt: at(-50)},
			}
		}
		for range 5 {
			sc.Executions = append(sc.Executions, Execution{Failed, took()})
		}
		events, err := Simulate(sc)
		if err != nil {
			t.Fatal(err)
		}
		w, err := probe.KillWindow(r.Rules, s, life)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			if !e.Kills {
				continue
			}
			seen++
			tightest = min(tightest, e.At.Sub(w.Earliest))
			if e.At.Before(w.Earliest) || e.At.After(w.Latest) {
				t.Fatalf("kill at %s, window %s–%s\n%+v", e.At, w.Earliest, w.Latest, sc)
			}
		}
	}
	if seen < 2_000 || tightest > 200*time.Millisecond {
		t.Errorf("%d kills, the nearest %s after its window opened: the window is not tight", seen, tightest)
	}
}

func FuzzSimulateAndWindow(f *testing.F) {
	f.Add(uint8(30), uint8(14), uint8(0), int32(5), int32(10), int32(1), int32(3),
		int32(1), 0.5, int64(0), "rs")
	f.Add(uint8(7), uint8(16), uint8(0), int32(0), int32(1), int32(1), int32(1),
		int32(1), 0.0, int64(-9_000), "r")
	f.Add(uint8(36), uint8(3), uint8(2), int32(-1), int32(0), int32(0), int32(0),
		int32(0), -1.0, int64(1<<50), "tdo")
	f.Add(uint8(255), uint8(255), uint8(0), int32(0), int32(10), int32(1),
		int32(-3), int32(1), 0.0, int64(0), "rg")
	f.Add(uint8(255), uint8(0), uint8(9), int32(0), int32(1<<30), int32(1<<30),
		int32(1<<31-1), int32(1), 0.9, int64(0), "rgc")
	f.Fuzz(func(t *testing.T, minor, patch, kind uint8, delay, period, timeout,
		failure, success int32, jitter float64, since int64, flags string) {
		r, err := RulesFor(kubelet.Version{Major: 1, Minor: int(minor), Patch: int(patch)})
		if err != nil {
			return
		}
		s := probe.Spec{Kind: probe.Kind(kind), Handler: "exec", InitialDelay: delay, Period: period,
			Timeout: timeout, FailureThreshold: failure, SuccessThreshold: success}
		has := func(c string) bool { return strings.Contains(flags, c) }
		started := start.Add(time.Duration(since) * time.Millisecond)
		v := PodView{ContainerID: "c", Running: has("r"), Terminated: has("t"),
			Started: has("s"), Deleted: has("d"), PodOver: has("o"), StartedAt: started}
		events, err := Simulate(Scenario{Rules: r, Spec: s, Jitter: jitter, KubeletStarted: started,
			AddedAt: start, Until: start.Add(time.Minute),
			Changes: []StatusChange{{start, v}}, Executions: []Execution{{Outcome: Failed}}})
		// With a longer period the first tick may be after the end.
		if err == nil && len(events) == 0 && period <= 60 {
			t.Error("neither an event nor an error")
		}
		for i := 1; i < len(events); i++ {
			if events[i].Began.Before(events[i-1].At) || events[i-1].Ended {
				t.Errorf("event %d %+v cannot follow %+v", i, events[i], events[i-1])
			}
		}
		life := probe.Life{ContainerStarted: started, KubeletStarted: start}
		if has("g") {
			life.Carried, life.KubeletStarted = int(failure)-1, time.Time{}
		}
		w, err := probe.KillWindow(r.Rules, s, life)
		if err == nil && (w.Failures < 1 || w.Earliest.Before(w.From) || w.Latest.Before(w.Earliest)) {
			t.Errorf("%+v", w)
		}
	})
}
