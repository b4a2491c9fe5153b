package apiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// Run watches until ctx ends, which is not an error, or until the API server refuses to let pods or their events be
// watched: then it returns an AccessError. It continues without the events of nodes where they are refused.
func (f *Watcher) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var streams []func(context.Context) error
	for _, q := range f.podQueries() {
		streams = append(streams, f.podStream(q).run)
	}
	if !slices.Contains(f.o.Denied, "events") {
		for _, q := range f.eventQueries() {
			s := f.eventStream(q)
			streams = append(streams, func(ctx context.Context) error {
				err := s.run(ctx)
				if q.ofNodes() && errors.Is(err, kube.ErrForbidden) {
					f.nodeEventsRefused.Store(true)
					return nil
				}
				return err
			})
		}
	}
	ended := make(chan error)
	for _, run := range streams {
		go func() { ended <- run(ctx) }()
	}
	var first error
	for range streams {
		if err := <-ended; err != nil && first == nil {
			first = err
			cancel()
		}
	}
	return first
}

// ofNodes reports whether the query is for events of nodes rather than of pods.
func (q query) ofNodes() bool { return q.fields == eventQuery{kind: "Node"}.selector() }

// podQueries returns the lists that hold the pods of the scope: as few as possible, perhaps broader than the scope.
func (f *Watcher) podQueries() []query {
	s := &f.scope
	one := query{kube.Pods, s.Namespace, s.Selector, ""}
	switch {
	case len(s.Names) == 1:
		one.namespace, one.fields = s.Names[0].Namespace,
			fields.OneTermEqualSelector("metadata.name", s.Names[0].Name).String()
	case len(s.Names) > 1:
		var out []query
		for _, ref := range s.Names {
			if q := (query{kube.Pods, ref.Namespace, "", ""}); !slices.Contains(out, q) {
				out = append(out, q)
			}
		}
		return out
	case len(s.Nodes) > 0 && len(s.Nodes) <= eachAtMost:
		var out []query
		for _, n := range s.Nodes {
			one.fields = fields.OneTermEqualSelector("spec.nodeName", n).String()
			out = append(out, one)
		}
		return out
	}
	return []query{one}
}

// eventQueries returns the lists that hold the events of those pods, and of nodes.
func (f *Watcher) eventQueries() (all []query) {
	queries := f.scope.eventQueries(1)
	if !f.scope.whole() {
		queries = append(queries, eventQuery{"default", "Node", ""})
	}
	for _, q := range queries {
		all = append(all, query{kube.Events, q.namespace, "", q.selector()})
	}
	return all
}

// objects are what a stream of one kind does with its objects: begin is called before a list, without mu. The others
// are called with it held: took with each object of the list, listed at its end, and seen with each change after it.
type objects struct {
	begin  func()
	took   func(runtime.Object)
	listed func(partly bool)
	seen   func(watch.EventType, runtime.Object)
}

// newStream returns the stream of a query: each list may have as many bytes as the source.
func (f *Watcher) newStream(q query, newPage func() page, o objects) *stream {
	var left budget
	return &stream{
		query: q, client: f.client, pageSize: f.o.PageSize, timeout: f.o.Timeout,
		backoff: f.f.Backoff, version: f.versions[q],
		trouble: func(err error) { f.trouble(q, err) },
		page:    newPage,
		begin: func() {
			o.begin()
			left.left.Store(f.o.MaxBytes)
		},
		take: func(p page) error {
			f.mu.Lock()
			defer f.mu.Unlock()
			return meta.EachListItem(p, func(one runtime.Object) error {
				if !left.spend(one.(sized).Size()) {
					return errBudget{f.o.MaxBytes}
				}
				o.took(one)
				return nil
			})
		},
		listed: func(partly bool) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.heal(q)
			o.listed(partly)
		},
		seen: func(t watch.EventType, one runtime.Object) {
			f.mu.Lock()
			defer f.mu.Unlock()
			o.seen(t, one)
		},
	}
}

func (f *Watcher) podStream(q query) *stream {
	there := map[string]bool{}
	return f.newStream(q, func() page { return &corev1.PodList{} }, objects{
		begin: func() { clear(there) },
		took: func(o runtime.Object) {
			p := o.(*corev1.Pod)
			there[string(p.UID)] = true
			f.tookPod(p)
		},
		listed: func(partly bool) {
			for uid, p := range f.pods {
				if !partly && !there[uid] && q.holds(p.pod) {
					f.lostPod(uid)
				}
			}
		},
		seen: func(t watch.EventType, o runtime.Object) {
			switch p, ok := o.(*corev1.Pod); {
			case !ok:
			case t == watch.Deleted:
				f.lostPod(string(p.UID))
			default:
				f.tookPod(p)
			}
		},
	})
}

// holds reports whether a pod of the scope is in the list of a query.
func (q query) holds(p *corev1.Pod) bool {
	selector, err := fields.ParseSelector(q.fields)
	return err == nil && (q.namespace == "" || q.namespace == p.Namespace) &&
		selector.Matches(fields.Set{"metadata.name": p.Name, "spec.nodeName": p.Spec.NodeName})
}

func (f *Watcher) eventStream(q query) *stream {
	var listed []*corev1.Event
	var began time.Time
	return f.newStream(q, func() page { return &corev1.EventList{} }, objects{
		begin: func() { listed, began = nil, f.o.Now() },
		took: func(o runtime.Object) {
			e := o.(*corev1.Event)
			listed = append(listed, &corev1.Event{ObjectMeta: metav1.ObjectMeta{CreationTimestamp: e.CreationTimestamp},
				LastTimestamp: e.LastTimestamp})
			if f.events[eventKey{e.Namespace, e.Name}] == nil {
				f.tookEvent(e)
			}
		},
		listed: func(partly bool) {
			if !q.ofNodes() {
				f.rejoin(listed, began, partly)
			}
			listed = nil
		},
		seen: func(t watch.EventType, o runtime.Object) {
			// A deleted event has merely expired: it happened all the same.
			if e, ok := o.(*corev1.Event); ok && t != watch.Deleted {
				f.tookEvent(e)
			}
		},
	})
}

// rejoin keeps the events' window correct after a list was read again: events written and expired in between were never
// seen. Callers hold mu.
func (f *Watcher) rejoin(listed []*corev1.Event, began time.Time, partly bool) {
	w := eventWindow(listed, began)
	have := f.piece.Window
	switch {
	case partly, w == nil:
		f.piece.Window, f.since = nil, began
	case have == nil:
		f.piece.Window = w
	case w.From.After(have.Until.Time):
		f.piece.Window = &apiobject.EventReach{From: w.From, Until: w.Until}
	}
}

// heal drops the gap of a list that failed at first. Callers hold mu.
func (f *Watcher) heal(q query) {
	start := fmt.Sprintf("list %s: ", (&kube.AccessError{Resource: q.resource.Resource, Namespace: q.namespace}).Object())
	f.gaps = slices.DeleteFunc(slices.Clone(f.gaps), func(g evidence.Gap) bool { return strings.HasPrefix(g.Why, start) })
}

// trouble passes on what interrupts streams: the first of several in alphabetical order, and nil when all continue.
func (f *Watcher) trouble(q query, err error) {
	f.troubles.Lock()
	defer f.troubles.Unlock()
	if err == nil && f.failing[q] == nil {
		return
	}
	f.failing[q] = err
	if err == nil {
		delete(f.failing, q)
	}
	var worst error
	for _, one := range f.failing {
		if worst == nil || one.Error() < worst.Error() {
			worst = one
		}
	}
	f.f.Trouble(worst)
}
