package apiserver

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletmsg"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
)

// FollowOptions configure a Watcher. Zero values mean the defaults.
type FollowOptions struct {
	// Settle is how long after a container's end or start Next returns, so that its events and the kubelet's last lines
	// have arrived; 1.5 s.
	Settle time.Duration
	// Quiet is the same for less important news, such as a late event; 10 s.
	Quiet time.Duration
	// Backoff is the first pause after a failure; 500 ms.
	Backoff time.Duration
	// Trouble is called with what interrupts the watch, and with nil once it continues. Calls come from several
	// goroutines, one at a time.
	Trouble func(error)
}

// Watcher keeps what a Source has read up to date: it watches pods and events from where the lists ended. Like a Source
// it keeps only redacted data. It is a source itself: Collect returns what is known now. It does not check whether pods
// still fit their nodes: the data for that is not kept.
type Watcher struct {
	*Source
	f    FollowOptions
	seed maphash.Seed
	wake chan struct{}

	mu     sync.Mutex
	pods   map[string]*followed // by UID
	events map[eventKey]*corev1.Event
	piece  apiobject.Piece // everything but pods and events
	seen   apiobject.ImagesSeen
	asked  map[apiobject.OwnerKey]bool
	gaps   []evidence.Gap
	// versions are where the streams begin, and since is when the first list was read.
	versions map[query]string
	since    time.Time
	// news is what Next has not returned yet; due is what it returned but Collect has not read yet.
	news, due news
	nodes     []string

	nodeEventsRefused atomic.Bool

	troubles sync.Mutex
	failing  map[query]error
}

// followed is a pod with the fingerprints of its states, which decide whether it is news.
type followed struct {
	pod *corev1.Pod
	prints
	spec uint64
}

type eventKey struct{ namespace, name string }

// Follow returns a watcher that continues from where the source has read to. It is called after Collect.
func (s *Source) Follow(o FollowOptions) *Watcher {
	if o.Settle <= 0 {
		o.Settle = 1500 * time.Millisecond
	}
	if o.Quiet <= 0 {
		o.Quiet = 10 * time.Second
	}
	if o.Backoff <= 0 {
		o.Backoff = 500 * time.Millisecond
	}
	if o.Trouble == nil {
		o.Trouble = func(error) {}
	}
	f := &Watcher{
		Source: s, f: o, seed: maphash.MakeSeed(), wake: make(chan struct{}, 1),
		pods: map[string]*followed{}, events: map[eventKey]*corev1.Event{}, seen: apiobject.ImagesSeen{},
		asked:    map[apiobject.OwnerKey]bool{},
		versions: map[query]string{}, since: s.o.Now(), failing: map[query]error{},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f.nodes = s.nodes
	r := s.last
	s.last = nil // it holds more than is needed
	if r != nil {
		for _, p := range r.piece.Pods {
			f.pods[string(p.UID)] = &followed{pod: p, prints: printsOf(f.seed, p)}
		}
		for _, e := range r.piece.Events {
			f.events[eventKey{e.Namespace, e.Name}] = e
		}
		f.piece = apiobject.Piece{
			Nodes:  r.piece.Nodes,
			Hashes: maps.Clone(r.piece.Hashes), // the caller may still use that piece
			Owners: maps.Clone(r.piece.Owners),
			Window: r.piece.Window,
		}
		f.seen, f.asked, f.gaps, f.versions, f.since = r.seen, r.asked, r.gaps, r.versions, r.began
	}
	return f
}

// Err is nil: what could not be read at first was reported then.
func (f *Watcher) Err() error { return nil }

// Nodes returns the nodes of the pods that are known now, and those named in the scope.
func (f *Watcher) Nodes() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.nodes)
}

// Collect returns what is known now. For pods with news it lists the events again, because a list is complete and a
// watch may lag; it reads their nodes again, too.
func (f *Watcher) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, f.o.Timeout)
	defer cancel()
	f.mu.Lock()
	due := news{pods: maps.Clone(f.due.pods), nodes: maps.Clone(f.due.nodes)}
	f.mu.Unlock()
	r := newRun(f.Source)
	complete := len(due.pods)+len(due.nodes) > 0 && f.readEvents(ctx, r, &due)

	f.mu.Lock()
	if complete {
		f.due.drop(&due)
		f.cover(r.began)
	}
	for _, e := range r.piece.Events {
		f.keepEvent(e)
	}
	f.copyInto(r)
	f.mu.Unlock()

	nodes := r.nodeNames()
	f.readNodes(ctx, r, nodes, &due)
	r.readOwners(ctx)
	f.mu.Lock()
	f.nodes, f.piece.Nodes, f.piece.Owners, f.asked = nodes, slices.Clone(r.piece.Nodes),
		maps.Clone(r.piece.Owners), r.asked
	f.forget()
	f.mu.Unlock()
	r.sift(nodes)
	r.piece.Sort()
	return []evidence.RawEvidence{r.piece}, r.gaps
}

// forget drops controllers that no longer have a pod. Callers hold mu.
func (f *Watcher) forget() {
	had := map[apiobject.OwnerKey]bool{}
	for _, p := range f.pods {
		if c := metav1.GetControllerOfNoCopy(p.pod); c != nil {
			had[apiobject.OwnerKey{Namespace: p.pod.Namespace, Kind: c.Kind, Name: c.Name}] = true
		}
	}
	maps.DeleteFunc(f.piece.Owners, func(k apiobject.OwnerKey, _ *metav1.PartialObjectMetadata) bool { return !had[k] })
	maps.DeleteFunc(f.asked, func(k apiobject.OwnerKey, _ bool) bool { return !had[k] })
}

// copyInto copies what is known. Objects are replaced and never changed, so they can be shared. Callers hold mu.
func (f *Watcher) copyInto(r *run) {
	r.piece = &apiobject.Piece{
		Nodes:  slices.Clone(f.piece.Nodes),
		Hashes: make(map[string][]apiobject.ContainerHashes, len(f.piece.Hashes)),
		Owners: maps.Clone(f.piece.Owners),
	}
	for uid, of := range f.piece.Hashes {
		// AddHashes may append to them: not here, and not to the next copy.
		own := slices.Clone(of)
		for i := range own {
			own[i].Hashes = slices.Clip(own[i].Hashes)
		}
		r.piece.Hashes[uid] = own
	}
	if f.piece.Window != nil {
		r.piece.Window = new(*f.piece.Window)
	}
	for _, p := range f.pods {
		r.piece.Pods = append(r.piece.Pods, p.pod)
	}
	for _, e := range f.events {
		r.piece.Events = append(r.piece.Events, e)
	}
	r.asked = maps.Clone(f.asked)
	r.gaps = append(slices.Clone(f.gaps), r.gaps...)
}

// readEvents lists the events of pods with news, and of their nodes.
func (f *Watcher) readEvents(ctx context.Context, r *run, due *news) bool {
	if slices.Contains(f.o.Denied, "events") {
		return false
	}
	var queries []eventQuery
	switch {
	case len(due.pods) <= eachAtMost:
		for p := range due.pods {
			queries = append(queries, eventQuery{p.Namespace, "Pod", p.Name})
		}
	case f.scope.whole():
		queries = []eventQuery{{}}
	default:
		queries = []eventQuery{{f.scope.Namespace, "Pod", ""}}
	}
	var done sync.WaitGroup
	done.Go(func() { f.readNodeEvents(ctx, r, due) })
	complete := r.listEvents(ctx, queries, "what was written about the newest restarts may be missing")
	done.Wait()
	return complete
}

// readNodeEvents lists the events of nodes with news, unless all events were just read or that is forbidden. As in a
// Source, they are not claimed to be complete.
func (f *Watcher) readNodeEvents(ctx context.Context, r *run, due *news) {
	if f.nodeEventsRefused.Load() || f.scope.whole() && len(due.pods) > eachAtMost {
		return
	}
	r.listEvents(ctx, nodeQueries(slices.Sorted(maps.Keys(due.nodes))), withoutNodeEvents)
}

// readNodes reads the nodes with news, and unknown ones.
func (f *Watcher) readNodes(ctx context.Context, r *run, names []string, due *news) {
	if slices.Contains(f.o.Denied, "nodes") && len(f.scope.Nodes) == 0 {
		return
	}
	known := map[string]bool{}
	for _, n := range r.piece.Nodes {
		known[n.Name] = true
	}
	var stale []string
	for _, n := range names {
		if due.nodes[n] || !known[n] {
			stale = append(stale, n)
		}
	}
	if len(stale) > eachAtMost {
		r.listNodes(ctx, r.nodeList(), r.among(names))
		return
	}
	each(stale, func(n string) { r.getNode(ctx, n) })
}

// cover marks the events as complete up to a time: those of every pod that changed since were listed after it. Callers
// hold mu.
func (f *Watcher) cover(until time.Time) {
	at := metav1.Time{Time: until.UTC().Truncate(time.Second)}
	w := apiobject.EventReach{From: metav1.Time{Time: f.since.UTC().Add(time.Second - 1).Truncate(time.Second)}, Until: at}
	if f.piece.Window != nil {
		w.From = f.piece.Window.From
	}
	if w.From.Before(&at) {
		f.piece.Window = &w
	}
}

// keepEvent keeps an event, even beyond the hour for which the API server has it. Callers hold mu.
func (f *Watcher) keepEvent(e *corev1.Event) {
	f.events[eventKey{e.Namespace, e.Name}] = e
	f.seen.Add(e.InvolvedObject.Namespace, e.InvolvedObject.Name, kubeletmsg.ContainerOf(e.InvolvedObject.FieldPath),
		kubeletmsg.ParseImage(event.PlainMessage(e)), "an event")
	if len(f.events) <= maxEvents {
		return
	}
	oldest := slices.SortedFunc(maps.Values(f.events), func(a, b *corev1.Event) int {
		return event.LastTime(a).Compare(event.LastTime(b))
	})[:maxEvents/10]
	for _, e := range oldest {
		delete(f.events, eventKey{e.Namespace, e.Name})
	}
	if w := f.piece.Window; w != nil {
		// For the time of dropped events, absence no longer means anything.
		if last := event.LastTime(oldest[len(oldest)-1]); last.After(w.From.Time) {
			f.piece.Window = &apiobject.EventReach{From: metav1.Time{Time: last.Add(time.Second)}, Until: w.Until}
		}
	}
}

// maxEvents is how many events are kept while watching.
const maxEvents = 100_000

// tookPod takes over a pod's current state. Callers hold mu.
func (f *Watcher) tookPod(p *corev1.Pod) {
	if p.UID == "" || !f.inScope(p) {
		return
	}
	uid := string(p.UID)
	now := &followed{pod: redact.Pod(p), spec: specPrint(f.seed, p, f.seen)}
	now.prints = printsOf(f.seed, now.pod)
	old := f.pods[uid]
	if old == nil || old.spec != now.spec {
		f.piece.PutHashes(uid, apiobject.HashPod(p, f.seen, nil, f.hash))
	}
	f.pods[uid] = now
	switch {
	case old == nil && hasEnded(now.pod), old != nil && old.ends != now.ends:
		f.tell(now.pod, true)
	case old == nil, old.rest != now.rest:
		f.tell(now.pod, false)
	}
}

// lostPod drops a pod that is gone. Callers hold mu.
func (f *Watcher) lostPod(uid string) {
	if old := f.pods[uid]; old != nil {
		delete(f.pods, uid)
		delete(f.piece.Hashes, uid)
		for c := range apiobject.Containers(&old.pod.Spec) {
			delete(f.seen, apiobject.ContainerKey{Namespace: old.pod.Namespace, Pod: old.pod.Name, Container: c.Name})
		}
		f.tell(old.pod, false)
	}
}

// tookEvent takes over an event. Callers hold mu.
func (f *Watcher) tookEvent(e *corev1.Event) {
	o := &e.InvolvedObject
	if o.Kind != "Pod" && o.Kind != "Node" {
		return
	}
	kept := redact.Event(e)
	f.keepEvent(kept)
	if !telling(kept) {
		return
	}
	switch {
	case o.Kind == "Node" && (f.scope.whole() || slices.Contains(f.nodes, o.Name)):
		f.news.nodes = with(f.news.nodes, o.Name)
		f.rouse(false)
	case o.Kind == "Pod" && (!f.scope.picks() || f.named(o.Namespace, o.Name)):
		f.news.pods = with(f.news.pods, PodRef{o.Namespace, o.Name})
		f.rouse(false)
	}
}

func (f *Watcher) named(namespace, name string) bool {
	for _, p := range f.pods {
		if p.pod.Name == name && p.pod.Namespace == namespace {
			return true
		}
	}
	return false
}

// inScope filters pods of a stream that is broader than the scope.
func (f *Watcher) inScope(p *corev1.Pod) bool {
	switch {
	case len(f.scope.Names) > 0:
		return slices.Contains(f.scope.Names, PodRef{p.Namespace, p.Name})
	case len(f.scope.Nodes) > 0:
		return slices.Contains(f.scope.Nodes, p.Spec.NodeName)
	}
	return true
}
