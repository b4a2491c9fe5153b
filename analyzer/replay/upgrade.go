package replay

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Index finds the runtime's records of each pod of a snapshot, for callers that decide about many pods.
type Index struct {
	s       *evidence.Snapshot
	records map[string][]*evidence.Observation
}

// NewIndex reads the snapshot once. The snapshot must not change while the index is used.
func NewIndex(s *evidence.Snapshot) *Index {
	ix := &Index{s: s, records: map[string][]*evidence.Observation{}}
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Source.Kind == evidence.SourceCRI && o.Subject.PodUID != "" {
			ix.records[o.Subject.PodUID] = append(ix.records[o.Subject.PodUID], o)
		}
	}
	return ix
}

// Exchange is a kubelet that replaces another one, or itself, while the containers keep running.
type Exchange struct {
	From, To kubelet.Profile
}

// NewExchange returns the change between two versions; an error is kubelet.ErrVersionNotModelled.
func NewExchange(from, to kubelet.Version) (Exchange, error) {
	var c Exchange
	var err error
	if c.From, err = kubelet.ProfileFor(from); err == nil {
		c.To, err = kubelet.ProfileFor(to)
	}
	return c, err
}

// Hash is the stored hash of one container that has a record, and the one that the new kubelet computes.
type Hash struct {
	Container string
	// Stored is valid if StoredKnown; Read says that it is the runtime's own annotation rather than Old, which the old
	// kubelet computes from the present spec.
	Stored, Old, Expected                uint64
	StoredKnown, OldKnown, ExpectedKnown bool
	Read                                 bool
	// Unreadable is the content of an annotation that is not a hexadecimal number.
	Unreadable string
}

// Takeover is the decision of the new kubelet about one pod, once its probes have passed again.
type Takeover struct {
	Actions decide.Actions
	// Hashes are in the order of the status' containers.
	Hashes []Hash
	// SandboxRead: the runtime's sandboxes are known; else one ready sandbox is assumed. Placed is what is assumed
	// about the containers' sandboxes if the new kubelet depends on them, else empty.
	SandboxRead bool
	Placed      string
	state       *state
	options     decide.Options
}

// Trace decides again with a trace.
func (o *Takeover) Trace() decide.Trace {
	options := o.options
	options.Trace = true
	_, trace := o.state.Decide(options)
	return trace
}

// Upgrade returns the new kubelet's decision about a pod as the old one left it: every container as it runs now, probes
// that pass, the stored hash from the runtime, or else as the old kubelet computes it from the present spec. The
// change's other effects are given as hypotheses. An error means that the pod's object was not read.
func (ix *Index) Upgrade(p *evidence.Pod, c *Exchange, with ...sim.Hypothesis) (*Takeover, error) {
	if p.Object == nil {
		return nil, fmt.Errorf("replay pod %s/%s: %w", p.Namespace, p.Name, errNoObject)
	}
	records := ix.records[p.RuntimeUID()]
	st := stateOf(p, p.Object.Whole(), ix.s.CollectedAt, records)
	st.Profile = c.To
	o := &Takeover{state: st, SandboxRead: slices.ContainsFunc(records, func(o *evidence.Observation) bool {
		_, ok := o.Fact.(evidence.SandboxRecord)
		return ok
	})}
	st.Status.Before.Readmitted = true
	for _, one := range sim.Containers(&st.Pod.Spec) {
		// A resize in progress is not caused by the new kubelet.
		st.Status.Resources[one.Name] = one.Resources
	}
	for _, h := range with {
		h.Apply(&st.PodState, sim.Argument{})
	}
	o.Placed = st.sandboxAssumed(c.To)
	old, expected := expectedHash(p, c.From), expectedHash(p, c.To)
	o.Hashes = make([]Hash, 0, len(st.Status.Containers))
	for i := range st.Status.Containers {
		r := &st.Status.Containers[i]
		spec := sim.Container(&st.Pod.Spec, r.Name)
		if spec == nil {
			continue
		}
		h := Hash{Container: r.Name, Stored: r.Hash, StoredKnown: r.Hash != 0, Read: r.Hash != 0}
		h.Old, h.OldKnown = old(spec)
		h.Expected, h.ExpectedKnown = expected(spec)
		if !h.Read {
			h.Stored, h.StoredKnown = h.Old, h.OldKnown
			h.Unreadable = st.read[r.ID].unreadable
		}
		if !h.StoredKnown {
			// It is unknown: do not invent a difference.
			h.Stored = h.Expected
		}
		r.Hash = h.Stored
		o.Hashes = append(o.Hashes, h)
	}
	st.Status.Before = decide.DeriveBefore(c.To, st.Pod, &st.Status, st.Now, st.Node, st.Status.Before)
	o.options.ExpectedHash = func(c *corev1.Container) (uint64, bool) {
		for i := range o.Hashes {
			if h := &o.Hashes[i]; h.Container == c.Name {
				return h.Expected, h.ExpectedKnown
			}
		}
		return 0, false
	}
	// Only gates of 1.27–1.30 that are off by default use the second hash.
	o.Actions, _ = st.Decide(o.options)
	return o, nil
}

// Running reports whether a container runs according to the status; known is false if that does not mention it.
func (o *Takeover) Running(container string) (running, known bool) {
	for i := range o.state.Status.Containers {
		if r := &o.state.Status.Containers[i]; r.Name == container {
			return r.State == decide.StateRunning, true
		}
	}
	return false, false
}
