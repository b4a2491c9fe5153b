package prometheus_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus/promtest"
)

var update = flag.Bool("update", false, "write the golden file")

// ask reads a world through HTTP.
func ask(
	t *testing.T,
	w *promtest.World,
	scope prometheus.Scope,
) (*evidence.Snapshot, *prometheus.Source, []evidence.Piece) {
	t.Helper()
	server := httptest.NewServer(&promtest.Server{World: w})
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
	return observed(w.Until, pieces, gaps), source, pieces
}

func observed(at time.Time, pieces []evidence.Piece, gaps []evidence.Gap) *evidence.Snapshot {
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
	s, source, pieces := ask(t, promtest.Scenario(), prometheus.Scope{})
	const golden = "testdata/scenario.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(lines(s)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), lines(s)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if source.Asked() > 50 {
		t.Errorf("%d queries", source.Asked())
	}
	// A bundle tells the same.
	r, err := pieces[0].Files()[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	stored, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	again := observed(s.CollectedAt, []evidence.Piece{prometheus.NewPiece(evidence.Bytes(prometheus.Path, stored))}, nil)
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
		"no UID, and one pod bore the name": {func(_ *promtest.World, c *promtest.Container) { c.NoUID = true },
			[]string{"u-1"}, []int{1}, 3600, "", true},
		"no time of the end": {func(_ *promtest.World, c *promtest.Container) { c.NoTimes = true },
			[]string{"u-1"}, []int{1}, 3600, "", true},
		"nothing was scraped while it ended": {func(w *promtest.World, _ *promtest.Container) {
			w.Down = [][2]time.Time{{promtest.After(3000), promtest.After(4200)}}
		}, []string{"u-1"}, []int{1}, 2970, "nothing was scraped from", true},
		"no UID, and two pods bore the name": {func(w *promtest.World, c *promtest.Container) {
			c.NoUID = true
			other := *c
			other.UID, other.Restarts, other.Target = "u-2", nil, "10.0.0.8:8080"
			w.Container(other)
		}, nil, nil, 0, "have no UID, and several pods bore the name", false},
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
		}, []string{"u-1"}, []int{1}, 3600, "1 restart counts fell", true},
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
		}, []string{"u-1"}, []int{2}, 3600, "1 restarts came between two scrapes", true},
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

// answer serves one text to every question.
func answer(status int, kind, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func TestServersThatDoNotAnswer(t *testing.T) {
	const secret = "hunter2"
	for name, c := range map[string]struct {
		handler   http.Handler
		why, hint string
	}{
		"a password is missing": {answer(401, "text/html", "<p>"+secret), "401: unauthorized", "--prometheus-token-file"},
		"the API server refuses": {answer(403, "application/json", `{"kind":"Status","message":"`+secret+`"}`),
			"403: forbidden", "services/proxy"},
		"a page instead": {answer(200, "text/html; charset=utf-8", "<html>"+secret),
			"answers with text/html and not as the API", "the address must be"},
		"a login": {http.RedirectHandler("https://sso.example/login?token="+secret, http.StatusFound),
			"it redirects to sso.example", ""},
		"nothing there": {answer(404, "text/plain", secret), "404: not found", "the address must be"},
		"an error of the API": {answer(422, "application/json",
			`{"status":"error","errorType":"execution","error":"query processing would load too many samples"}`),
			"execution: query processing would load too many samples", ""},
		"no JSON": {answer(200, "application/json", "{"), "bad_response", ""},
		"no kube-state-metrics": {answer(200, "application/json",
			`{"status":"success","data":{"resultType":"vector","result":[]}}`), "kube-state-metrics is not scraped", ""},
		"a number where series are": {answer(200, "application/json",
			`{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`), "an answer has no series", ""},
		"more than anybody can read": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for range 30 << 4 {
				_, _ = w.Write(make([]byte, 64<<10))
			}
		}), "the answers are longer than 24 MiB", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(c.handler)
			defer server.Close()
			api, err := prometheus.Direct(server.URL, prometheus.Access{})
			if err != nil {
				t.Fatal(err)
			}
			pieces, gaps := prometheus.NewSource(api, prometheus.Scope{Since: time.Hour},
				func() time.Time { return promtest.T0 }).
				Collect(t.Context())
			var why, hint string
			for _, g := range gaps {
				why, hint = why+g.Why+"\n", hint+g.Hint
			}
			if len(pieces) > 0 || !strings.Contains(why, c.why) || !strings.Contains(hint, c.hint) ||
				strings.Contains(why+hint, secret) ||
				strings.Contains(why, "count by") {
				t.Errorf("%d pieces, gaps %s hint %s", len(pieces), why, hint)
			}
		})
	}
}

func TestOneAnswerThatIsMissingCostsOnlyItself(t *testing.T) {
	inner := &promtest.Server{World: promtest.Scenario()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.FormValue("query"), "prober_probe_total{result") {
			answer(503, "application/json", `{"status":"error","errorType":"timeout","error":"query timed out"}`)(w, r)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	defer server.Close()
	api, err := prometheus.Direct(server.URL, prometheus.Access{})
	if err != nil {
		t.Fatal(err)
	}
	w := inner.World
	pieces, gaps := prometheus.NewSource(api, prometheus.Scope{Since: w.Until.Sub(promtest.T0)},
		func() time.Time { return w.Until }).
		Collect(t.Context())
	told := lines(observed(w.Until, pieces, gaps))
	if !strings.Contains(told, "ask for prober_probe_total: server_error: server error: 503") ||
		strings.Contains(told, "prober_probe_total (liveness)") ||
		!strings.Contains(told, "shop/loop-0") {
		t.Error(told)
	}
}

func TestHowRequestsAreSent(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	var got *http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		got = r.Clone(context.WithoutCancel(r.Context()))
		answer(404, "text/plain", "")(w, r)
	}))
	defer server.Close()
	send := func(s *prometheus.Source) { s.Collect(t.Context()) }
	now := func() time.Time { return promtest.T0 }
	for access, want := range map[prometheus.Access]string{
		{TokenFile: file("token", "abc")}:     "Bearer abc",
		{BasicFile: file("basic", "me:pass")}: "Basic bWU6cGFzcw==",
		{}:                                    "",
	} {
		api, err := prometheus.Direct(server.URL+"/prometheus", access)
		if err != nil {
			t.Fatal(err)
		}
		send(prometheus.NewSource(api, prometheus.Scope{Since: time.Hour}, now))
		if got.Header.Get("Authorization") != want || got.URL.Path != "/prometheus/api/v1/query" {
			t.Errorf("%+v: %s %v", access, got.URL, got.Header)
		}
	}
	api, err := prometheus.Proxied(server.URL+"/k8s/cluster", http.DefaultTransport, "monitoring/prometheus-k8s:9090")
	if err != nil {
		t.Fatal(err)
	}
	send(prometheus.NewSource(api, prometheus.Scope{Since: time.Hour}, now))
	if got.Method != http.MethodGet ||
		got.URL.Path != "/k8s/cluster/api/v1/namespaces/monitoring/services/prometheus-k8s:9090/proxy/api/v1/query" ||
		got.Form.Get("query") == "" {
		t.Errorf("%s %s", got.Method, got.URL)
	}
	for _, address := range []string{"prometheus:9090", "ftp://x", "https://me:secret@x", "http://"} {
		if _, err := prometheus.Direct(address, prometheus.Access{}); err == nil || strings.Contains(err.Error(), "secret@") {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, service := range []string{"a/b", "b:9090", "a/b:1/c", "/b:1", "a/b:1?x"} {
		if _, err := prometheus.Proxied(server.URL, nil, service); err == nil {
			t.Errorf("%s is taken", service)
		}
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
		s := observed(promtest.T0, []evidence.Piece{prometheus.NewPiece(evidence.Bytes(prometheus.Path, data))}, nil)
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Source.Kind != evidence.SourceMetrics || o.Fact == nil {
				t.Errorf("%+v", o)
			}
		}
	})
}
