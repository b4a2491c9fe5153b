package prometheus_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus"
	"github.com/restartwhy/kubectl-restartwhy/diag/prometheus/promtest"
)

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
			`{"status":"success","data":[]}`), "kube-state-metrics is not scraped", ""},
		"series where names are": {answer(200, "application/json",
			`{"status":"success","data":{"resultType":"scalar","result":[1,"`+secret+`"]}}`), "an answer has no names", ""},
		"a number where series are": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			text := `{"status":"success","data":{"resultType":"scalar","result":[1,"2"]}}`
			if strings.Contains(r.URL.Path, "/label/") {
				text = `{"status":"success","data":["kube_pod_container_status_restarts_total"]}`
			}
			answer(200, "application/json", text)(w, r)
		}), "an answer has no series", ""},
		"it is too old to select names": {answer(200, "application/json",
			`{"status":"success","data":["kube_pod_container_status_restarts_total","up"]}`), "older than Prometheus 2.24", ""},
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
		if got.Header.Get("Authorization") != want || got.URL.Path != "/prometheus/api/v1/label/__name__/values" {
			t.Errorf("%+v: %s %v", access, got.URL, got.Header)
		}
	}
	api, err := prometheus.Proxied(server.URL+"/k8s/cluster", http.DefaultTransport, "monitoring/prometheus-k8s:9090")
	if err != nil {
		t.Fatal(err)
	}
	send(prometheus.NewSource(api, prometheus.Scope{Since: time.Hour}, now))
	if got.Method != http.MethodGet ||
		got.URL.Path != "/k8s/cluster/api/v1/namespaces/monitoring/services/prometheus-k8s:9090/proxy/api/v1/label/__name__/values" ||
		got.Form.Get("match[]") == "" {
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
