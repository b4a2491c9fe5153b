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

// News is what happened since Next returned before.
type News struct {
	// Nodes are those on which a container ended or started, sorted: their logs have
	// more to tell.
	Nodes []string
}

// news gathers what happened until someone asks.
type news struct {
	pods  map[PodRef]bool
	nodes map[string]bool
	// ends are the nodes on which a container ended or started.
	ends map[string]bool
	// urgent and other are when the first of each kind came in, for the pace alone.
	urgent, other time.Time
}

func (n *news) any() bool { return len(n.pods)+len(n.nodes) > 0 }

func (n *news) clone() news {
	return news{pods: maps.Clone(n.pods), nodes: maps.Clone(n.nodes)}
}

// add takes in what someone was told.
func (n *news) add(more *news) {
	for p := range more.pods {
		n.pods = with(n.pods, p)
	}
	for node := range more.nodes {
		n.nodes = with(n.nodes, node)
	}
}

// drop takes out what has been dealt with.
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

// tell notes that a pod is news; ended says that a container of it ended or started.
// Callers hold mu.
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
	default: // it will look anyway
	}
}

// Next waits for something that a report may tell of, and a little longer for what
// belongs to it. The time of the first news counts: a pod that keeps changing puts
// nothing off. The error is that of ctx.
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

// sleep waits for news, for a while or without end.
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

// wait is how long what came in has to settle still. Callers hold mu.
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

// prints are short forms of a pod's status: of what an end or a start of a
// container changes, and of the rest that verdicts read.
type prints struct{ ends, rest uint64 }

// printsOf makes them of a redacted pod. What changes without any restart (the time
// of a condition's heartbeat, an address) is in neither.
func printsOf(seed maphash.Seed, p *corev1.Pod) prints {
	var ends, rest maphash.Hash
	ends.SetSeed(seed)
	rest.SetSeed(seed)
	apiobject.EachStatus(&p.Status, func(s *corev1.ContainerStatus) {
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
	})
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

// specPrint tells whether the hashes of a pod's containers must be computed again. It
// covers values that are not kept, and nothing can be read from it.
func specPrint(seed maphash.Seed, p *corev1.Pod, seen apiobject.ImagesSeen) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	spec, err := p.Spec.Marshal()
	if err != nil {
		return 0
	}
	_, _ = h.Write(spec) // it cannot fail
	fmt.Fprintf(&h, "%q", p.Annotations[corev1.LastAppliedConfigAnnotation])
	apiobject.EachStatus(&p.Status, func(s *corev1.ContainerStatus) { fmt.Fprintf(&h, "%q", s.Image) })
	apiobject.EachContainer(&p.Spec, func(c *corev1.Container, _ evidence.ContainerKind) {
		fmt.Fprintf(&h, "%q", seen[apiobject.ContainerKey{Namespace: p.Namespace, Pod: p.Name, Container: c.Name}])
	})
	return h.Sum64()
}

// telling leaves out the events that say nothing about an end, or say it all the
// time: what no rule reads, pulled images, back-offs and failed readiness probes.
// They are kept all the same.
func telling(e *corev1.Event) bool {
	switch fact := event.FactOf(e).(type) {
	case evidence.APIEvent, evidence.ImageSeen, evidence.BackedOff:
		return false
	case evidence.ProbeFailed:
		return fact.Probe != evidence.ProbeReadiness
	}
	return true
}
