package apiserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock/clocktest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// following is a follower at work on a fake API server with pod shop/web-0 on n1.
type following struct {
	*kubetest.Server
	t        *testing.T
	f        *Watcher
	end      context.CancelFunc
	ended    chan error
	troubles chan string
}

// restarted is the base pod after one more restart.
func restarted(mutate ...func(*corev1.Pod)) *corev1.Pod {
	p := objecttest.BasePod(append([]func(*corev1.Pod){func(p *corev1.Pod) {
		s := &p.Status.ContainerStatuses[0]
		s.RestartCount, s.ContainerID, s.LastTerminationState.Terminated.ContainerID = s.RestartCount+1,
			"containerd://newest", "containerd://new"
	}}, mutate...)...)
	return &p
}

func follow(t *testing.T, s *kubetest.Server, scope Scope, o Options) *following {
	t.Helper()
	return followAfter(t, s, scope, o, time.Millisecond)
}

// followAfter is follow with its first pause after a failure; nothing of a follower that runs may be set.
func followAfter(t *testing.T, s *kubetest.Server, scope Scope, o Options, backoff time.Duration) *following {
	t.Helper()
	source := NewSource(s.Client(), scope, apiobject.Hasher{Present: objecttest.TestHash}, o)
	if _, gaps := source.Collect(t.Context()); len(gaps) > 0 {
		t.Fatalf("gaps %+v", gaps)
	}
	w := &following{Server: s, t: t, ended: make(chan error, 1), troubles: make(chan string, 1000)}
	w.f = source.Follow(FollowOptions{Settle: 20 * time.Millisecond, Quiet: 60 * time.Millisecond, Backoff: backoff,
		Trouble: func(err error) { w.troubles <- fmt.Sprint(err) }})
	ctx, end := context.WithCancel(t.Context())
	w.end = end
	go func() { w.ended <- w.f.Run(ctx) }()
	t.Cleanup(end)
	return w
}

func base(t *testing.T) *kubetest.Server {
	s := kubetest.Serve(t)
	p, n := objecttest.BasePod(), objecttest.BaseNode("n1")
	s.Put(&p, &n, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}})
	return s
}

// next waits for news, and returns what is known then.
func (w *following) next() (News, *evidence.Snapshot) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	defer cancel()
	c, err := w.f.Next(ctx)
	if err != nil {
		w.t.Fatalf("%v; asked %q", err, w.Asked())
	}
	return c, w.now()
}

func (w *following) now() *evidence.Snapshot {
	w.t.Helper()
	pieces, gaps := w.f.Collect(w.t.Context())
	if len(gaps) > 0 {
		w.t.Errorf("gaps %+v", gaps)
	}
	return objecttest.Observed(pieces, nil)
}

// quiet fails if there is anything new.
func (w *following) quiet() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), 150*time.Millisecond)
	defer cancel()
	if c, err := w.f.Next(ctx); err == nil {
		w.t.Errorf("news: %+v", c)
	}
}

// watched waits until a verb and resource have been asked for n times.
func (w *following) watched(what string, n int) {
	w.t.Helper()
	clocktest.Await(w.t, func() bool { return w.count(what) >= n }, func() string {
		return fmt.Sprintf("%s was not asked for %d times: %q", what, n, w.Asked())
	})
}

func (w *following) count(what string) (n int) {
	for _, asked := range w.Asked() {
		if strings.HasPrefix(asked, what) {
			n++
		}
	}
	return n
}

// restarts are the restart counts that a snapshot holds, by pod.
func restarts(s *evidence.Snapshot) map[string]int {
	out := map[string]int{}
	for _, p := range s.Pods {
		out[p.Name] = -1
	}
	for _, o := range s.Observations {
		if c, ok := o.Fact.(evidence.RestartCount); ok {
			out[o.Subject.Pod] = c.Count
		}
	}
	return out
}

func events(s *evidence.Snapshot) (out []string) {
	for _, o := range s.Observations {
		if strings.HasPrefix(o.Source.Where, "event ") {
			out = append(out, o.Text.String())
		}
	}
	slices.Sort(out)
	return out
}
