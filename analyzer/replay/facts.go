package replay

import (
	"errors"
	"fmt"
	"regexp"
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
	// code is the exit code or the number, reason the text behind the name.
	code   int
	reason string
	apply  func(*state, Fact)
}

// String returns the fact as it was given.
func (f Fact) String() string { return f.text }

// shape says what follows a fact's name.
type shape uint8

const (
	alone        shape = iota
	ofContainer        // =C
	withExitCode       // =C:CODE
	withNumber         // =N
	withReason         // =REASON
)

var shapeText = map[shape]string{ofContainer: "=C", withExitCode: "=C:CODE", withNumber: "=N", withReason: "=REASON"}

// reasonText is how kubelets spell the reason of a refusal: OutOfcpu, NodeAffinity, OutOfexample.com/gpu.
var reasonText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9./_-]{0,62}$`)

// largestLog bounds the number of a log file, as no container restarts more often.
const largestLog = 1 << 30

var facts = []struct {
	name  string
	shape shape
	apply func(*state, Fact)
	says  string
}{
	{"sandbox-not-ready", alone, func(s *state, _ Fact) {
		for i := range s.status.Sandboxes {
			s.status.Sandboxes[i].Ready = false
		}
	}, "the pod's sandbox is no longer ready (its pause process ended, the node rebooted)"},
	{"sandbox-missing", alone, func(s *state, _ Fact) { s.status.Sandboxes = nil },
		"the runtime has no sandbox of the pod"},
	{"cgroup-missing", alone, func(s *state, _ Fact) { s.status.Before.CgroupMissing = true },
		"the pod's cgroup is not where the kubelet looks for it (another driver or QoS class)"},
	{"network-not-ready", alone, func(s *state, _ Fact) { s.status.Before.NetworkNotReady = true },
		"the runtime reports that its network is not ready"},
	{"deleted", alone, func(s *state, _ Fact) { s.pod.DeletionTimestamp = &metav1.Time{Time: s.now} },
		"the pod is being deleted or evicted"},
	{"liveness-failed", ofContainer, func(s *state, f Fact) {
		s.status.Liveness[s.running(f.container).ID] = decide.ProbeFailure
	}, "container C has failed its liveness probe"},
	{"startup-failed", ofContainer, func(s *state, f Fact) {
		s.status.Startup[s.running(f.container).ID] = decide.ProbeFailure
	}, "container C has failed its startup probe"},
	{"hash-differs", ofContainer, func(s *state, f Fact) {
		s.differ = append(s.differ, f.container)
		s.running(f.container)
	}, "the stored hash of C differs from the hash that the kubelet computes"},
	{"exited", withExitCode, func(s *state, f Fact) {
		r := s.record(f.container)
		r.State, r.ExitCode, r.FinishedAt, r.Reason = decide.StateExited, f.code, s.now, ""
	}, "C has ended with that exit code"},
	{"unknown", ofContainer, func(s *state, f Fact) { s.record(f.container).State = decide.StateUnknown },
		"the runtime does not know the state of C"},
	{"record-gone", ofContainer, func(s *state, f Fact) {
		s.status.Containers = slices.DeleteFunc(s.status.Containers,
			func(c decide.Container) bool { return c.Name == f.container })
	}, "the runtime's records of C were removed"},
	{"log-dir-count", withNumber, func(s *state, f Fact) {
		s.status.LogFiles = map[string][]string{}
		for _, c := range containersOf(s.pod) {
			s.status.LogFiles[c.Name] = []string{strconv.Itoa(f.code) + ".log"}
		}
	}, "the newest log file of each container is N.log; the kubelet counts from it when the runtime's record is gone " +
		"(1.21+)"},
	{"readmitted", alone, func(s *state, _ Fact) { s.readmit() },
		"the kubelet has restarted: it admits the pod again and has lost probe results and back-off"},
	{"rejected", withReason, func(s *state, f Fact) {
		s.readmit()
		s.status.Before.Rejected = f.reason
	}, "the same, and admission now rejects the pod, with a reason such as OutOfcpu or NodeAffinity"},
	{"deadline-exceeded", alone, func(s *state, _ Fact) {
		s.status.Before.DeadlineExceeded = true
		if s.pod.Spec.ActiveDeadlineSeconds == nil {
			s.assumed = append(s.assumed, "the pod has an active deadline")
		}
	}, "the pod has exceeded its active deadline"},
	{"no-apparmor", alone, func(s *state, _ Fact) { s.node.NoAppArmor = true },
		"the node cannot enforce AppArmor profiles (checked for new pods only, up to 1.30)"},
	{"resize-record-missing", ofContainer, func(s *state, f Fact) {
		s.unrecorded = append(s.unrecorded, f.container)
		s.running(f.container)
	}, "the kubelet has no record of the resources that it gave to C (1.33+; 1.37 creates them for a pod that has none)"},
}

// Facts lists what can be supposed, as it is written.
func Facts() []string {
	var out []string
	for _, f := range facts {
		out = append(out, f.name+shapeText[f.shape])
	}
	return out
}

// Explained lists the same with what each says, one a line.
func Explained() string {
	var b strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&b, "  %-24s %s\n", f.name+shapeText[f.shape], f.says)
	}
	return b.String()
}

// ParseFact reads a fact as Facts writes it.
func ParseFact(text string) (Fact, error) {
	name, arg, given := strings.Cut(text, "=")
	i := slices.IndexFunc(facts, func(f struct {
		name  string
		shape shape
		apply func(*state, Fact)
		says  string
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
			return Fact{}, fmt.Errorf("suppose %q: %w: %s takes no value", text, ErrUnknownFact, name)
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
	case withNumber:
		n, err := strconv.ParseUint(arg, 10, 32)
		if err != nil || n > largestLog {
			return Fact{}, fmt.Errorf("suppose %q: %w: want %s=N with a number from 0 to %d, such as %s=7",
				text, ErrUnknownFact, name, largestLog, name)
		}
		f.code = int(n)
	case withReason:
		if f.reason = arg; !reasonText.MatchString(arg) {
			return Fact{}, fmt.Errorf("suppose %q: %w: want %s=REASON, such as %s=OutOfcpu", text, ErrUnknownFact, name, name)
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
	// node is what speaks against the pod on its node; restarted: the kubelet that decides has just started.
	node      decide.NodeFacts
	restarted bool
	// differ are the containers whose stored hash is supposed to be another.
	differ []string
	// unrecorded are those of whose resources the kubelet is supposed to have no record.
	unrecorded []string
	// placed: of some container the sandbox was not read; it is taken to be the newest.
	placed bool
}

// readmit makes the kubelet one that has just started: it knows no probe results and no earlier crashes.
func (s *state) readmit() {
	s.restarted, s.status.Before.Readmitted = true, true
	clear(s.status.Liveness)
}

// record returns the container's newest record; a container without one is taken to run.
func (s *state) record(name string) *decide.Container {
	for i := range s.status.Containers {
		if s.status.Containers[i].Name == name {
			return &s.status.Containers[i]
		}
	}
	c := decide.Container{ID: "supposed-" + name, Name: name, State: decide.StateRunning}
	if len(s.status.Sandboxes) > 0 {
		c.SandboxID = s.status.Sandboxes[0].ID
	}
	s.status.Containers = append(s.status.Containers, c)
	return &s.status.Containers[len(s.status.Containers)-1]
}

// running is record for a fact that only a running container can have: one that does not run is taken to.
func (s *state) running(name string) *decide.Container {
	r := s.record(name)
	if r.State != decide.StateRunning {
		r.State = decide.StateRunning
		s.assumed = append(s.assumed, "container "+name+" is assumed to run")
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
