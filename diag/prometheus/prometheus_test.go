package prometheus_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus/promtest"
)

// ask reads a world through HTTP.
func ask(
	t *testing.T,
	w *promtest.World,
	scope prometheus.Scope,
) (s *evidence.Snapshot, queries int64, pieces []evidence.RawEvidence) {
	t.Helper()
	past := &promtest.Server{World: w}
	server := httptest.NewServer(past)
	t.Cleanup(server.Close)
	api, err := prometheus.Direct(server.URL, prometheus.Access{})
	if err != nil {
		t.Fatal(err)
	}
	if scope.Since == 0 {
		scope.Since = w.Until.Sub(promtest.T0)
	}
	source := prometheus.NewSource(api, scope, func() time.Time { return w.Until })
	pieces, gaps := source.Collect(t.Context())
	return observed(w.Until, pieces, gaps), past.Queries.Load(), pieces
}

func observed(at time.Time, pieces []evidence.RawEvidence, gaps []evidence.Gap) *evidence.Snapshot {
	b := evidence.NewBuilder(at)
	for _, p := range pieces {
		p.Observe(b)
	}
	for _, g := range gaps {
		b.Gap(g)
	}
	return b.Build()
}

// lines are what a snapshot tells, one line each.
func lines(s *evidence.Snapshot) string {
	var b strings.Builder
	for i := range s.Observations {
		o := &s.Observations[i]
		fmt.Fprintf(
			&b,
			"%s %s %s %s: %s\n",
			o.Time.Format(time.RFC3339),
			o.Subject.Node,
			o.Subject.PodUID,
			o.Fact.Statement(),
			o.Text,
		)
	}
	for _, g := range s.Gaps {
		fmt.Fprintf(&b, "gap: %s\n", g.Why)
	}
	return b.String()
}

func TestTheScenarioIsRead(t *testing.T) {
	s, queries, pieces := ask(t, promtest.Scenario(), prometheus.Scope{})
	filetest.Golden(t, "testdata/scenario.txt", lines(s))
	if queries > 50 {
		t.Errorf("%d queries", queries)
	}
	// A bundle tells the same.
	stored := evidence.Bytes(prometheus.Path, []byte(filetest.Content(t, pieces[0])))
	again := observed(s.CollectedAt, []evidence.RawEvidence{prometheus.NewPiece(stored)}, nil)
	if diff := cmp.Diff(lines(s), lines(again)); diff != "" {
		t.Errorf("from a bundle (-live +bundle)\n%s", diff)
	}
}

// base is a container that ended once, in a world of two hours; mutations make the past worse.
func base() (*promtest.World, promtest.Container) {
	w := &promtest.World{From: promtest.T0.Add(-time.Hour), Until: promtest.After(2 * 3600), Interval: 30 * time.Second}
	w.Node("n1", []promtest.Kubelet{{At: promtest.T0.Add(-99 * time.Hour), Version: "v1.31.0"}})
	return w, promtest.Container{
		Namespace: "shop",
		Pod:       "web-0",
		UID:       "u-1",
		Node:      "n1",
		Name:      "app",
		Created:   w.From,
		Failed: []time.Time{
			promtest.After(5000),
		},
		Restarts: []promtest.Restart{{Ended: promtest.After(3600), Started: promtest.After(3610), Code: 1, Reason: "Error"}},
	}
}

func TestAPastThatIsNotAsItShouldBe(t *testing.T) {
	for name, c := range map[string]struct {
		mutate  func(*promtest.World, *promtest.Container)
		uids    []string // of the restarts that are told
		counts  []int
		since   int    // seconds: the last reading with the older count
		gap     string // "" for none
		started bool
	}{
		"as it should be": {func(*promtest.World, *promtest.Container) {}, []string{"u-1"}, []int{1}, 3600, "", true},
		"labels that the scrape renamed": {func(_ *promtest.World, c *promtest.Container) { c.Renamed = true },
			[]string{"u-1"}, []int{1}, 3600, "", true},
		"no UID, and one pod had the name": {func(_ *promtest.World, c *promtest.Container) { c.NoUID = true },
			[]string{"u-1"}, []int{1}, 3600, "", true},
		"no time of the end": {func(_ *promtest.World, c *promtest.Container) { c.NoTimes = true },
			[]string{"u-1"}, []int{1}, 3600, "", true},
		"nothing was scraped while it ended": {func(w *promtest.World, _ *promtest.Container) {
			w.Down = [][2]time.Time{{promtest.After(3000), promtest.After(4200)}}
		}, []string{"u-1"}, []int{1}, 2970, "nothing was scraped from", true},
		"no UID, and two pods had the name": {func(w *promtest.World, c *promtest.Container) {
			c.NoUID = true
			other := *c
			other.UID, other.Restarts, other.Target = "u-2", nil, "10.0.0.8:8080"
			w.Container(other)
		}, nil, nil, 0, "several pods had the name, and the series have no UID", false},
		"another pod of the name that never ended": {func(w *promtest.World, c *promtest.Container) {
			other := *c
			other.UID, other.Restarts = "u-2", nil
			w.Container(other)
		}, []string{"u-1"}, []int{1}, 3600, "", true},
		"a count that fell": {func(w *promtest.World, c *promtest.Container) {
			for _, s := range w.Series {
				if s.Name == "kube_pod_container_status_restarts_total" {
					s.Steps = append(s.Steps, promtest.Step{At: promtest.After(5000), V: 0})
				}
			}
		}, []string{"u-1"}, []int{1}, 3600, "1 restart counters were reset", true},
		"two replicas that differ for good": {func(w *promtest.World, c *promtest.Container) {
			other := *c
			other.Target, other.Restarts = "10.0.0.8:8080", nil
			w.Container(other)
		}, nil, nil, 0, "differ between replicas", false},
		"a clock that is an hour behind": {func(w *promtest.World, c *promtest.Container) {
			c.Restarts = nil
			for i := range 6 {
				at := promtest.After(4000 + 300*i)
				c.Restarts = append(c.Restarts, promtest.Restart{Ended: at, Started: at.Add(9 * time.Second),
					Code: 1, Reason: "Error"})
			}
		}, nil, nil, 0, "the clocks of the monitoring system and of the nodes are about", false},
		"two restarts between two scrapes": {func(_ *promtest.World, c *promtest.Container) {
			c.Restarts = append(c.Restarts, promtest.Restart{Ended: promtest.After(3612),
				Started: promtest.After(3613), Code: 2, Reason: "Error"})
		}, []string{"u-1"}, []int{2}, 3600, "1 restarts happened between two scrapes", true},
	} {
		t.Run(name, func(t *testing.T) {
			w, container := base()
			early := name == "a count that fell"
			if early {
				w.Container(container)
			}
			c.mutate(w, &container)
			if !early {
				w.Container(container)
			}
			if strings.HasPrefix(name, "a clock") {
				for _, s := range w.Series { // what values date is of the nodes' clock
					if strings.HasSuffix(s.Name, "_started") || strings.HasSuffix(s.Name, "_timestamp") {
						for i := range s.Steps {
							s.Steps[i].V += 3600
						}
					}
				}
			}
			s, _, _ := ask(t, w, prometheus.Scope{})
			var uids []string
			var counts []int
			for i := range s.Observations {
				o := &s.Observations[i]
				f, ok := o.Fact.(evidence.RestartCounted)
				if !ok {
					continue
				}
				uids, counts = append(uids, o.Subject.PodUID), append(counts, f.Count)
				if since := int(f.Since.Sub(promtest.T0).Seconds()); since != c.since || f.Started.IsZero() == c.started {
					t.Errorf("since %d, %+v", since, f)
				}
			}
			if diff := cmp.Diff(c.uids, uids); diff != "" || !cmp.Equal(c.counts, counts) {
				t.Errorf("counts %v, of %v\n%s", counts, uids, lines(s))
			}
			all := ""
			for _, g := range s.Gaps {
				all += g.Why + "\n"
			}
			if c.gap == "" && all != "" || !strings.Contains(all, c.gap) {
				t.Errorf("gaps: %s", all)
			}
		})
	}
}

func FuzzSaved(f *testing.F) {
	f.Add(
		[]byte(
			`{"from":"2026-11-01T00:00:00Z","until":"2026-11-01T01:00:00Z","step":30,"answers":[{"name":"kube_pod_container_status_restarts_total","series":[{"metric":{"namespace":"a","pod":"b","uid":"c","container":"d"},"values":[[1793491200,"0"],[1793491230,"1"]]}]}]}`,
		),
	)
	f.Add(
		[]byte(
			`{"from":"2026-11-01T00:00:00Z","until":"2026-11-01T01:00:00Z","step":1,"answers":[{"name":"reach","series":[{"values":[]}]},{"name":"differs","series":[null]}]}`,
		),
	)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := observed(promtest.T0, []evidence.RawEvidence{prometheus.NewPiece(evidence.Bytes(prometheus.Path, data))}, nil)
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Source.Kind != evidence.SourceMetrics || o.Fact == nil {
				t.Errorf("%+v", o)
			}
		}
	})
}

// restartsOf are the rises that are told, by time.
func restartsOf(s *evidence.Snapshot) (out []evidence.RestartCounted) {
	for i := range s.Observations {
		if f, ok := s.Observations[i].Fact.(evidence.RestartCounted); ok {
			out = append(out, f)
		}
	}
	return out
}

// A container that runs for a second and waits for minutes is never seen while it runs: the last state at each rise is
// the newest instance's own, and the end of the one before was read earlier.
func TestTheEndsOfAContainerThatIsNeverSeenRunning(t *testing.T) {
	w, c := base()
	c.Failed, c.Restarts = nil, nil
	for i, code := range []int{1, 2, 3} {
		c.Restarts = append(c.Restarts, promtest.Restart{
			Ended: promtest.After(3608 + 300*i), Started: promtest.After(3907 + 300*i), Code: code, Reason: "Error",
		})
	}
	w.Container(c)
	told := restartsOf(mustAsk(t, w))
	if len(told) != 3 {
		t.Fatalf("%d restarts: %+v", len(told), told)
	}
	for i, f := range told[1:] {
		want := c.Restarts[i+1]
		if f.ExitCode == nil || int(*f.ExitCode) != want.Code || !f.Finished.Equal(want.Ended) ||
			f.Started.IsZero() != (f.Count == 2) {
			t.Errorf("rise to %d: %+v, want the end %+v", f.Count, f, want)
		}
	}
}

func mustAsk(t *testing.T, w *promtest.World) *evidence.Snapshot {
	t.Helper()
	s, _, _ := ask(t, w, prometheus.Scope{})
	return s
}

func TestWhatIsNotScrapedJustNow(t *testing.T) {
	w, c := base()
	w.Container(c)
	w.Down = [][2]time.Time{{promtest.After(6000), promtest.After(9000)}}
	if told := restartsOf(mustAsk(t, w)); len(told) != 1 {
		t.Errorf("%d restarts: %+v", len(told), told)
	}
}

func TestWhatTheNodeOfAnEvictedPodLacked(t *testing.T) {
	pressure := func(condition string, steps ...promtest.Step) func(*promtest.World) {
		return func(w *promtest.World) {
			w.Add("kube_node_status_condition", steps, "job=kube-state-metrics", "instance=10.0.0.9:8080", "node=n2",
				"condition="+condition, "status=true")
		}
	}
	calm := promtest.Const(promtest.T0.Add(-time.Hour), 0)
	for name, c := range map[string]struct {
		mutate []func(*promtest.World)
		want   string
	}{
		"memory": {nil, "memory"},
		"nothing: a limit of its own": {[]func(*promtest.World){func(w *promtest.World) {
			for _, s := range w.Series {
				if s.Name == "kube_node_status_condition" {
					s.Steps = calm
				}
			}
		}, pressure("DiskPressure", calm...), pressure("PIDPressure", calm...)}, "ephemeral-storage"},
		"not all is known": {[]func(*promtest.World){func(w *promtest.World) {
			for _, s := range w.Series {
				if s.Name == "kube_node_status_condition" {
					s.Steps = calm
				}
			}
		}}, ""},
		"two things": {[]func(*promtest.World){pressure("DiskPressure", calm[0],
			promtest.Step{At: promtest.After(3500), V: 1})}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, calmly := base()
			w.Container(calmly)
			w.Node("n2", []promtest.Kubelet{{At: promtest.T0.Add(-99 * time.Hour), Version: "v1.31.0"}})
			w.Evicted("shop", "greedy-0", "u-9", "n2", promtest.After(3600))
			for _, m := range c.mutate {
				m(w)
			}
			s, _, _ := ask(t, w, prometheus.Scope{})
			var got []string
			for i := range s.Observations {
				if f, ok := s.Observations[i].Fact.(evidence.PodEvicted); ok {
					got = append(got, f.Resource)
				}
			}
			if diff := cmp.Diff([]string{c.want}, got); diff != "" {
				t.Errorf("(-want +got)\n%s%s", diff, lines(s))
			}
		})
	}
}
