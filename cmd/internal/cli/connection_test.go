package cli

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// connected reads connection flags and opens the connection.
func connected(t *testing.T, args ...string) (*collect.Cluster, error) {
	t.Helper()
	env, _, _ := testEnv()
	c := command.NewConnection(env)
	cmd := &cobra.Command{Use: "x"}
	c.AddFlags(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return c.Open()
}

// The flags are kubectl's: what `kubectl options` lists of a connection, by name
// and letter.
func TestTheConnectionFlagsAreKubectls(t *testing.T) {
	env, _, _ := testEnv()
	c := command.NewConnection(env)
	c.AddFlags(&cobra.Command{Use: "x"})
	var got []string
	c.Set.VisitAll(func(f *pflag.Flag) { got = append(got, f.Shorthand+" "+f.Name) })
	for _, want := range []string{
		" as", " as-group", " as-uid", " as-user-extra", " cache-dir", " certificate-authority",
		" client-certificate", " client-key", " cluster", " context",
		" disable-compression", " insecure-skip-tls-verify", " kubeconfig", "n namespace",
		" request-timeout", "s server", " tls-server-name", " token", " user",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("no flag %q", want)
		}
	}
}

func TestImpersonationReachesTheServer(t *testing.T) {
	var mu sync.Mutex
	var seen http.Header
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = r.Header.Clone()
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"kind":"NodeList","apiVersion":"v1","items":[]}`)
	}))
	defer srv.Close()
	cl, err := connected(t, "-s", srv.URL, "--as", "jane", "--as-group", "ops",
		"--as-group", "dev", "--as-uid", "7", "--as-user-extra", "reason=why",
		"--token", "t", "-n", "ns/shop", "--cache-dir", "/x")
	if err != nil {
		t.Fatal(err)
	}
	if cl.Namespace != "shop" || cl.Server != srv.URL {
		t.Errorf("namespace %q of %q", cl.Namespace, cl.Server)
	}
	if _, err := cl.Client.Names(t.Context(), kube.Nodes, "", 1); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for key, want := range map[string]string{"Impersonate-User": "jane", "Impersonate-Group": "ops,dev",
		"Impersonate-Uid": "7", "Impersonate-Extra-Reason": "why", "User-Agent": "kubectl-restartwhy/test"} {
		if got := strings.Join(seen.Values(key), ","); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
}

func TestTheDeadlineIsTheFlags(t *testing.T) {
	for flag, want := range map[string]time.Duration{"": command.DefaultDeadline,
		"2m": 2 * time.Minute, "5": 5 * time.Second, "0": command.NoDeadline, "300ms": 300 * time.Millisecond} {
		args := []string{"-s", "http://127.0.0.1:1"}
		if flag != "" {
			args = append(args, "--request-timeout", flag)
		}
		if cl, err := connected(t, args...); err != nil || cl.Deadline != want {
			t.Errorf("%q: %+v, %v, want %s", flag, cl, err, want)
		}
	}
}

func TestWhatIsWrongWithAConnectionIsSaid(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	t.Setenv("KUBECONFIG", missing)
	config := api(t, nil)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"no kubeconfig":                  {nil, missing + " does not exist, so there is no cluster to read"},
		"a kubeconfig that is not there": {[]string{"--kubeconfig", "none"}, "read kubeconfig"},
		"a context that is not there": {[]string{"--kubeconfig", config, "--context", "gone"},
			`context "gone" does not exist`},
		"an extra without a value": {[]string{"-s", "http://127.0.0.1:1", "--as-user-extra", "reason"},
			"want KEY=VALUE"},
		"a time that is none": {[]string{"-s", "http://127.0.0.1:1", "--request-timeout", "soon"},
			"--request-timeout"},
		"a certificate that is not there": {[]string{"-s", "https://127.0.0.1:1", "--certificate-authority", "none"}, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := connected(t, c.args...); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// The kubeconfig's own namespace and context count as they do for kubectl.
func TestTheContextSaysWhereToLook(t *testing.T) {
	config := api(t, nil)
	for flags, want := range map[string]string{"": "shop", "--context there": "default",
		"-n other": "other", "--context there -n other": "other"} {
		if cl, err := connected(t, append([]string{"--kubeconfig", config}, strings.Fields(flags)...)...); err != nil ||
			cl.Namespace != want {
			t.Errorf("%q: %+v, %v, want %s", flags, cl, err, want)
		}
	}
}

// A server that hangs costs a completion no more than its time.
func TestACompletionWaitsNotForEver(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer srv.Close()
	env, _, _ := testEnv()
	c := command.NewConnection(env)
	cmd := &cobra.Command{Use: "x"}
	c.AddFlags(cmd)
	cmd.SetContext(ctx)
	if err := cmd.ParseFlags([]string{"-s", srv.URL}); err != nil {
		t.Fatal(err)
	}
	if got, _ := c.CompletePods(cmd, nil, ""); len(got) > 0 {
		t.Errorf("%v", got)
	}
}
