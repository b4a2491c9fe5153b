package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// api answers GET requests from a table of paths, and writes a kubeconfig for
// itself with a second context.
func api(t *testing.T, answers map[string]string) (kubeconfig string) {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		answer, ok := answers[r.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`
		}
		_, _ = io.WriteString(w, answer) // a client that has gone is not the test's concern
	}))
	t.Cleanup(srv.Close)
	kubeconfig = filepath.Join(t.TempDir(), "config")
	config := `{"apiVersion":"v1","kind":"Config","current-context":"here","clusters":[{"name":"c1","cluster":{"server":"` + srv.URL + `"}}],
		"contexts":[{"name":"here","context":{"cluster":"c1","user":"me","namespace":"shop"}},{"name":"there","context":{"cluster":"c1","user":"me"}}],"users":[{"name":"me","user":{}}]}`
	if err := os.WriteFile(kubeconfig, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	return kubeconfig
}

func list(names ...string) string {
	var items []string
	for _, n := range names {
		items = append(items, `{"metadata":{"name":"`+n+
			`"},"spec":{"initContainers":[{"name":"prepare"}],"containers":[{"name":"app"},{"name":"`+n+`-side"}]}}`)
	}
	return `{"kind":"PodList","apiVersion":"v1","items":[` + strings.Join(items, ",") + `]}`
}

// completed is what a shell would offer, and cobra's directive after it.
func completed(t *testing.T, config string, words ...string) (offers []string, directive string) {
	t.Helper()
	args := append([]string{"__complete", "--kubeconfig", config}, words...)
	if i := strings.IndexByte(words[0], ' '); i > 0 { // a command first
		args = append([]string{"__complete", words[0][:i], "--kubeconfig", config, words[0][i+1:]}, words[1:]...)
	}
	out, errs, code := run(t, args...)
	if code != 0 {
		t.Fatalf("%v: exit code %d: %s", words, code, errs)
	}
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, ":") {
			return offers, line
		}
		word, _, _ := strings.Cut(line, "\t")
		offers = append(offers, word)
	}
	t.Fatalf("%v: no directive in %q", words, out)
	return nil, ""
}

func TestCompletionOffersWhatIsThere(t *testing.T) {
	config := api(t, map[string]string{
		"/api/v1/namespaces/shop/pods":              list("web-0", "web-1", "db-0"),
		"/api/v1/namespaces/shop/pods/web-0":        `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"},"spec":{"containers":[{"name":"only"}]}}`,
		"/api/v1/namespaces/other/pods":             list("elsewhere"),
		"/api/v1/nodes":                             list("n1", "n2"),
		"/api/v1/namespaces":                        list("shop", "other"),
		"/api/v1/namespaces/shop/services":          list("front"),
		"/apis/apps/v1/namespaces/shop/deployments": list("web"),
		"/apis/batch/v1/namespaces/shop/cronjobs":   list("backup"),
	})
	const plain, open = ":4", ":6" // no files; and no blank behind a kind
	for _, c := range []struct {
		name      string
		words     []string
		want      []string
		directive string
	}{
		{"pods", []string{""}, []string{"web-0", "web-1", "db-0"}, plain},
		{"a letter of a kind", []string{"d"}, []string{"db-0", "deploy/", "ds/"}, open},
		{"another pod", []string{"web-0", "web"}, []string{"web-1"}, plain},
		{"another namespace", []string{"-n", "other", "e"}, []string{"elsewhere"}, plain},
		{"the names of a kind", []string{"deploy/"}, []string{"deploy/web"}, plain},
		{"the names after a kind", []string{"cj", ""}, []string{"backup"}, plain},
		{"a node", []string{"node/"}, []string{"node/n1", "node/n2"}, plain},
		{"a service", []string{"svc/f"}, []string{"svc/front"}, plain},
		{"a kind that nobody knows", []string{"things/"}, nil, plain},
		{"a kind that the server refuses", []string{"sts/"}, nil, plain},
		{"nodes of the command", []string{"node n1", ""}, []string{"n2"}, plain},
		{"namespaces", []string{"-n", ""}, []string{"shop", "other"}, plain},
		{"contexts", []string{"--context", ""}, []string{"here", "there"}, plain},
		{"clusters", []string{"--cluster", ""}, []string{"c1"}, plain},
		{"users", []string{"--user", ""}, []string{"me"}, plain},
		{"containers of a pod", []string{"web-0", "-c", ""}, []string{"only"}, plain},
		{"containers of a namespace", []string{"-c", "web"}, []string{"web-0-side", "web-1-side"}, plain},
		{"confidences", []string{"--fail-on", "p"}, []string{"proven", "possible"}, plain},
		{"formats", []string{"-o", "mark"}, []string{"markdown"}, plain},
		{"causes", []string{"--cause", "hash-kubelet-u"}, []string{"hash-kubelet-upgrade"}, plain},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, directive := completed(t, config, c.words...)
			// cobra leaves it to the shell to drop what does not begin with the word.
			var kept []string
			for _, g := range got {
				if strings.HasPrefix(g, c.words[len(c.words)-1]) {
					kept = append(kept, g)
				}
			}
			if diff := cmp.Diff(c.want, kept); diff != "" || directive != c.directive {
				t.Errorf("directive %s, want %s; -want +got:\n%s", directive, c.directive, diff)
			}
		})
	}
}

// Without a cluster, or with a kubeconfig that is none, there is nothing to offer
// and nothing to say.
func TestCompletionWithoutAClusterIsSilent(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]string{{"web"}, {"-n", ""}, {"-c", ""}, {"--context", ""}, {"deploy/"}} {
		if got, _ := completed(t, broken, words...); len(got) > 0 {
			t.Errorf("%v: %v", words, got)
		}
	}
}
