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
	UID    string        // in the API; else as lines have it
	Given  *evidence.Pod // nil when the API did not give it
	Number int           // in the order in which pods were first seen
	Alone  bool          // the API has it, and no other one of its name
	Marks  []Occurrence  // what was said of the pod or its sandboxes, by time
	Kinds  FactMask      // what kinds of facts the marks are
	Ends   []Occurrence
	Origin ConfigSources
	Lives  []Lineage
	Inits  []Lineage // of lives, those of ordinary init containers
}

// ConfigSources is which config sources are said to hold a pod, by one UID.
type ConfigSources struct {
	File bool // a file or URL of the kubelet: a static pod
	API  bool // also said of a static pod's mirror
	// Evidence are the observations behind File. It is shared and must not be changed.
	Evidence []string
}

// Origin returns where the pod is said to come from; zero where nothing is
// said.
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

// Config returns what was taken into or from the config sources under a pod's name in
// [from, until], by time: pods that bore the name before or after it are among them.
func (t *History) Config(namespace, name string, from, until time.Time) []Occurrence {
	return Within(t.Configured[PodName{namespace, name}], from, until.Add(1))
}

// Teardowns returns why a kubelet took a pod down in [from, until], by time.
func (t *History) Teardowns(uid string, from, until time.Time) []Occurrence {
	return Within(t.TakenDown[uid], from, until.Add(1))
}

// Successor is what has a dead instance's place: the same container of the same
// static pod, under another UID.
type Successor struct {
	PodUID   string        // as kubelet and runtime know it
	Pod      *evidence.Pod // nil when the API did not give it
	Instance *Instance     // nil when nothing was seen of it yet
	Added    time.Time     // when the kubelet took it into its files, if its log says that; known if nothing else is
}

// ComputedUID reports whether a UID is one that kubelets make of static pods: 32 hex
// digits (kubelet v1.5–v1.36 config/common.go applyDefaults). The API server's have
// dashes, as a UID in a manifest usually has.
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

// Came is when the pod under the other UID came.
func (s *Successor) Came() time.Time {
	if s.Pod != nil && !s.Pod.CreatedAt.IsZero() {
		return s.Pod.CreatedAt
	}
	return s.Added
}

// Offer takes the instance that began first.
func (s *Successor) Offer(in *Instance) {
	if s.Instance == nil || in.Begin().Before(s.Instance.Begin()) {
		s.Instance = in
	}
}

// Offer takes the successor whose instance began first.
func (r *Restart) Offer(s *Successor) {
	if s.Instance == nil {
		return
	}
	if have := r.Successor; have == nil || s.Instance.Begin().Before(have.Instance.Begin()) {
		r.Successor = s
	}
}

// RanBehind tells a run of an init container that began beside a running one, while the run before is not known.
func (r *Restart) RanBehind() bool {
	return r.ContainerKind == evidence.KindInit && r.To != nil && r.Story != nil &&
		r.From.ID == "" && !r.From.Exited() && slices.ContainsFunc(r.Story.Lives, func(o Lineage) bool {
		return o.Container == r.Container && len(o.Instances) == 2 && o.Instances[1] == r.To
	})
}

// BesideRunning tells a known run of such a kind: the container had succeeded before it.
func (r *Restart) BesideRunning() bool {
	return r.ContainerKind == evidence.KindInit && r.Story != nil &&
		RanAt(r.Story.Lives, cmp.Or(r.From.Started, r.From.Finished))
}

// RanAt reports whether a container of the pod ran then and runs on. A sidecar does not count: it runs from its turn
// on.
func RanAt(lives []Lineage, at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(lives, func(o Lineage) bool {
		n := len(o.Instances) - 1
		return n >= 0 && o.Kind == evidence.KindApp && o.Instances[n].State == evidence.StateRunning &&
			!o.Instances[n].Exited() && !o.Instances[n].Started.IsZero() && at.Sub(o.Instances[n].Started) > tolerance.Slack
	})
}

// Lone reports whether nothing shows another container of the pod at this restart's end or later: one that ended before
// is an init container.
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

// Crowd is how many containers of a pod are compared with each other. Each comparison is
// with all others, so what they cost together grows with the square.
const Crowd = 256

// UnknownUID is how a pod is called of which events tell and nothing has a UID: by its name.
const UnknownUID = "name:"

// UID is the pod's UID; "" where none is known.
func (r *Restart) UID() string {
	if strings.HasPrefix(r.PodUID, UnknownUID) {
		return ""
	}
	return r.PodUID
}

// PodName is what lines without a UID call a pod by.
type PodName struct{ Namespace, Pod string }
