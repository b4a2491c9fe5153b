package timeline

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// PodStory is what is known of one pod as a whole.
type PodStory struct {
	UID    string        // in the API; else as log lines have it
	Given  *evidence.Pod // nil when the API did not give it
	Number int           // in the order in which pods were first seen
	Alone  bool          // the API has it, and no other pod of its name
	Marks  []Occurrence  // the observations about the pod or its sandboxes, by time
	Kinds  FactMask      // the kinds of facts in Marks
	Ends   []Occurrence
	Origin ConfigSources
	Lives  []Lineage
	Inits  []Lineage // of Lives, those of ordinary init containers
}

// ConfigSources are the config sources that a pod comes from according to the evidence, under one UID.
type ConfigSources struct {
	File bool // a file or URL of the kubelet: a static pod
	API  bool // also reported for a static pod's mirror
	// Evidence are the observations behind File. It is shared and must not be changed.
	Evidence []string
}

// Origin returns where the pod comes from; zero where no evidence says so.
func (r *Restart) Origin() ConfigSources {
	if r.Story == nil {
		return ConfigSources{}
	}
	return r.Story.Origin
}

// Manifests returns the manifests of static pods of this name, by time.
func (t *History) Manifests(namespace, name string) []Occurrence {
	return t.ManifestsOf[PodName{namespace, name}]
}

// Config returns the changes of the config sources under a pod's name in [from, until], by time, including those of
// earlier and later pods with that name.
func (t *History) Config(namespace, name string, from, until time.Time) []Occurrence {
	return Within(t.Configured[PodName{namespace, name}], from, until.Add(1))
}

// NewInFiles returns the first pod of another name that a kubelet's files had for the first time in [from, until], and
// kept, as far as its log shows. Where it lists several at once, it has just started. only: no third pod went then.
func (t *History) NewInFiles(node string, other PodName, from, until time.Time) (
	name PodName, added *Occurrence, only bool) {
	only = true
	for n, all := range t.Configured {
		m, near := &all[0], Within(all, from, until.Add(1))
		c := m.Obs.Fact.(evidence.PodConfig) // no other facts are among them
		switch {
		case n == other, c.Origin != "file", cmp.Or(m.Obs.Subject.Node, m.Obs.Source.Node) != node, len(near) == 0:
		case slices.ContainsFunc(near, func(m Occurrence) bool { return m.Obs.Fact.(evidence.PodConfig).Op == "REMOVE" }):
			only = false
		case near[0].Obs != m.Obs, c.Op != "ADD", c.Others > 0:
		case added == nil || cmp.Or(m.At.Compare(added.At), cmp.Compare(n.Pod, name.Pod),
			cmp.Compare(n.Namespace, name.Namespace)) < 0:
			name, added = n, m
		}
	}
	return name, added, only
}

// Teardowns returns why a kubelet tore a pod down in [from, until], by time.
func (t *History) Teardowns(uid string, from, until time.Time) []Occurrence {
	return Within(t.TakenDown[uid], from, until.Add(1))
}

// Successor is what replaced a dead instance: the same container of the same static pod, under another UID.
type Successor struct {
	PodUID   string        // as kubelet and runtime know it
	Pod      *evidence.Pod // nil when the API did not give it
	Instance *Instance     // nil when no evidence has one yet
	Added    time.Time     // when the kubelet added its file, if its log has that; set if nothing else is known
}

// ComputedUID reports whether a UID is one that kubelets compute for static pods: 32 hex digits (kubelet v1.5–v1.36
// config/common.go applyDefaults). The API server's have dashes, as a UID in a manifest usually has.
func ComputedUID(uid string) bool {
	if len(uid) != 32 {
		return false
	}
	for _, c := range uid {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Came returns when the pod under the other UID appeared.
func (s *Successor) Came() time.Time {
	if s.Pod != nil && !s.Pod.CreatedAt.IsZero() {
		return s.Pod.CreatedAt
	}
	return s.Added
}

// Offer keeps the instance that began first.
func (s *Successor) Offer(in *Instance) {
	if s.Instance == nil || in.Begin().Before(s.Instance.Begin()) {
		s.Instance = in
	}
}

// Offer keeps the successor whose instance began first.
func (r *Restart) Offer(s *Successor) {
	if s.Instance == nil {
		return
	}
	if have := r.Successor; have == nil || s.Instance.Begin().Before(have.Instance.Begin()) {
		r.Successor = s
	}
}

// RanBehind reports whether the restart is a run of an init container next to a running app container, and the run
// before it is unknown.
func (r *Restart) RanBehind() bool {
	return r.ContainerKind == evidence.KindInit && r.To != nil && r.Story != nil &&
		r.From.ID == "" && !r.From.Exited() && slices.ContainsFunc(r.Story.Lives, func(o Lineage) bool {
		return o.Container == r.Container && len(o.Instances) == 2 && o.Instances[1] == r.To
	})
}

// BesideRunning reports whether From is a known run of an init container next to a running app container: it had
// succeeded before.
func (r *Restart) BesideRunning() bool {
	return r.ContainerKind == evidence.KindInit && r.Story != nil &&
		RanAt(r.Story.Lives, cmp.Or(r.From.Started, r.From.Finished))
}

// RanAt reports whether an app container of the pod ran at the time and still runs. Sidecars do not count: they run
// from their turn in the init phase on.
func RanAt(lives []Lineage, at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(lives, func(o Lineage) bool {
		n := len(o.Instances) - 1
		return n >= 0 && o.Kind == evidence.KindApp && o.Instances[n].State == evidence.StateRunning &&
			!o.Instances[n].Exited() && !o.Instances[n].Started.IsZero() && at.Sub(o.Instances[n].Started) > tolerance.Slack
	})
}

// Lone reports whether no other container of the pod is known to have existed at this restart's end or later: one that
// ended before is an init container.
func (r *Restart) Lone() bool {
	if r.Story == nil {
		return false
	}
	at := r.End()
	return !slices.ContainsFunc(r.Story.Lives, func(g Lineage) bool {
		return g.Container != r.Container && slices.ContainsFunc(g.Instances, func(in *Instance) bool {
			return !in.Exited() || in.Finished.After(at.Add(-tolerance.Slack))
		})
	})
}

// Crowd is the limit on the containers of a pod that are compared with each other: the cost is quadratic.
const Crowd = 256

// UnknownUID is the prefix of the identity of a pod that is known only by its name, from events.
const UnknownUID = "name:"

// UID returns the pod's UID; "" where none is known.
func (r *Restart) UID() string {
	if strings.HasPrefix(r.PodUID, UnknownUID) {
		return ""
	}
	return r.PodUID
}

// PodName identifies a pod in lines without a UID.
type PodName struct{ Namespace, Pod string }
