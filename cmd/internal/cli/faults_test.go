package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// A fault takes the place of the answer to one request, or of those to all from it on.
type fault struct {
	answer http.HandlerFunc // nil passes the request on
	after  bool             // all requests from it on
}

// cutOff ends the connection without an answer.
func cutOff(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// hangs is the fault that takes the longest: all of the time limit.
const hangs = "no answer"

var faults = map[string]fault{
	"a broken connection":   {cutOff, false},
	"a server that is gone": {cutOff, true},
	"overload":              {status(http.StatusServiceUnavailable), true},
	"a failure":             {status(http.StatusInternalServerError), false},
	"half an answer": {func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "4000")
		_, _ = w.Write([]byte(`{"apiVersion":"v1","items":[{"metadata":{"na`))
	}, false},
	"an answer of another kind": {func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>please log in</html>"))
	}, false},
	hangs: {func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server does not see that its client went before
		<-r.Context().Done()
	}, true},
}

// faulty stands before an API server with two pods on two nodes, and has meet called with the number of each request.
// It returns a kubeconfig.
func faulty(t *testing.T, meet func(n int) http.HandlerFunc) string {
	t.Helper()
	s := kubetest.Serve(t)
	for _, n := range []string{"n1", "n2"} {
		s.Put(aNode(n), crashed("web-"+n, n, 3))
		s.Handle("/api/v1/nodes/"+n+"/proxy/logs/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("query") == "kubelet" {
				_, _ = w.Write([]byte(exampleLog))
			}
		})
	}
	behind, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy, count := httputil.NewSingleHostReverseProxy(behind), atomic.Int32{}
	proxy.ErrorLog = log.New(io.Discard, "", 0)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer := meet(int(count.Add(1))); answer != nil {
			answer(w, r)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	t.Cleanup(front.CloseClientConnections)
	s.URL = front.URL
	return s.Kubeconfig("shop")
}

// collected is what a collection under a fault left behind.
type collected struct {
	code   int
	said   string
	bundle bool
	items  int
	gaps   []string
	broken bool // the bundle says that it was interrupted
}

// collectInto collects into a directory of its own and looks at what is in it afterwards.
func collectInto(t *testing.T, ctx context.Context, config string) (c collected) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "x.tar.zst")
	env, _, errOut := testEnv()
	c.code = Run(ctx, env, []string{"kubectl-restartwhy", "collect", "-n", "shop", "--evidence", "logs", "-v",
		"--request-timeout", "1s", "--kubeconfig", config, "-o", file})
	c.said = errOut.String()
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range left {
		if c.bundle = f.Name() == "x.tar.zst"; !c.bundle {
			t.Errorf("%s is left behind", f.Name())
		}
	}
	if !c.bundle {
		return c
	}
	b, err := bundle.Open(file, bundle.Options{Now: t0})
	if err != nil {
		t.Fatalf("a bundle that cannot be read: %v", err)
	}
	c.broken = b.Manifest.Incomplete
	for _, g := range b.Manifest.Gaps {
		c.gaps = append(c.gaps, string(g.Source)+": "+g.Why)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	out, errs, code := run(t, "analyze", file, "-o", "json")
	if code != command.ExitDone {
		t.Fatalf("analyze: %s", errs)
	}
	var r report.Report
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil {
		t.Fatal(err)
	}
	c.items = len(r.Items)
	return c
}

// Whatever an API server does at whichever request: the program ends, what it writes can be read, and what is missing
// is said.
func TestAServerThatFailsCostsOnlyWhatItDidNotGive(t *testing.T) {
	var counted atomic.Int64 // requests run side by side
	whole := collectInto(t, t.Context(), faulty(t, func(int) http.HandlerFunc { counted.Add(1); return nil }))
	asked := int(counted.Load())
	if whole.code != command.ExitDone || whole.items != 2 || asked < 5 {
		t.Fatalf("without a fault: %+v after %d requests", whole, asked)
	}
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			step := 1
			if name == hangs || testing.Short() {
				step = 4
			}
			for at := 1; at <= asked; at += step {
				elapsed := clock.Stopwatch()
				c := collectInto(t, t.Context(), faulty(t, func(n int) http.HandlerFunc {
					if n == at || f.after && n > at {
						return f.answer
					}
					return nil
				}))
				if took := elapsed(); took > 20*time.Second {
					t.Errorf("request %d: it took %v", at, took)
				}
				silent := len(c.gaps) <= len(whole.gaps) && c.code == command.ExitDone
				if c.items < whole.items && silent || !c.bundle && c.code == command.ExitDone {
					t.Errorf("request %d: %d of %d items, bundle %t, and nothing says so: %s",
						at, c.items, whole.items, c.bundle, c.said)
				}
			}
		})
	}
}

// Ctrl-C at any moment leaves a bundle that says of itself that it is not whole, or none.
func TestCtrlCAtEveryRequestLeavesNothingHalf(t *testing.T) {
	for at := 1; ; at++ {
		ctx, stop := context.WithCancel(t.Context())
		met := false
		c := collectInto(t, ctx, faulty(t, func(n int) http.HandlerFunc {
			if n == at {
				met = true
				stop()
			}
			return nil
		}))
		stop()
		if !met {
			if at < 5 {
				t.Fatalf("%d requests only", at-1)
			}
			return
		}
		if c.code == command.ExitDone || c.bundle && !c.broken {
			t.Errorf("request %d: exit code %d, bundle %t, incomplete %t: %s", at, c.code, c.bundle, c.broken, c.said)
		}
	}
}

// fullDisk takes so many bytes and no more.
type fullDisk struct {
	has  bytes.Buffer
	room int
}

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.has.Len()+len(p) > d.room {
		return 0, fmt.Errorf("write: %w", errFull)
	}
	return d.has.Write(p)
}

// A disk that runs full under an output is an error, however much of it had room.
func TestAFullDiskUnderAnOutputIsAnError(t *testing.T) {
	config := faulty(t, func(int) http.HandlerFunc { return nil })
	for _, format := range []string{"table", "json", "yaml", "markdown", "html", "prometheus"} {
		out := func(room int) (int, int, string) {
			env, _, errOut := testEnv()
			disk := &fullDisk{room: room}
			env.Streams.Out = disk
			code := Run(t.Context(), env, []string{"kubectl-restartwhy", "-n", "shop", "--evidence", "api",
				"--kubeconfig", config, "-o", format})
			return code, disk.has.Len(), errOut.String()
		}
		code, size, said := out(1 << 30)
		if code != command.ExitDone || size == 0 {
			t.Fatalf("%s: exit code %d, %d bytes: %s", format, code, size, said)
		}
		for _, room := range []int{0, size - 1} {
			if code, _, said := out(room); code == command.ExitDone || !strings.Contains(said, errFull.Error()) {
				t.Errorf("%s with %d bytes of %d: exit code %d: %s", format, room, size, code, said)
			}
		}
	}
}
