package nodelog

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

var aLineAt = time.Date(2026, 11, 21, 7, 24, 45, 454287000, time.UTC)

// aLine is what a kubelet wrote, at aLineAt.
const aLine = `I1121 07:24:45.454287      80 kuberuntime_manager.go:1] "No ready sandbox for pod can be found. ` +
	`Need to start a new one" pod="s/p"`

// codecs read the API server's refusals.
var codecs = func() serializer.CodecFactory {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, schema.GroupVersion{Version: "v1"})
	return serializer.NewCodecFactory(s)
}()

// serve answers node log queries through a real client.
func serve(t *testing.T, h http.HandlerFunc) kube.Getter {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	c, err := rest.RESTClientFor(&rest.Config{Host: srv.URL, APIPath: "/api", ContentConfig: rest.ContentConfig{
		GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: codecs.WithoutConversion()}})
	if err != nil {
		t.Fatal(err)
	}
	return kube.Raw(c)
}

func status(code int, reason, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":%q,"message":%q,"code":%d}`,
			reason, message, code)
	}
}

func body(s string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) }
}

func collect(t *testing.T, o QueryOptions, h http.HandlerFunc) ([]evidence.RawEvidence, []evidence.Gap) {
	t.Helper()
	if o.Now == nil {
		o.Now = func() time.Time { return noon }
	}
	return NewSource(serve(t, h), "n1", o).Collect(context.Background())
}

func TestAQueryAsksForTheTailAndKeepsItRaw(t *testing.T) {
	var asked []string
	pieces, gaps := collect(t, QueryOptions{}, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+"?"+r.URL.RawQuery)
		_, _ = io.WriteString(w, "Nov 21 07:24:45.454287 n1 "+r.URL.Query().Get("query")+"[80]: "+aLine+"\n")
	})
	if len(pieces) != 2 || len(gaps) != 0 {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	for i, want := range []string{"/api/v1/nodes/n1/proxy/logs/?query=kubelet&tailLines=100000",
		"/api/v1/nodes/n1/proxy/logs/?query=containerd&tailLines=100000"} {
		if asked[i] != want {
			t.Errorf("asked %s", asked[i])
		}
	}
	f := pieces[0].Files()[0]
	if f.Path != "nodes/n1/logquery/kubelet.log" {
		t.Errorf("stored at %s", f.Path)
	}
	b := evidence.NewBuilder(noon)
	pieces[0].Observe(b)
	s := b.Build()
	if len(s.Observations) != 1 || !s.Observations[0].Time.Equal(aLineAt) ||
		len(s.Gaps) != 0 || !s.Coverage[0].Until.Equal(noon) {
		t.Errorf("%+v", s)
	}
}

// What a container prints comes through its runtime's unit where a log driver writes to journald.
func TestWhatContainersPrintIsNotKept(t *testing.T) {
	pieces, _ := collect(t, QueryOptions{Services: []string{"docker"}}, func(w http.ResponseWriter, _ *http.Request) {
		const at = "Nov 21 07:24:45.454287 n1 "
		_, _ = io.WriteString(w, at+"dockerd[70]: time=\"x\" level=info msg=\"kept\"\n"+at+"c6953fe39bbf[70]: card 4111\n"+
			"  4111 goes on\n"+at+"k8s_app_web-0_shop_x_0[70]: card 4111\n"+at+"systemd[1]: Stopping docker...\n")
	})
	if text := filetest.Content(t, pieces[0]); strings.Contains(text, "4111") || strings.Count(text, "\n") != 2 {
		t.Errorf("kept: %s", text)
	}
}

func TestEveryWayToFailIsAGapWithAHint(t *testing.T) {
	listing := "<!doctype html>\n<meta name=\"viewport\" content=\"width=device-width\">\n<pre>\n<a href=\"syslog\">syslog</a>\n</pre>\n"
	for _, c := range []struct {
		name      string
		handler   http.HandlerFunc
		gaps      int
		why, hint string
	}{
		{"switched off: a listing with 200", body(listing), 1, "switched off", "enableSystemLogQuery"},
		{"switched off: an older listing", body("<pre>\n<a href=\"syslog\">syslog</a>\n</pre>\n"),
			1, "switched off", "enableSystemLogQuery"},
		{"no log handler at all", status(404, "NotFound", "the server could not find the requested resource"),
			1, "switched off", "enableSystemLogHandler"},
		{"forbidden", status(403, "Forbidden", `nodes "n1" is forbidden: User "u" cannot get resource "nodes/proxy"`),
			1, "nodes/proxy", "nodes/proxy"},
		{"the node is gone", status(404, "NotFound", `nodes "n1" not found`), 1, "no such node", "removed"},
		{"the node is down", status(503, "ServiceUnavailable",
			"error trying to reach service: dial tcp 10.0.0.1:10250: connect: no route to host"),
			1, "cannot reach the kubelet", "may be down"},
		{"an error in the body of a 200", body("log not found for containerd\n"), 2, "log not found for", "another name"},
		{"another error in the body of a 200", body("error: journal output not available\n"),
			2, "journal output not available", ""},
		{"no entries", body("-- No entries --\n"), 2, "no entries", "another name"},
		{"an empty answer", body(""), 2, "no entries", "another name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pieces, gaps := collect(t, QueryOptions{}, c.handler)
			if len(pieces) != 0 || len(gaps) != c.gaps {
				t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
			}
			if g := gaps[0]; !strings.Contains(g.Why, c.why) || !strings.Contains(g.Hint, c.hint) ||
				g.Node != "n1" || g.Source != evidence.SourceKubeletLog {
				t.Errorf("%+v", g)
			}
		})
	}
}

func TestNobodyListens(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	c, err := rest.RESTClientFor(&rest.Config{Host: srv.URL, APIPath: "/api", ContentConfig: rest.ContentConfig{
		GroupVersion: &schema.GroupVersion{Version: "v1"}, NegotiatedSerializer: codecs.WithoutConversion()}})
	if err != nil {
		t.Fatal(err)
	}
	_, gaps := NewSource(kube.Raw(c), "n1", QueryOptions{}).Collect(context.Background())
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "cannot reach") {
		t.Errorf("%+v", gaps)
	}
}

func lines(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "Nov 21 07:%02d:%02d.000000 n1 kubelet[80]: %s\n", i/60, i%60, aLine)
	}
	return b.String()
}

func TestAnAnswerThatWasCutReachesOnlyToItsLastLine(t *testing.T) {
	observe := func(p evidence.RawEvidence) evidence.Coverage {
		b := evidence.NewBuilder(noon)
		p.Observe(b)
		return b.Build().Coverage[0]
	}
	last := time.Date(2026, 11, 21, 7, 0, 9, 0, time.UTC)
	t.Run("in the middle of a line", func(t *testing.T) {
		pieces, _ := collect(t, QueryOptions{Services: []string{"kubelet"}},
			body(lines(0, 10)+"Nov 21 07:00:09.5 n1 kubelet[80]: I1121 07:0"))
		if got := observe(pieces[0]); got.Until.After(last.Add(time.Second)) {
			t.Errorf("reaches to %v", got.Until)
		}
	})
	t.Run("by the kubelet's limit", func(t *testing.T) {
		clock := noon
		pieces, gaps := collect(t, QueryOptions{Services: []string{"kubelet"},
			Now: func() time.Time { clock = clock.Add(30 * time.Second); return clock }}, body(lines(0, 10)))
		if got := observe(pieces[0]); !got.Until.Equal(last) || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "30 s") {
			t.Errorf("reaches to %v, gaps %+v", got.Until, gaps)
		}
	})
	t.Run("by our deadline", func(t *testing.T) {
		pieces, gaps := collect(t, QueryOptions{Services: []string{"kubelet"}, Timeout: 200 * time.Millisecond},
			func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, lines(0, 10))
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
		if len(pieces) != 1 || len(gaps) != 1 {
			t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
		}
		if got := observe(pieces[0]); !got.Until.Equal(last) {
			t.Errorf("reaches to %v", got.Until)
		}
	})
}

func TestTheBudgetKeepsTheNewest(t *testing.T) {
	pieces, gaps := collect(t, QueryOptions{Services: []string{"kubelet"}, Budget: 1},
		body(strings.Repeat(lines(0, 3600), 6)))
	if len(pieces) != 1 || len(gaps) != 1 || !strings.Contains(gaps[0].Why, "oldest") {
		t.Fatalf("%d pieces, gaps %+v", len(pieces), gaps)
	}
	if got := filetest.Content(t, pieces[0]); !strings.HasSuffix(got, lines(3599, 3600)) {
		t.Errorf("the newest line is missing of %d bytes", len(got))
	}
}
