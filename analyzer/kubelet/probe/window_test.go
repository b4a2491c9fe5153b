package probe

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
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

func TestImpossibleProbesNameTheField(t *testing.T) {
	for want, change := range map[string]func(*Spec){
		"periodSeconds 0":        func(s *Spec) { s.Period = 0 },
		"initialDelaySeconds -1": func(s *Spec) { s.InitialDelay = -1 },
		"timeoutSeconds 0":       func(s *Spec) { s.Timeout = 0 },
		"failureThreshold 0":     func(s *Spec) { s.FailureThreshold = 0 },
		"successThreshold -3":    func(s *Spec) { s.SuccessThreshold = -3 },
		"probe kind 9":           func(s *Spec) { s.Kind = 9 },
	} {
		s := plain
		change(&s)
		if _, err := KillWindow(rulesOf(t, "v1.30.14"), s, Life{}); !errors.Is(err, errSpec) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}
