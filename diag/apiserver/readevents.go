package apiserver

import (
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// eventQuery is one list of events.
type eventQuery struct{ namespace, kind, name string }

// selector has a fixed order of terms: a fields.Set would shuffle them.
func (q eventQuery) selector() string {
	var terms []fields.Selector
	if q.kind != "" {
		terms = append(terms, fields.OneTermEqualSelector("involvedObject.kind", q.kind))
	}
	if q.name != "" {
		terms = append(terms, fields.OneTermEqualSelector("involvedObject.name", q.name))
	}
	return fields.AndSelectors(terms...).String()
}

// eventQueries returns the lists that hold the events of the pods in a scope: one for each pod if it names at most so
// many, else one for each namespace.
func (s *Scope) eventQueries(most int) []eventQuery {
	switch {
	case s.whole():
		return []eventQuery{{}} // pods and nodes in one list
	case len(s.Names) == 0:
		return []eventQuery{{s.Namespace, "Pod", ""}}
	}
	queries := make([]eventQuery, 0, len(s.Names))
	for _, ref := range s.Names {
		q := eventQuery{ref.Namespace, "Pod", ""}
		if len(s.Names) <= most {
			q.name = ref.Name
		}
		queries = append(queries, q)
	}
	slices.SortFunc(queries, func(a, b eventQuery) int {
		return strings.Compare(a.namespace+"/"+a.name, b.namespace+"/"+b.name)
	})
	return slices.Compact(queries)
}

// nodeQueries returns the lists that hold the events of nodes. Kubelets write them into namespace default.
func nodeQueries(names []string) []eventQuery {
	if len(names) > eachAtMost {
		return []eventQuery{{"default", "Node", ""}}
	}
	queries := make([]eventQuery, 0, len(names))
	for _, n := range names {
		queries = append(queries, eventQuery{"default", "Node", n})
	}
	return queries
}

// podEvents reads the events of the pods in scope. They are selected by name and not by UID: the kubelet reports
// orphans and static pods under UIDs that the API's pod does not have.
func (r *run) podEvents(ctx context.Context) {
	if slices.Contains(r.o.Denied, "events") {
		return
	}
	until := r.o.Now()
	complete := r.listEvents(ctx, r.scope.eventQueries(eachAtMost),
		"without events, the kubelet's reasons for killing containers and its failed probes are unknown")
	r.mu.Lock()
	defer r.mu.Unlock()
	if complete {
		r.piece.Window = eventWindow(r.piece.Events, until)
	}
	for _, e := range r.piece.Events {
		r.seen.Add(e.InvolvedObject.Namespace, e.InvolvedObject.Name, kubeletmsg.ContainerOf(e.InvolvedObject.FieldPath),
			kubeletmsg.ParseImage(event.PlainMessage(e)), "an event")
	}
}

// listEvents runs the queries and keeps the events of pods and nodes. It reports whether all of them were read to the
// end.
func (r *run) listEvents(ctx context.Context, queries []eventQuery, consequence string) bool {
	complete := true
	each(queries, func(q eventQuery) {
		version, err := pages(ctx, metav1.ListOptions{FieldSelector: q.selector(), Limit: r.o.PageSize},
			list[corev1.EventList](r.client, kube.Events, q.namespace), r.takeEvents)
		if err == nil {
			r.reached(query{kube.Events, q.namespace, "", q.selector()}, version)
			return
		}
		r.missing((&kube.AccessError{Verb: "list", Resource: "events", Namespace: q.namespace}).Because(ctx, err),
			consequence)
		r.mu.Lock()
		defer r.mu.Unlock()
		complete = false
	})
	return complete
}

func (r *run) takeEvents(l *corev1.EventList) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range l.Items {
		e := &l.Items[i]
		if !r.budget.spend(e.Size()) {
			return errBudget{r.o.MaxBytes}
		}
		if kind := e.InvolvedObject.Kind; kind == "Pod" || kind == "Node" {
			r.piece.Events = append(r.piece.Events, redact.Event(e))
		}
	}
	return nil
}

// eventWindow infers the window from complete lists. The oldest event still there shows that nothing written after it
// has expired yet; for a list without events, the time to live is unknown. The limit of one hour bounds the effect of a
// node with a wrong clock.
func eventWindow(events []*corev1.Event, until time.Time) *apiobject.EventReach {
	var oldest time.Time
	for _, e := range events {
		written := e.CreationTimestamp.Time
		if last := event.LastTime(e); last.After(written) {
			written = last
		}
		if !written.IsZero() && (oldest.IsZero() || written.Before(oldest)) {
			oldest = written
		}
	}
	// Whole seconds, rounded inwards: the precision of the file.
	until = until.UTC().Truncate(time.Second)
	oldest = oldest.UTC().Add(time.Second - 1).Truncate(time.Second)
	if oldest.Unix() <= 0 || oldest.After(until) {
		return nil
	}
	if earliest := until.Add(-eventsLive); oldest.Before(earliest) {
		oldest = earliest
	}
	return &apiobject.EventReach{From: metav1.Time{Time: oldest}, Until: metav1.Time{Time: until}}
}

// sift drops events of pods and nodes out of scope, which a broader list returned.
func (r *run) sift(nodes []string) {
	if r.scope.whole() {
		return
	}
	named := map[string]bool{}
	for _, ref := range r.scope.Names {
		named[ref.Namespace+"/"+ref.Name] = true
	}
	for _, p := range r.piece.Pods {
		named[p.Namespace+"/"+p.Name] = true
	}
	r.piece.Events = slices.DeleteFunc(r.piece.Events, func(e *corev1.Event) bool {
		o := &e.InvolvedObject
		switch {
		case o.Kind == "Node":
			return !slices.Contains(nodes, o.Name)
		case !r.scope.picks() || named[o.Namespace+"/"+o.Name]:
			return false
		}
		// A pod that is gone from a node that was named.
		return len(r.scope.Nodes) == 0 || !slices.Contains(r.scope.Nodes, event.HostOf(e))
	})
}
