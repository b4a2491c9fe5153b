package detail

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// who is what an id refers to: a container's instance or a sandbox.
type who struct {
	container string
	attempt   int // -1 when unknown
	sandbox   bool
	instance  *timeline.Instance // nil where unknown
}

func (w who) String() string {
	name := w.container
	if w.sandbox {
		name = "the sandbox"
	}
	if w.attempt < 0 {
		return name
	}
	return fmt.Sprintf("%s (attempt %d)", name, w.attempt)
}

// names resolves the ids of one pod.
type names struct {
	byID  map[string]who
	boxes map[string]*timeline.Sandbox // of all pods, by id
}

// box returns what a sandbox id refers to.
func (n *names) box(id string) who {
	w := who{sandbox: true, attempt: -1}
	if b := n.boxes[id]; b != nil {
		w.attempt = b.Attempt
	}
	return w
}

func (n *names) learn(r *timeline.Restart) {
	for _, in := range []*timeline.Instance{r.From, r.To} {
		if in == nil {
			continue
		}
		if in.ID != "" {
			n.byID[in.ID] = who{container: r.Container, attempt: in.Attempt, instance: in}
		}
		if in.SandboxID != "" {
			n.byID[in.SandboxID] = n.box(in.SandboxID)
		}
	}
}

// meet records the ids in an observation; it returns those that were new.
func (n *names) meet(o *evidence.Observation) (fresh []string) {
	note := func(id string, w who) {
		if _, known := n.byID[id]; id != "" && !known {
			n.byID[id] = w
			fresh = append(fresh, id)
		}
	}
	s := &o.Subject
	note(s.SandboxID, n.box(s.SandboxID))
	switch f := o.Fact.(type) {
	case evidence.RuntimeCreated:
		note(s.ContainerID, who{container: s.Container, attempt: f.Attempt})
	case evidence.ContainerRecord:
		note(s.ContainerID, who{container: s.Container, attempt: f.Attempt})
	default:
		switch {
		case s.Container != "":
			note(s.ContainerID, who{container: s.Container, attempt: -1})
		case n.boxes[s.ContainerID] != nil:
			note(s.ContainerID, n.box(s.ContainerID))
		}
	}
	return fresh
}

// ids returns the known ids, sorted.
func (n *names) ids() []string { return slices.Sorted(maps.Keys(n.byID)) }

// of names what an observation is about.
func (n *names) of(o *evidence.Observation) string {
	s := &o.Subject
	if w, known := n.byID[s.ContainerID]; known && s.ContainerID != "" {
		return w.String()
	}
	switch {
	case s.Container != "":
		return s.Container
	case s.ContainerID != "":
		return "container " + s.ContainerID[:min(len(s.ContainerID), 12)]
	case s.SandboxID != "":
		if w, known := n.byID[s.SandboxID]; known {
			return w.String()
		}
		return "the sandbox"
	}
	return "the pod"
}

// container returns the name of the container that an observation is about, "" where it is about none.
func (n *names) container(o *evidence.Observation) string {
	return cmp.Or(n.byID[o.Subject.ContainerID].container, o.Subject.Container)
}

// in says where something happened, if that container or pod is known.
func (n *names) in(o *evidence.Observation) string {
	if w, known := n.byID[o.Subject.ContainerID]; known && o.Subject.ContainerID != "" {
		return " in " + w.String()
	}
	if o.Subject.Pod != "" {
		return " in pod " + o.Subject.Namespace + "/" + o.Subject.Pod
	}
	return ""
}
