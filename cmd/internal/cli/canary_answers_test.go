package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// typed are the ways to hand a user's own words over, in the place of §.
var typed = [][]string{
	{"explain", "§"}, {"explain", "Liveness probe failed: §"}, {"explain", "-o", "json", "Error: §"},
	{"explain", "--example", "§"},
	{"explain", "-o", "markdown", `E1121 07:09:51.100000 80 pod_workers.go:1] "Error syncing pod" err="§" pod="a/b"`},
	{"§"}, {"--from", "§"}, {"-o", "§"}, {"-o", "jsonpath={§"}, {"-o", "go-template={{§"},
	{"-o", "custom-columns=A:.§"}, {"-n", "§", "--from", "."}, {"-l", "§", "--from", "."}, {"--since", "§"},
	{"--fail-on", "§"}, {"-c", "§", "web-0", "--from", "."}, {"--§"}, {"--kubeconfig", "§"},
	{"--webhook", "§", "--watch"}, {"--webhook-template", "§", "--watch"}, {"node", "§", "--from", "."}, {"hash", "§"},
	{"hash", "pod", "§", "--from", "."}, {"preflight", "--to", "§"}, {"preflight", "--to", "v1.36", "-f", "§"},
	{"collect", "-o", "§"}, {"analyze", "§"}, {"demo", "§"}, {"completion", "§"}, {"incidents", "§"},
}

// No secret in the words of a user is printed again: what a terminal shows is pasted elsewhere.
func TestNoSecretComesBackToWhoTypedIt(t *testing.T) {
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	t.Chdir(filetest.Plant(t, map[string]string{"pods.json": secretPod("x")}))
	for _, one := range confided {
		if one == "password:\n  hunter2c4n4ry" {
			continue // with a message's colon behind it, it is a name in YAML
		}
		for _, words := range typed {
			args := make([]string, len(words))
			for i, w := range words {
				args[i] = strings.ReplaceAll(w, "§", one)
			}
			out, errOut, _ := run(t, args...)
			if found := spilt(out) + spilt(errOut); found != "" {
				t.Errorf("%q: %s", args, found)
			}
		}
		for _, format := range []string{"table", "json", "html"} {
			env, out, errOut := testEnv()
			env.Streams.In = strings.NewReader("Container app failed liveness probe, will be restarted\n" + one +
				"\nexit code 137\n")
			Run(t.Context(), env, []string{"kubectl-restartwhy", "explain", "-o", format, "-"})
			if found := spilt(out.String()) + spilt(errOut.String()); found != "" {
				t.Errorf("%q on standard input: %s", one, found)
			}
		}
	}
}

// No secret reaches an agent, whether it asks or is refused.
func TestNoSecretReachesAnAgent(t *testing.T) {
	for _, one := range confided {
		session := client(t, "--from="+sourcesOf["logs and records of a node"](t, one))
		for _, q := range []struct {
			tool string
			args map[string]any
		}{
			{"why", nil}, {"why", map[string]any{"name": "web-0", "namespace": "shop"}},
			{"why", map[string]any{"name": one}}, {"why", map[string]any{"cause": one}},
			{"why", map[string]any{"since": one}}, {"incidents", nil}, {"node", map[string]any{"node": "n1"}},
			{"node", map[string]any{"node": one}}, {"preflight", map[string]any{"to": "v1.37"}},
			{"preflight", map[string]any{"to": one}}, {"hash", map[string]any{"pod": "web-0"}},
			{"hash", map[string]any{"pod": one}}, {"explain", map[string]any{"term": one}},
			{"explain", map[string]any{"term": "Liveness probe failed: " + one}},
		} {
			said, _ := call(t, session, q.tool, q.args)
			if q.args["pod"] == "password:\n  hunter2c4n4ry" {
				continue // with a message's colon behind it, it is a name in YAML
			}
			if found := spilt(strings.Join(said, "\n")); found != "" {
				t.Errorf("%q as %v: %s", one, q, found)
			}
		}
	}
}

// No secret that an application wrote before its end reaches a report.
func TestNoSecretReachesPreviousLogs(t *testing.T) {
	for i, one := range confided {
		s := secretCluster(t, one)
		s.Handle("/api/v1/namespaces/shop/pods/web-0/log", func(w http.ResponseWriter, _ *http.Request) {
			at := "2026-11-21T07:09:57.000000000Z "
			_, _ = fmt.Fprintf(w, "%sstarting\n%s%s\n%sfailed: %s\n", at, at, strings.ReplaceAll(one, "\n", "\n"+at), at,
				strings.ReplaceAll(one, "\n", "\n"+at)) // the client's going is not the test's concern
		})
		shown := formats[:3]
		if i%20 == 0 {
			shown = formats
		}
		for _, args := range shown {
			out, errOut, code := run(t, append(slices.Clone(args), "--previous-logs", "--evidence", "api")...)
			if found := spilt(out) + spilt(errOut); found != "" || code != 0 ||
				slices.Contains(args, "json") && !strings.Contains(out, "starting") {
				t.Errorf("%q as %v: exit code %d %s%s", one, args, code, found, errOut)
			}
		}
	}
}

// No secret is posted.
func TestNoSecretIsPosted(t *testing.T) {
	template := filepath.Join(t.TempDir(), "template")
	if err := os.WriteFile(template, []byte(`{{ json . }}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, one := range confided {
		if i%8 != 0 && !strings.HasPrefix(one, "-----BEGIN") {
			continue // each takes a second
		}
		got := make(chan string, 10)
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			text, _ := io.ReadAll(req.Body)
			got <- string(text)
		}))
		s := kubetest.Serve(t)
		s.Put(crashed("old", "n1", 1))
		args := []string{"--webhook", receiver.URL, "--evidence", "api"}
		if i%16 == 0 {
			args = append(args, "--webhook-template", template)
		}
		o, out, errOut := asking(t, s, args...)
		end := rows(t, o)
		out.Await(t, "old")
		awaitAsked(t, s, "watch pods", 1)
		var p corev1.Pod
		var e corev1.Event
		event, _, _ := secretObjects(one)
		for text, into := range map[string]any{secretPod(one): &p, event: &e} {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				t.Fatal(err)
			}
		}
		s.Put(&e, &p)
		select {
		case text := <-got:
			if found := spilt(text); found != "" || !strings.Contains(text, `"web-0"`) {
				t.Errorf("%q: posted %s, %.200s", one, found, text)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q: nothing was posted: %s%s", one, out, errOut)
		}
		if err := end(); err != nil {
			t.Error(err)
		}
		if found := spilt(out.String() + errOut.String()); found != "" {
			t.Errorf("%q: %s", one, found)
		}
		receiver.Close()
	}
}
