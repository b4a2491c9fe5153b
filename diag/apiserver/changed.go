package apiserver

import (
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/event"
)

// News is what happened since the previous return of Next.
type News struct {
	// Nodes are those on which a container ended or started, sorted: their logs have new lines.
	Nodes []string
}

// news collects what happened until it is requested.
type news struct {
	pods  map[PodRef]bool
	nodes map[string]bool
	// ends are the nodes on which a container ended or started.
	ends map[string]bool
	// urgent and other are when the first of each kind arrived; they only set the pace.
	urgent, other time.Time
}

// add merges in news that were returned already.
func (n *news) add(more *news) {
	for p := range more.pods {
		n.pods = with(n.pods, p)
	}
	for node := range more.nodes {
		n.nodes = with(n.nodes, node)
	}
}

// drop removes what has been processed.
func (n *news) drop(done *news) {
	for p := range done.pods {
		delete(n.pods, p)
	}
	for node := range done.nodes {
		delete(n.nodes, node)
	}
}

func with[K comparable](set map[K]bool, k K) map[K]bool {
	if set == nil {
		set = map[K]bool{}
	}
	set[k] = true
	return set
}

// tell records that a pod is news; ended says that one of its containers ended or started. Callers hold mu.
func (f *Watcher) tell(p *corev1.Pod, ended bool) {
	f.news.pods = with(f.news.pods, PodRef{p.Namespace, p.Name})
	if node := p.Spec.NodeName; ended && node != "" {
		f.news.nodes, f.news.ends = with(f.news.nodes, node), with(f.news.ends, node)
	}
	f.rouse(ended)
}

// rouse wakes Next. Callers hold mu.
func (f *Watcher) rouse(urgent bool) {
	first := &f.news.other
	if urgent {
		first = &f.news.urgent
	}
	if first.IsZero() {
		*first = clock.Now()
	}
	select {
	case f.wake <- struct{}{}:
	default: // a wake-up is pending already
	}
}

// Next waits for something that may belong in a report, and a little longer for what belongs to it. The wait counts
// from the first news: a pod that keeps changing delays nothing. The error is that of ctx.
func (f *Watcher) Next(ctx context.Context) (News, error) {
	for {
		f.mu.Lock()
		wait, some := f.wait()
		if some && wait <= 0 {
			c := News{Nodes: slices.Sorted(maps.Keys(f.news.ends))}
			f.due.add(&f.news)
			f.news = news{}
			f.mu.Unlock()
			return c, nil
		}
		f.mu.Unlock()
		if err := f.sleep(ctx, wait, some); err != nil {
			return News{}, err
		}
	}
}

// sleep waits for news, for at most a duration or without limit.
func (f *Watcher) sleep(ctx context.Context, at time.Duration, ends bool) error {
	var later <-chan time.Time
	if ends {
		t := time.NewTimer(at)
		defer t.Stop()
		later = t.C
	}
	select {
	case <-f.wake:
	case <-later:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// wait returns how much longer to wait before news is complete. Callers hold mu.
func (f *Watcher) wait() (left time.Duration, some bool) {
	n := &f.news
	urgent, other := clock.Until(n.urgent.Add(f.f.Settle)), clock.Until(n.other.Add(f.f.Quiet))
	switch {
	case n.urgent.IsZero() && n.other.IsZero():
		return 0, false
	case n.urgent.IsZero():
		return other, true
	case n.other.IsZero():
		return urgent, true
	}
	return min(urgent, other), true
}

// prints are fingerprints of a pod's status: of the part that changes when a container ends or starts, and of the rest
// that verdicts use.
type prints struct{ ends, rest uint64 }

// printsOf computes them from a redacted pod. What changes without any restart (the time of a condition's heartbeat, an
// address) is in neither.
func printsOf(seed maphash.Seed, p *corev1.Pod) prints {
	var ends, rest maphash.Hash
	ends.SetSeed(seed)
	rest.SetSeed(seed)
	for s := range apiobject.Statuses(&p.Status) {
		fmt.Fprintf(&ends, "%q %d %q", s.Name, s.RestartCount, s.ContainerID)
		for _, t := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
			if t != nil {
				fmt.Fprintf(&ends, "%q %d %d", t.ContainerID, t.ExitCode, t.FinishedAt.Unix())
			}
		}
		if w := s.State.Waiting; w != nil {
			fmt.Fprintf(&rest, "%q", w.Reason)
		}
		fmt.Fprintf(&rest, "%q %t", s.Name, s.Ready)
	}
	failed := p.Status.Phase == corev1.PodFailed
	fmt.Fprintf(&ends, "%t %q", failed, p.Status.Reason)
	fmt.Fprintf(&rest, "%q %q %t", p.Status.Phase, p.Spec.NodeName, p.DeletionTimestamp != nil)
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.DisruptionTarget || c.Type == corev1.PodReady {
			fmt.Fprintf(&rest, "%q %q %q", c.Type, c.Status, c.Reason)
		}
	}
	return prints{ends.Sum64(), rest.Sum64()}
}

// specPrint is a fingerprint that changes when the hashes of a pod's containers must be recomputed. It covers values
// that are not kept, and reveals nothing about them.
func specPrint(seed maphash.Seed, p *corev1.Pod, seen apiobject.ImagesSeen) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	spec, err := p.Spec.Marshal()
	if err != nil {
		return 0
	}
	_, _ = h.Write(spec) // it cannot fail
	fmt.Fprintf(&h, "%q", p.Annotations[corev1.LastAppliedConfigAnnotation])
	for s := range apiobject.Statuses(&p.Status) {
		fmt.Fprintf(&h, "%q", s.Image)
	}
	for c := range apiobject.Containers(&p.Spec) {
		fmt.Fprintf(&h, "%q", seen[apiobject.ContainerKey{Namespace: p.Namespace, Pod: p.Name, Container: c.Name}])
	}
	return h.Sum64()
}

// telling reports whether an event says something about an end and is not routine: it leaves out what no rule uses,
// pulled images, back-offs and failed readiness probes. They are kept nevertheless.
func telling(e *corev1.Event) bool {
	switch fact := event.FactOf(e).(type) {
	case evidence.APIEvent, evidence.ImageSeen, evidence.BackedOff:
		return false
	case evidence.ProbeFailed:
		return fact.Probe != evidence.ProbeReadiness
	}
	return true
}
