package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
)

// paging is an API server with two pods on two nodes that gives one object at a time.
type paging struct {
	t *testing.T
	// forbid are verbs and resources that this user may not use: "list nodes".
	forbid string
	// fails is the first page of pods that cannot be had, from 1; 0 for none.
	fails int

	mu    sync.Mutex
	asked []string
}

func (p *paging) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	refuse := func() {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403}`)
	}
	if strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews") {
		fmt.Fprintf(w,
			`{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{},"status":{"allowed":%t}}`,
			p.forbid != "list nodes")
		return
	}
	page := 1
	fmt.Sscan(r.URL.Query().Get("continue"), &page)
	p.mu.Lock()
	p.asked = append(p.asked, strings.TrimPrefix(r.URL.Path, "/api/v1/"))
	p.mu.Unlock()
	list := func(kind, item string) {
		next := ""
		if page < 2 {
			next = "2"
		}
		fmt.Fprintf(w, `{"kind":"%s","apiVersion":"v1","metadata":{"continue":%q},"items":[%s]}`, kind, next, item)
	}
	version := []string{"", "v1.30.14", "v1.31.0"}[page]
	node := fmt.Sprintf(
		`{"metadata":{"name":"n%d","labels":{"disktype":"ssd"}},"status":{"nodeInfo":{"kubeletVersion":%q,"containerRuntimeVersion":"containerd://1.7.2","operatingSystem":"linux"}}}`, page, version)
	switch {
	case r.URL.Path == "/api/v1/nodes":
		list("NodeList", node)
	case strings.HasPrefix(r.URL.Path, "/api/v1/nodes/"):
		fmt.Sscanf(r.URL.Path, "/api/v1/nodes/n%d", &page)
		fmt.Fprintf(w,
			`{"kind":"Node","apiVersion":"v1","metadata":{"name":"n%d","labels":{"disktype":"ssd"}},"status":{"nodeInfo":{"kubeletVersion":%q,"containerRuntimeVersion":"containerd://1.7.2","operatingSystem":"linux"}}}`, page, []string{"", "v1.30.14", "v1.31.0"}[page])
	case r.URL.Path == "/api/v1/events":
		fmt.Fprint(w, `{"kind":"EventList","apiVersion":"v1","items":[]}`)
	case r.URL.Path == "/api/v1/pods" && (p.fails > 0 && page >= p.fails || p.forbid == "list pods"):
		refuse()
	case r.URL.Path == "/api/v1/pods":
		list("PodList",
			fmt.Sprintf(
				`{"metadata":{"namespace":"shop","name":"web-%[1]d","uid":"u%[1]d"},"spec":{"nodeName":"n%[1]d","nodeSelector":{"disktype":%[2]q},"restartPolicy":"Always","containers":[{"name":"app","image":"web:1","env":[{"name":"A","value":"b"}]}]},
			"status":{"phase":"Running","containerStatuses":[{"name":"app","containerID":"containerd://b%[1]d","started":true,"state":{"running":{"startedAt":"2026-11-20T07:00:00Z"}}}]}}`, page, []string{"", "ssd", "hdd"}[page]))
	default:
		p.t.Errorf("unexpected request: %s", r.URL)
		refuse()
	}
}

// kubeconfigFor writes a kubeconfig for a server.
func kubeconfigFor(t *testing.T, url string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "config")
	text := `{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"` +
		url + `"}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}],"users":[{"name":"u","user":{}}]}`
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// pagedPreflight runs `preflight -A` against the server.
func pagedPreflight(t *testing.T, p *paging, args ...string) (r report.Preflight, errOut string, code int) {
	t.Helper()
	p.t = t
	srv := httptest.NewServer(p)
	t.Cleanup(srv.Close)
	out, errOut, code := run(t,
		append([]string{"--kubeconfig", kubeconfigFor(t, srv.URL), "preflight", "--to", "v1.31.0", "-A", "-o", "json"},
			args...)...)
	if out != "" {
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(out+errOut, `"b"`) || strings.Contains(out+errOut, "hdd") {
		t.Error("a value of the environment or of a label is printed")
	}
	return r, errOut, code
}

func TestALargeClusterIsPredictedPageByPage(t *testing.T) {
	p := &paging{}
	r, errOut, code := pagedPreflight(t, p)
	if code != command.ExitDone {
		t.Fatalf("exit code %d: %s", code, errOut)
	}
	if diff := cmp.Diff([]string{"nodes", "nodes", "pods", "pods"}, p.asked); diff != "" {
		t.Errorf("requests: %s", diff)
	}
	var got []string
	for _, it := range r.Items {
		got = append(got, fmt.Sprintf("%s %s %s: %s", it.Node, it.Pod, it.Prediction, it.Rule))
	}
	want := []string{"n1 web-1 restarts: hash-kubelet-upgrade", "n2 web-2 restarts: admission-rejected"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(r.Gaps) != 1 || !strings.Contains(r.Gaps[0].Why, "node logs were not requested") ||
		strings.Contains(strings.Join(r.Assumed, " "), "admitted again") {
		t.Errorf("gaps %+v, assumed %q", r.Gaps, r.Assumed)
	}
}

// Where logs are asked for too, everything is held at once, and the predictions are the same.
func TestHeldWholeTheReportIsTheSame(t *testing.T) {
	paged, _, _ := pagedPreflight(t, &paging{})
	p := &paging{}
	whole, errOut, code := pagedPreflight(t, p, "--evidence", "auto")
	if code != command.ExitDone || !slices.Contains(p.asked, "events") {
		t.Fatalf("exit code %d, asked for %v: %s", code, p.asked, errOut)
	}
	if diff := cmp.Diff(paged, whole, cmpopts.IgnoreFields(report.Preflight{}, "Gaps")); diff != "" {
		t.Errorf("paged (-) and whole (+) differ: %s", diff)
	}
}

func TestPagesThatCannotBeHad(t *testing.T) {
	nobody := &paging{forbid: "list nodes"}
	if r, _, code := pagedPreflight(t, nobody); code != command.ExitDone || r.Summary.Unknown != 2 ||
		slices.Contains(nobody.asked, "nodes") || !strings.Contains(r.Gaps[0].Why, "may not read nodes") {
		t.Errorf("no nodes: exit code %d, asked for %v, %+v", code, nobody.asked, r.Gaps)
	}
	if _, errOut, code := pagedPreflight(t, &paging{forbid: "list pods"}); code != command.ExitError ||
		!strings.Contains(errOut, "list pods in all namespaces: forbidden") {
		t.Errorf("no pods: exit code %d: %s", code, errOut)
	}
	// The half is shown; a gate does not open for it.
	r, errOut, code := pagedPreflight(t, &paging{fails: 2})
	if code != command.ExitError || !strings.Contains(errOut, "list pods in all namespaces: forbidden") ||
		len(r.Items) != 1 || len(r.Gaps) != 2 || !strings.Contains(r.Gaps[0].Why, "only 1 pods were read") {
		t.Errorf("half of the pods: exit code %d, %+v", code, r.Gaps)
	}
	r, _, code = pagedPreflight(t, &paging{}, "--fail-on", "restart")
	if code != command.ExitMatched || r.Summary.Restarts != 2 {
		t.Errorf("as a gate: exit code %d, %+v", code, r.Summary)
	}
	r, _, code = pagedPreflight(t, &paging{}, "-l", "app=web")
	if code != command.ExitDone || len(r.Items) != 2 || r.Scope.Selector != "app=web" {
		t.Errorf("a selector: exit code %d, %+v", code, r.Scope)
	}
}
