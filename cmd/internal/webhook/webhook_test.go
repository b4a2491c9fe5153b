package webhook

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
)

// restarts is a report of pods that each have one verdict with evidence of its own.
func restarts(pods ...string) *report.Report {
	r := &report.Report{}
	for _, pod := range pods {
		r.Items = append(r.Items, report.Item{ID: "i-" + pod, Namespace: "shop", Pod: pod, Container: "app",
			Verdict: report.Verdict{Cause: "app-exit-error", Confidence: report.Likely,
				Summary: `it said "no" and ended`, Chain: []report.Link{{Evidence: []string{"e-" + pod}}}}})
		r.Evidence = append(r.Evidence, report.Evidence{ID: "e-" + pod})
	}
	return r
}

// receiver answers requests one after the other, the last answer for ever, and keeps what it got.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
}

func receives(t *testing.T, answers ...http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		text, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.bodies = append(r.bodies, string(text))
		answer := answers[min(len(r.bodies), len(answers))-1]
		r.mu.Unlock()
		answer(w, req)
	}))
	t.Cleanup(r.Close)
	return r
}

func mustParse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func code(c int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c) }
}

// posted hands reports over, waits for them, and returns what the reader was told.
func posted(t *testing.T, o Options, r *report.Report) string {
	t.Helper()
	var mu sync.Mutex
	var said []string
	o.Say = func(text string) {
		mu.Lock()
		defer mu.Unlock()
		said = append(said, text)
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h.retries = wait.Backoff{Duration: time.Millisecond, Factor: 2, Steps: 3}
	h.client.Timeout = 300 * time.Millisecond
	h.Post(r)
	h.Close()
	mu.Lock()
	defer mu.Unlock()
	return strings.Join(said, "\n")
}

func TestAReceiverIsAskedAgainOnlyWhereThatMayHelp(t *testing.T) {
	slow := func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }
	elsewhere := func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, "http://other.invalid/secret", http.StatusFound)
	}
	for name, tt := range map[string]struct {
		answers []http.HandlerFunc
		asked   int
		said    string // "" if the message was taken
	}{
		"it takes the message": {[]http.HandlerFunc{code(204)}, 1, ""},
		"it fails once":        {[]http.HandlerFunc{code(500), code(200)}, 2, ""},
		"it is busy":           {[]http.HandlerFunc{code(429), code(200)}, 2, ""},
		"it is slow once":      {[]http.HandlerFunc{slow, code(200)}, 2, ""},
		"it fails for ever": {[]http.HandlerFunc{code(503)}, 3,
			"gave up after 3 tries: it answers 503 Service Unavailable"},
		"it refuses the message":   {[]http.HandlerFunc{code(400)}, 1, "it answers 400 Bad Request"},
		"it leads somewhere else":  {[]http.HandlerFunc{elsewhere}, 1, "it answers 302, a redirect, which is not followed"},
		"it is slow for ever":      {[]http.HandlerFunc{slow}, 3, "gave up after 3 tries"},
		"there is nothing of that": {[]http.HandlerFunc{code(404)}, 1, "it answers 404 Not Found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := receives(t, tt.answers...)
			said := posted(t, Options{URL: r.URL + "/hook"}, restarts("web-0"))
			if tt.said == "" && said != "" || !strings.Contains(said, tt.said) {
				t.Errorf("said %q, want %q", said, tt.said)
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			if len(r.bodies) != tt.asked {
				t.Errorf("asked %d times, want %d", len(r.bodies), tt.asked)
			}
		})
	}
}

func TestTheAddressIsNeverPrinted(t *testing.T) {
	down := receives(t, code(200))
	host := strings.TrimPrefix(down.URL, "http://")
	down.Close()
	refuses := receives(t, code(403))
	for _, at := range []string{host, strings.TrimPrefix(refuses.URL, "http://")} {
		said := posted(t, Options{URL: "http://user:hunter2@" + at + "/T0/B0/XOXB?token=hunter2#x"}, restarts("web-0"))
		if !strings.Contains(said, "post shop/web-0 to http://"+at+": ") {
			t.Errorf("it does not name the host: %q", said)
		}
		for _, secret := range []string{"user", "hunter2", "XOXB", "token"} {
			if strings.Contains(said, secret) {
				t.Errorf("it prints %q: %q", secret, said)
			}
		}
	}
	for _, bad := range []string{"", "ftp://x/hunter2", "http://", "x/hunter2",
		"http://h:hunter2/", "http://%zz/hunter2"} {
		if _, err := New(Options{URL: bad}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// raw answers a request with bytes that no HTTP server sends, made from the target of the request.
func raw(answer string) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, answer, req.RequestURI)
	}
}

func TestAReceiverThatEchoesTheAddressDoesNotPrintIt(t *testing.T) {
	for name, answer := range map[string]string{
		"a status line that is none": "POST %s HTTP/1.1\r\n\r\n",
		"a status of words":          "HTTP/1.1 %s\r\n\r\n",
		"a header without a colon":   "HTTP/1.1 200 OK\r\n%s\r\n\r\n",
		"a place that is no address": "HTTP/1.1 307 Moved\r\nLocation: http://%%zz%s\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := receives(t, raw(answer))
			said := posted(t, Options{URL: r.URL + "/T0/hunter2?token=hunter2"}, restarts("web-0"))
			if said == "" || strings.Contains(said, "hunter2") || strings.Contains(said, "/T0") {
				t.Errorf("said %q", said)
			}
		})
	}
}

func TestAMessageIsTheReportOfOneItem(t *testing.T) {
	r := receives(t, code(200))
	if said := posted(t, Options{URL: r.URL}, restarts("web-0", "web-1")); said != "" {
		t.Fatal(said)
	}
	if len(r.bodies) != 2 {
		t.Fatalf("%d messages for 2 verdicts", len(r.bodies))
	}
	for i, pod := range []string{"web-0", "web-1"} {
		var got report.Report
		if err := json.Unmarshal([]byte(r.bodies[i]), &got); err != nil {
			t.Fatal(err)
		}
		if got.APIVersion != report.APIVersion || len(got.Items) != 1 || got.Items[0].Pod != pod ||
			len(got.Evidence) != 1 || got.Evidence[0].ID != "e-"+pod {
			t.Errorf("message %d: %s", i, r.bodies[i])
		}
	}
}

func TestATemplateMakesTheMessage(t *testing.T) {
	r := receives(t, code(200))
	if said := posted(t,
		Options{URL: r.URL, Template: `{"text": {{ json .verdict.summary }}, "none": {{ json .nothing }}}`},
		restarts("web-0")); said != "" {
		t.Fatal(said)
	}
	if want := `{"text": "it said \"no\" and ended", "none": null}`; r.bodies[0] != want {
		t.Errorf("%s, want %s", r.bodies[0], want)
	}
	if said := posted(t, Options{URL: r.URL, Template: `{"text": "{{ .verdict.summary }}"}`}, restarts("web-0")); !strings.
		Contains(said, "made no JSON") {
		t.Errorf("a quote of a cluster broke the message: %q", said)
	}
	if len(r.bodies) != 1 {
		t.Error("what is no JSON was posted")
	}
	if _, err := New(Options{URL: r.URL, Template: "{{ .x "}); err == nil {
		t.Error("a template that does not parse was taken")
	}
}

func TestTheTemplatesOfContribMakeJSON(t *testing.T) {
	files, _ := filepath.Glob("../../../contrib/webhook/*.tmpl") // the pattern is well-formed
	if len(files) != 3 {
		t.Fatalf("templates: %v", files)
	}
	for _, file := range files {
		text, err := data.ReadTemplate(file)
		if err != nil {
			t.Fatal(err)
		}
		r := receives(t, code(200))
		if said := posted(t, Options{URL: r.URL, Template: text}, restarts("web-0")); said != "" {
			t.Errorf("%s: %s", file, said)
			continue
		}
		for _, want := range []string{"web-0", `it said \"no\" and ended`, "app-exit-error"} {
			if !strings.Contains(r.bodies[0], want) {
				t.Errorf("%s: no %s in %s", file, want, r.bodies[0])
			}
		}
		if strings.Contains(r.bodies[0], "no value") || strings.Contains(r.bodies[0], "%!") {
			t.Errorf("%s asks for what is not there: %s", file, r.bodies[0])
		}
	}
}

func TestAReceiverThatDoesNotKeepUpHoldsNobodyUp(t *testing.T) {
	var pods []string
	for range waiting + 10 {
		pods = append(pods, "web")
	}
	var said []string
	h := &Hook{to: mustParse(t, "http://h/x"), queue: make(chan body, waiting),
		say: func(s string) { said = append(said, s) }}
	h.message, _ = newMessage("")
	h.Post(restarts(pods...))
	if len(h.queue) != waiting || h.dropped != 10 || len(said) != 1 || !strings.Contains(said[0], "messages are dropped") {
		t.Errorf("%d wait, %d dropped: %q", len(h.queue), h.dropped, said)
	}
	h.end = func() {}
	if h.Close(); len(said) != 2 || !strings.Contains(said[1], "10 messages were dropped") {
		t.Errorf("at the end: %q", said)
	}
}
