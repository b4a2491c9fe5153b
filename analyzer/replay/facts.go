package replay

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
)

// Errors of a supposed fact; both name what is possible.
var (
	ErrUnknownFact = errors.New("no such fact")
	ErrNoContainer = errors.New("no such container")
)

// Fact is one thing that is supposed about the state that the kubelet sees.
type Fact struct {
	text, name, container string
	code                  int
	apply                 func(*state, Fact)
}

// String returns the fact as it was given.
func (f Fact) String() string { return f.text }

// shape says what follows a fact's name.
type shape uint8

const (
	alone        shape = iota
	ofContainer        // =C
	withExitCode       // =C:CODE
)

var facts = []struct {
	name  string
	shape shape
	apply func(*state, Fact)
}{
	{"sandbox-not-ready", alone, func(s *state, _ Fact) {
		for i := range s.status.Sandboxes {
			s.status.Sandboxes[i].Ready = false
		}
	}},
	{"sandbox-missing", alone, func(s *state, _ Fact) { s.status.Sandboxes = nil }},
	{"cgroup-missing", alone, func(s *state, _ Fact) { s.status.Before.CgroupMissing = true }},
	{"network-not-ready", alone, func(s *state, _ Fact) { s.status.Before.NetworkNotReady = true }},
	{"deleted", alone, func(s *state, _ Fact) { s.pod.DeletionTimestamp = &metav1.Time{Time: s.now} }},
	{"liveness-failed", ofContainer, func(s *state, f Fact) { s.status.Liveness[s.running(f.container).ID] = decide.ProbeFailure }},
	{"startup-failed", ofContainer, func(s *state, f Fact) { s.status.Startup[s.running(f.container).ID] = decide.ProbeFailure }},
	{"hash-differs", ofContainer, func(s *state, f Fact) {
		s.differ = append(s.differ, f.container)
		s.running(f.container)
	}},
	{"exited", withExitCode, func(s *state, f Fact) {
		r := s.record(f.container)
		r.State, r.ExitCode, r.FinishedAt, r.Reason = decide.StateExited, f.code, s.now, ""
	}},
	{"unknown", ofContainer, func(s *state, f Fact) { s.record(f.container).State = decide.StateUnknown }},
	{"resize-record-missing", ofContainer, func(s *state, f Fact) {
		delete(s.status.Resources, f.container)
		s.running(f.container)
	}},
}

// Facts lists what can be supposed, as it is written.
func Facts() []string {
	var out []string
	for _, f := range facts {
		out = append(out, f.name+map[shape]string{ofContainer: "=C", withExitCode: "=C:CODE"}[f.shape])
	}
	return out
}

// ParseFact reads a fact as Facts writes it.
func ParseFact(text string) (Fact, error) {
	name, arg, given := strings.Cut(text, "=")
	i := slices.IndexFunc(facts, func(f struct {
		name  string
		shape shape
		apply func(*state, Fact)
	}) bool {
		return f.name == name
	})
	if i < 0 {
		return Fact{}, fmt.Errorf("suppose %q: %w: want one of %s", text, ErrUnknownFact, strings.Join(Facts(), ", "))
	}
	f := Fact{text: text, name: name, apply: facts[i].apply}
	switch container, code, coded := strings.Cut(arg, ":"); facts[i].shape {
	case alone:
		if given {
			return Fact{}, fmt.Errorf("suppose %q: %w: %s takes nothing behind it", text, ErrUnknownFact, name)
		}
	case ofContainer:
		if f.container = arg; arg == "" {
			return Fact{}, fmt.Errorf("suppose %q: %w: want %s=C with a container", text, ErrUnknownFact, name)
		}
	case withExitCode:
		n, err := strconv.ParseInt(code, 10, 32)
		if f.container, f.code = container, int(n); container == "" || !coded || err != nil {
			return Fact{}, fmt.Errorf("suppose %q: %w: want %s=C:CODE, such as %s=app:137", text, ErrUnknownFact, name, name)
		}
	}
	return f, nil
}

// state is what a fact changes.
type state struct {
	pod    *corev1.Pod
	status decide.Status
	now    time.Time
	// assumed is what the evidence does not tell, or what a supposed fact implies.
	assumed []string
	// differ are the containers whose stored hash is supposed to be another.
	differ []string
}

// record returns the container's newest record; a container without one is taken to run.
func (s *state) record(name string) *decide.Container {
	for i := range s.status.Containers {
		if s.status.Containers[i].Name == name {
			return &s.status.Containers[i]
		}
	}
	s.status.Containers = append(s.status.Containers, decide.Container{ID: "supposed-" + name, Name: name, State: decide.StateRunning})
	return &s.status.Containers[len(s.status.Containers)-1]
}

// running is record for a fact that only a running container can have: one that does not run is taken to.
func (s *state) running(name string) *decide.Container {
	r := s.record(name)
	if r.State != decide.StateRunning {
		r.State = decide.StateRunning
		s.assumed = append(s.assumed, "container "+name+" is taken to run")
	}
	return r
}

// suppose applies the facts in order.
func (s *state) suppose(all []Fact) error {
	var names []string
	for _, c := range containersOf(s.pod) {
		names = append(names, c.Name)
	}
	for _, f := range all {
		if f.container != "" && !slices.Contains(names, f.container) {
			return fmt.Errorf("suppose %q: %w: the pod has %s", f.text, ErrNoContainer, strings.Join(names, ", "))
		}
		f.apply(s, f)
	}
	return nil
}
