package probe

import (
	"errors"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var plain = Spec{Kind: Liveness, Handler: "httpGet", InitialDelay: 5, Period: 10,
	Timeout: 2, FailureThreshold: 3, SuccessThreshold: 1}

func TestKillWindow(t *testing.T) {
	type bounds struct {
		Failures         int
		Earliest, Latest float64
	}
	for _, tt := range []struct {
		name, version string
		change        func(*Spec, *Life)
		want          bounds
	}{
		{"delay, then two periods; a wait, a run and a sync more at most", "v1.30.14",
			func(*Spec, *Life) {}, bounds{3, 25, 47}},
		{"one failure is enough", "v1.30.14", func(s *Spec, _ *Life) { s.FailureThreshold = 1 }, bounds{1, 5, 27}},
		{"a run may take longer than the period", "v1.30.14", func(s *Spec, _ *Life) { s.Timeout = 12 },
			bounds{3, 25, 63}},
		{"up to 1.7 the first run falls into the jitter", "v1.7.16", func(*Spec, *Life) {}, bounds{3, 15, 47}},
		{"a kubelet restart begins anew without a delay", "v1.30.14", func(_ *Spec, l *Life) { l.KubeletStarted = at(100) },
			bounds{3, 120, 142}},
		{"and forgets what was carried", "v1.30.14", func(_ *Spec, l *Life) { l.KubeletStarted, l.Carried = at(100), 2 },
			bounds{3, 120, 142}},
		{"failures of the container before count", "v1.30.14", func(_ *Spec, l *Life) { l.Carried = 2 },
			bounds{1, 5, 27}},
		{"a kill before leaves nothing since 1.11", "v1.11.10", func(_ *Spec, l *Life) { l.Carried = 3 },
			bounds{3, 25, 47}},
		{"a kill before leaves one up to 1.10", "v1.10.13", func(_ *Spec, l *Life) { l.Carried = 3 },
			bounds{2, 15, 37}},
		{"a kill before leaves all up to 1.6.11", "v1.6.11", func(_ *Spec, l *Life) { l.Carried = 9 },
			bounds{1, 5, 27}},
		{"a start within a second counts from the second", "v1.30.14",
			func(_ *Spec, l *Life) { l.ContainerStarted = at(0.7) }, bounds{3, 25, 47}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, l := plain, Life{ContainerStarted: at(0)}
			tt.change(&s, &l)
			w, err := KillWindow(rulesOf(t, tt.version), s, l)
			if err != nil {
				t.Fatal(err)
			}
			got := bounds{w.Failures, w.Earliest.Sub(start).Seconds(), w.Latest.Sub(start).Seconds()}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("window (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProbesThatKillNothingHaveNoWindow(t *testing.T) {
	readiness, startup := plain, plain
	readiness.Kind, startup.Kind = Readiness, Startup
	for name, s := range map[string]Spec{"readiness": readiness, "startup in 1.16": startup} {
		if _, err := KillWindow(rulesOf(t, "v1.16.15"), s, Life{}); !errors.Is(err, errNeverKills) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := KillWindow(rulesOf(t, "v1.17.17"), startup, Life{}); err != nil {
		t.Errorf("startup in 1.17: %v", err)
	}
}

// The window contains every simulated kill, whatever the jitter, the phase of the ticker and the duration of runs.
func TestEverySimulatedKillLiesInItsWindow(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	versions := []string{"v1.7.16", "v1.10.13", "v1.20.15", "v1.30.14", "v1.36.3"}
	seen, tightest := 0, time.Hour
	for range 4_000 {
		r := rulesOf(t, versions[rng.Intn(len(versions))])
		s := Spec{Kind: Liveness, InitialDelay: int32(rng.Intn(20)), Period: int32(1 + rng.Intn(10)),
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
		life := Life{ContainerStarted: since}
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
		w, err := KillWindow(r, s, life)
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
		r, err := RulesFor(versionOf(int(minor), int(patch)))
		if err != nil {
			return
		}
		s := Spec{Kind: Kind(kind), Handler: "exec", InitialDelay: delay, Period: period,
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
		life := Life{ContainerStarted: started, KubeletStarted: start}
		if has("g") {
			life.Carried, life.KubeletStarted = int(failure)-1, time.Time{}
		}
		w, err := KillWindow(r, s, life)
		if err == nil && (w.Failures < 1 || w.Earliest.Before(w.From) || w.Latest.Before(w.Earliest)) {
			t.Errorf("%+v", w)
		}
	})
}
