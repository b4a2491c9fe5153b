package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/preflightcmd"
)

// upgraded is an API server of node n1 with pod web-0 of two containers: in the third round its kubelet is another one,
// in the fourth the container that was to restart has, and so has the sidecar. The fifth round fails.
func upgraded(t *testing.T, round *atomic.Int32) (kubeconfig string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		version, app, proxy := "v1.30.14", "a1", "p1"
		// The pods are asked for first in each round.
		if r.URL.Path == "/api/v1/namespaces/shop/pods" {
			round.Add(1)
		}
		n := round.Load()
		if n >= 3 {
			version = "v1.31.2"
		}
		if n >= 4 {
			app, proxy = "a2", "p2"
		}
		var answer string
		switch {
		case n == 5 && r.URL.Path == "/api/v1/namespaces/shop/pods":
			w.WriteHeader(http.StatusForbidden)
			answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`
		case r.URL.Path == "/api/v1/namespaces/shop/pods":
			status := `{"name":%q,"containerID":"containerd://%s","started":true,"state":{"running":{"startedAt":"2026-11-20T07:00:00Z"}}}`
			answer = `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"namespace":"shop","name":"web-0","uid":"u1"},"spec":{"nodeName":"n1","restartPolicy":"Always",` +
				`"initContainers":[{"name":"proxy","image":"proxy:1","restartPolicy":"Always"}],"containers":[{"name":"app","image":"web:1","env":[{"name":"A","value":"b"}]}]},` +
				`"status":{"phase":"Running","initContainerStatuses":[` + fmt.Sprintf(status, "proxy", proxy) +
				`],"containerStatuses":[` + fmt.Sprintf(status, "app", app) + `]}}]}`
		case r.URL.Path == "/api/v1/nodes/n1":
			answer = `{"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"status":{"nodeInfo":{"kubeletVersion":"` +
				version + `","containerRuntimeVersion":"containerd://1.7.2","operatingSystem":"linux"}}}`
		case strings.HasSuffix(r.URL.Path, "/events"):
			answer = `{"kind":"EventList","apiVersion":"v1","items":[]}`
		default:
			w.WriteHeader(http.StatusNotFound)
			answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
		}
		_, _ = io.WriteString(w, answer) // a client that has gone is not the test's concern
	}))
	t.Cleanup(srv.Close)
	kubeconfig = filepath.Join(t.TempDir(), "config")
	config := `{"apiVersion":"v1","kind":"Config","current-context":"here","clusters":[{"name":"c1","cluster":{"server":"` + srv.URL + `"}}],
		"contexts":[{"name":"here","context":{"cluster":"c1","user":"me","namespace":"shop"}}],"users":[{"name":"me","user":{}}]}`
	if err := os.WriteFile(kubeconfig, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

// until ends a watch once a word was printed.
type until struct {
	out  bytes.Buffer
	word string
	end  context.CancelFunc
}

func (u *until) Write(p []byte) (int, error) {
	n, err := u.out.Write(p)
	if strings.Contains(u.out.String(), u.word) {
		u.end()
	}
	return n, err
}

// watched runs `preflight --watch` with rounds that take half a minute of the test's clock and next to nothing of ours.
func watched(t *testing.T, word string, args ...string) (out, errOut string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var round atomic.Int32
	env, _, e := testEnv()
	u := &until{word: word, end: cancel}
	env.Streams.Out = u
	env.Now = func() time.Time { return t0.Add(time.Duration(round.Load()) * 30 * time.Second) }
	cmd := preflightcmd.New(env, time.Millisecond)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetArgs(append([]string{"--kubeconfig", upgraded(t, &round), "--watch"}, args...))
	if err := cmd.ExecuteContext(ctx); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(u.out.String(), word) {
		t.Fatalf("it never said %q: %s%s", word, u.out.String(), e.String())
	}
	return u.out.String(), e.String()
}

func TestAnUpgradeIsWatched(t *testing.T) {
	out, errOut := watched(t, ", settled", "--to", "v1.31")
	prediction, rest, found := strings.Cut(out, "n1: kubelet v1.30.14 → ")
	if !found || !strings.Contains(prediction, "1 of 2 containers would restart") {
		t.Fatalf("the prediction comes first: %s", out)
	}
	want := `n1: kubelet v1.30.14 → v1.31.2: 0 of 1 container that would restart did, 1 not yet; 1 of 1 that would stay did
  - has not restarted yet: shop/web-0 app (hash-kubelet-upgrade)
n1: kubelet v1.30.14 → v1.31.2: 1 of 1 container that would restart did; 0 of 1 that would stay did
  - restarted although predicted to stay: shop/web-0 proxy (unchanged)
n1: kubelet v1.30.14 → v1.31.2, settled: 1 of 1 container that would restart did; 0 of 1 that would stay did
  - restarted although predicted to stay: shop/web-0 proxy (unchanged)
Watched for 2m30s: 1 of 1 kubelet replaced, 1 settled: 1 of 1 container that would restart did; 0 of 1 that would stay did
`
	if diff := cmp.Diff(want, "n1: kubelet v1.30.14 → "+rest); diff != "" {
		t.Error(diff)
	}
	if strings.Count(errOut, "forbidden") != 1 ||
		!strings.Contains(errOut, "nodes being watched: 1; press Ctrl-C to end") {
		t.Errorf("a round that fails is said: %s", errOut)
	}
}

func TestAWatchAsJSONIsADocumentALine(t *testing.T) {
	out, errOut := watched(t, `"settled":true`, "--to", "v1.31", "-o", "json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines: %s", len(lines), out)
	}
	var r report.Preflight
	if err := json.Unmarshal([]byte(lines[0]), &r); err != nil || r.Kind != report.PreflightKind || len(r.Items) != 2 {
		t.Errorf("%v %+v", err, r)
	}
	var o report.PreflightOutcome
	if err := json.Unmarshal([]byte(lines[3]), &o); err != nil || o.Kind != report.PreflightOutcomeKind ||
		!o.Settled || o.Count.Restarted != 1 || o.Count.Unforeseen != 1 {
		t.Errorf("%v %+v", err, o)
	}
	if !strings.Contains(errOut, "Watched for 2m30s") {
		t.Errorf("the summary is for people: %s", errOut)
	}
}

func TestWrongUsesOfPreflightWatch(t *testing.T) {
	for args, want := range map[string]string{
		"--fail-on restart": "cannot be combined with --fail-on",
		"--plain":           "cannot be combined with --plain",
		"-o yaml":           "-o table or json, not yaml",
		"-o wide":           "-o table or json, not wide",
	} {
		_, errOut, code := run(t, append([]string{"preflight", "--watch", "--to", "v1.31"}, strings.Fields(args)...)...)
		if code != command.ExitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%q: exit code %d: %s", args, code, errOut)
		}
	}
	if _, errOut, code := foretold(t, "--to", "v1.31", "-w"); code != command.ExitUsage ||
		!strings.Contains(errOut, "recorded evidence does not change") {
		t.Errorf("exit code %d: %s", code, errOut)
	}
}
