package probevector

import (
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/worker"
)

// Pod is a pod that is registered at its first tenth of a second: its workers, and, where Cancel is not 0, when after
// that its termination begins (milliseconds).
type Pod struct {
	Containers []Container `json:"c"`
	Have       []Worker    `json:"have,omitempty"`
	Cancel     int64       `json:"cancel,omitempty"`
}

// Container is one container that has run since time zero, with exec probes of these kinds, each every second.
type Container struct {
	Name    string       `json:"n"`
	Kinds   []probe.Kind `json:"k,omitempty"`
	Sidecar bool         `json:"s,omitempty"`
}

// Worker is one of the pod's workers.
type Worker struct {
	Container string     `json:"n"`
	Kind      probe.Kind `json:"k"`
}

// Registered is what happened to it: the workers that were added, sorted, and, by the millisecond, whether a run found
// its context cancelled.
type Registered struct {
	Added     []string        `json:"a,omitempty"`
	Cancelled map[string]bool `json:"x,omitempty"`
}

// registered is when the pod is registered, from the epoch; afterCancel is how long it is observed afterwards.
const (
	registered  = 100
	afterCancel = 3000
)

// Register registers the pod under our rules for the given version.
func (p Pod) Register(version string) (Registered, error) {
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		return Registered{}, fmt.Errorf("read vector: %w", err)
	}
	rules, err := worker.RulesFor(v)
	if err != nil {
		return Registered{}, fmt.Errorf("read vector: %w", err)
	}
	var pod []worker.Probed
	for _, sidecars := range []bool{false, true} {
		for _, c := range p.Containers {
			if c.Sidecar == sidecars && (!sidecars || rules.Sidecars) {
				pod = append(pod, worker.Probed{Name: c.Name, Kinds: c.Kinds})
			}
		}
	}
	var have []worker.Key
	for _, w := range p.Have {
		have = append(have, worker.Key{Container: w.Container, Kind: w.Kind})
	}
	var r Registered
	added := worker.Added(rules, pod, have)
	for _, key := range added {
		r.Added = append(r.Added, fmt.Sprintf("%s/%d", key.Container, key.Kind))
	}
	slices.Sort(r.Added)
	if p.Cancel == 0 {
		return r, nil
	}
	for _, key := range added {
		if err := p.run(rules, key, &r); err != nil {
			return Registered{}, err
		}
	}
	return r, nil
}

// run plays one worker that was added, until the end.
func (p Pod) run(rules worker.Rules, key worker.Key, r *Registered) error {
	view := worker.PodView{ContainerID: key.Container, Running: true, Started: true, StartedAt: epoch}
	going := view
	// The pod's object says nothing about its end here, so that liveness continues: only the context is cancelled.
	going.Deleted = true
	if key.Kind != probe.Readiness {
		rules.DeletionEnds = false
	}
	events, err := worker.Simulate(worker.Scenario{
		Rules: rules,
		Spec: probe.Spec{Kind: key.Kind, Handler: "exec", Period: 1,
			Timeout: 1, FailureThreshold: 1, SuccessThreshold: 1},
		KubeletStarted: epoch.Add(-time.Hour), AddedAt: moment(registered),
		Until:   moment(registered + p.Cancel + afterCancel),
		Changes: []worker.StatusChange{{At: epoch, View: view}, {At: moment(registered + p.Cancel), View: going}},
	})
	if err != nil {
		return err
	}
	for _, e := range events {
		if !e.Ran {
			continue
		}
		if r.Cancelled == nil {
			r.Cancelled = map[string]bool{}
		}
		r.Cancelled[fmt.Sprint(e.Began.Sub(epoch).Milliseconds())] = e.Outcome == worker.Errored
	}
	return nil
}
