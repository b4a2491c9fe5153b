package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
	"github.com/restartwhy/kubectl-restartwhy/tui"
)

// crashed is a pod whose only container has restarted count times.
func crashed(name, node string, count int) *corev1.Pod {
	at := func(s int) metav1.Time { return metav1.Time{Time: t0.Add(time.Duration(s) * time.Second)} }
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID("u-" + name),
			Labels: map[string]string{"app": name}, CreationTimestamp: at(-9000)},
		Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "app", Image: "web:1"}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
			Name: "app", RestartCount: int32(count), ContainerID: fmt.Sprintf("containerd://%s-%d", name, count),
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(count*10 - 1000)}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				ExitCode: 1, Reason: "Error", StartedAt: at(count*10 - 1010), FinishedAt: at(count*10 - 1001),
				ContainerID: fmt.Sprintf("containerd://%s-%d", name, count-1),
			}},
		}}},
	}
}

func aNode(name string) *corev1.Node {
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name},
		Status: corev1.NodeStatus{NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.31.2", OperatingSystem: "linux"}}}
}

// asking makes the options of a listing as its command would.
func asking(t *testing.T, s *kubetest.Server, args ...string) (o *listOptions, out, errOut *clocktest.Screen) {
	t.Helper()
	env, _, _ := testEnv()
	out, errOut = &clocktest.Screen{}, &clocktest.Screen{}
	env.Streams.Out, env.Streams.ErrOut = out, errOut
	o = newListOptions(env)
	o.every = 20 * time.Millisecond
	cmd := &cobra.Command{}
	o.addFlags(cmd)
	o.scope.AddFlags(cmd)
	o.sources.AddLevel(cmd)
	o.sources.AddFrom(cmd)
	o.addWatch(cmd)
	o.sources.Conn.AddFlags(cmd)
	if err := errors.Join(cmd.ParseFlags(append([]string{"--watch", "--kubeconfig", s.Kubeconfig("shop")}, args...)),
		o.prepare(cmd.Flags().Args())); err != nil {
		t.Fatal(err)
	}
	return o, out, errOut
}

// rows watches rows until the returned function is called, which returns how it ended.
func rows(t *testing.T, o *listOptions) (end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.watchRows(ctx) }()
	t.Cleanup(cancel)
	return func() error {
		cancel()
		return <-ended
	}
}

func TestARowComesWithinThreeSeconds(t *testing.T) {
	before := runtime.NumGoroutine()
	s := kubetest.Serve(t)
	s.Put(crashed("web", "n1", 1), crashed("db", "n1", 0), aNode("n1"))
	o, out, errOut := asking(t, s, "--evidence", "api")
	end := rows(t, o)
	out.Await(t, "web ")
	awaitAsked(t, s, "watch pods", 1)
	// A busy machine may be late once; the program would be late each time.
	var took time.Duration
	for restart := 2; restart < 5; restart++ {
		printed := len(out.String())
		s.Put(crashed("web", "n1", restart))
		elapsed := clock.Stopwatch()
		out.AwaitFrom(t, printed, "web ")
		took = elapsed()
		if row := out.String()[printed:]; strings.Contains(row, "db ") || strings.Count(row, "\n") != 1 {
			t.Errorf("printed %q", row)
		}
		if took <= 3*time.Second {
			break
		}
	}
	if took > 3*time.Second {
		t.Errorf("rows come after %s", took)
	}
	if n := asked(s, "list pods"); n != 1 {
		t.Errorf("pods were listed %d times", n)
	}
	elapsed := clock.Stopwatch()
	if err := end(); err != nil {
		t.Error(err)
	}
	if took := elapsed(); took > time.Second { // less than anything that it waits for
		t.Errorf("it ended after %s", took)
	}
	if strings.Contains(errOut.String(), "watch") {
		t.Errorf("said: %s", errOut)
	}
	s.Cut()
	clocktest.Await(t, func() bool { return runtime.NumGoroutine() <= before+8 }, func() string { // the server's own
		return fmt.Sprintf("%d goroutines, before %d", runtime.NumGoroutine(), before)
	})
}

// Who may not watch is asked for again and again, and it is said once.
func TestWithoutTheRightToWatchItPolls(t *testing.T) {
	for name, refuse := range map[string]func(*kubetest.Server){
		"a review denies it":             func(s *kubetest.Server) { s.Refuse("watch pods", http.StatusForbidden) },
		"the watch of events is refused": func(s *kubetest.Server) { s.Refuse("watch events", http.StatusForbidden) },
	} {
		t.Run(name, func(t *testing.T) {
			s := kubetest.Serve(t)
			refuse(s)
			s.Put(crashed("web", "n1", 1), aNode("n1"))
			o, out, errOut := asking(t, s, "--evidence", "api")
			end := rows(t, o)
			out.Await(t, "web ")
			awaitAsked(t, s, "list pods", 4)
			printed := len(out.String())
			s.Put(crashed("web", "n1", 2))
			clocktest.Reached(func() bool { return len(out.String()) > printed })
			if err := end(); err != nil {
				t.Error(err)
			}
			if got := strings.Count(errOut.String(),
				"checking again every 20ms instead of watching: this user may not watch pods and events in namespace shop"); got != 1 {
				t.Errorf("said %d times: %s", got, errOut)
			}
			if len(out.String()) == printed {
				t.Error("the restart was not seen")
			}
		})
	}
}

// A server that refuses only when it comes to it is believed then.
func TestAWatchThatIsRefusedLateIsPolledFor(t *testing.T) {
	s := kubetest.Serve(t)
	s.Put(crashed("web", "n1", 1), aNode("n1"))
	o, out, errOut := asking(t, s, "--evidence", "api")
	end := rows(t, o)
	out.Await(t, "web ")
	awaitAsked(t, s, "watch pods", 1)
	s.Refuse("watch pods", http.StatusForbidden)
	s.Cut()
	errOut.Await(t, "instead of watching: watch pods in namespace shop: forbidden")
	awaitAsked(t, s, "list pods", 3)
	if err := end(); err != nil {
		t.Error(err)
	}
}

// The pods of several workloads are looked up again each time.
func TestSeveralWorkloadsAreLookedUpAgain(t *testing.T) {
	s := kubetest.Serve(t)
	web, db := crashed("web", "n1", 1), crashed("db", "n1", 1)
	set := func(name string) *appsv1.StatefulSet {
		return &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
			Spec: appsv1.StatefulSetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}}}
	}
	s.Put(web, db, aNode("n1"), set("web"), set("db"))
	o, out, errOut := asking(t, s, "--evidence", "api", "sts/web", "sts/db")
	end := rows(t, o)
	out.Await(t, "web ")
	awaitAsked(t, s, "get statefulsets", 4)
	if err := end(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(errOut.String(), "the pods of several workloads") || asked(s, "watch") > 0 {
		t.Errorf("%s %q", errOut, s.Asked())
	}
	// One workload is a selector, and followed.
	o, out, errOut = asking(t, s, "--evidence", "api", "sts/web")
	end = rows(t, o)
	out.Await(t, "web ")
	awaitAsked(t, s, "watch pods", 1)
	if err := end(); err != nil || strings.Contains(errOut.String(), "watching") {
		t.Errorf("%v: %s", err, errOut)
	}
}

// The log of a node is read again when a container of it ended, and only then; the
// row is there before the log is.
func TestOnlyNodesWithNewsAreReadAgain(t *testing.T) {
	s := kubetest.Serve(t)
	s.Put(crashed("web", "n1", 1), crashed("db", "n2", 1), aNode("n1"), aNode("n2"))
	var mu sync.Mutex
	read := map[string]int{}
	slow := make(chan struct{})
	for _, n := range []string{"n1", "n2"} {
		s.Handle("/api/v1/nodes/"+n+"/proxy/logs/", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("query") != "kubelet" {
				fmt.Fprintln(w, "log not found for "+r.URL.Query().Get("query"))
				return
			}
			mu.Lock()
			read[n]++
			again := read[n] > 1
			mu.Unlock()
			if again {
				select {
				case <-slow:
				case <-r.Context().Done():
				}
			}
			fmt.Fprintln(w,
				`2026-11-21T06:50:00.000000+00:00 n1 kubelet[7]: I1121 06:50:00.000000       7 server.go:415] "Kubelet version" kubeletVersion="v1.31.2"`)
		})
	}
	o, out, errOut := asking(t, s, "--evidence", "logs")
	end := rows(t, o)
	out.Await(t, "db ")
	awaitAsked(t, s, "watch pods", 1)
	printed := len(out.String())
	s.Put(crashed("web", "n1", 2))
	if !clocktest.Reached(func() bool { return strings.Contains(out.String()[printed:], "web ") }) {
		t.Errorf("the row waits for the log: %s%s", out, errOut)
	}
	close(slow)
	clocktest.Reached(func() bool {
		mu.Lock()
		defer mu.Unlock()
		return read["n1"] >= 2
	})
	if err := end(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]int{"n1": 2, "n2": 1}, read); diff != "" {
		t.Error(diff)
	}
}

func TestABrokenWatchIsSaidAndMends(t *testing.T) {
	s := kubetest.Serve(t)
	s.Put(crashed("web", "n1", 1), aNode("n1"))
	o, out, errOut := asking(t, s, "--evidence", "api")
	end := rows(t, o)
	out.Await(t, "web ")
	awaitAsked(t, s, "watch pods", 1)
	s.Refuse("watch pods", http.StatusInternalServerError)
	s.Cut()
	errOut.Await(t, "trying again, the display may be out of date")
	printed := len(out.String())
	s.Put(crashed("web", "n1", 2))
	s.Refuse("watch pods", 0)
	clocktest.Reached(func() bool { return len(out.String()) > printed })
	if err := end(); err != nil || len(out.String()) == printed {
		t.Errorf("%v; printed %q", err, out.String()[printed:])
	}
}

// The viewer gets a new report without asking, and nothing is sent when it has ended.
func TestTheViewerFollows(t *testing.T) {
	s := kubetest.Serve(t)
	s.Put(crashed("web", "n1", 1), aNode("n1"))
	o, _, _ := asking(t, s, "--evidence", "api")
	v := &viewing{o: o, updates: make(chan tui.Update)}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	o.sources.Read.Watching = collect.NewWatcher(o.every, func(text string) { v.send(ctx, tui.Update{Watch: &text}) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(v.updates)
		if instead := v.collect(ctx, &command.ProgressBar{Tell: func(string, bool) {}}); instead != nil {
			t.Errorf("the viewer gives way: %v", instead())
		}
	}()
	u := <-v.updates
	if u.Report == nil || len(u.Report.Items) != 1 {
		t.Fatalf("%+v", u)
	}
	awaitAsked(t, s, "watch pods", 1)
	s.Put(crashed("db", "n1", 3))
	if u = <-v.updates; u.Report == nil || len(u.Report.Items) != 2 {
		t.Fatalf("%+v", u)
	}
	s.Refuse("watch pods", http.StatusInternalServerError)
	s.Cut()
	if u = <-v.updates; u.Watch == nil || !strings.Contains(*u.Watch, "trying again") {
		t.Errorf("%+v", u)
	}
	s.Refuse("watch pods", 0)
	for u.Watch == nil || *u.Watch != "" {
		u = <-v.updates
	}
	leave()
	<-ended
	if err := v.close(); err != nil {
		t.Error(err)
	}
}

func TestAWatchPostsWhatIsNewAndNothingElse(t *testing.T) {
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		text, _ := io.ReadAll(req.Body)
		got <- string(text)
	}))
	t.Cleanup(receiver.Close)
	s := kubetest.Serve(t)
	s.Put(crashed("old", "n1", 1), aNode("n1"))
	o, out, _ := asking(t, s, "--webhook", receiver.URL)
	end := rows(t, o)
	out.Await(t, "old")
	awaitAsked(t, s, "watch pods", 1)
	s.Put(crashed("web", "n1", 1))
	out.Await(t, "web")
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if text := <-got; !strings.Contains(text, `"pod":"web"`) || strings.Contains(text, `"pod":"old"`) {
		t.Errorf("posted %s", text)
	}
	if len(got) > 0 {
		t.Errorf("posted beside the one verdict that is new: %s", <-got)
	}
}

// A restart that is missing from a few reports is no news when it comes back.
func TestARestartThatIsBackIsNoNews(t *testing.T) {
	begin := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	item := report.Item{Pod: "web-0", Verdict: report.Verdict{Cause: "app-exit-error", Confidence: report.Likely}}
	round := func(n *news, at time.Duration, items ...report.Item) int {
		r := &report.Report{GeneratedAt: begin.Add(at), Items: items}
		return len(n.of(analyzer.Result{Report: r}).Report.Items)
	}
	var n news
	for _, c := range []struct {
		what  string
		at    time.Duration
		items []report.Item
		want  int
	}{
		{"new", 0, []report.Item{item}, 1},
		{"absent", time.Minute, nil, 0},
		{"back", 2 * time.Minute, []report.Item{item}, 0},
		{"absent for long", 2*time.Minute + 2*absent, nil, 0},
		{"new again", 3*time.Minute + 2*absent, []report.Item{item}, 1},
	} {
		if got := round(&n, c.at, c.items...); got != c.want {
			t.Errorf("%s: %d rows, want %d", c.what, got, c.want)
		}
	}
}
