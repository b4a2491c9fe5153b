package sim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Errors of a supposed fact; both list what is possible.
var (
	ErrUnknownFact = errors.New("no such fact")
	ErrNoContainer = errors.New("no such container")
)

// Supposition is a hypothesis as a user writes it, with its argument.
type Supposition struct {
	text       string
	hypothesis Hypothesis
	argument   Argument
}

// String returns the fact as it was given.
func (f Supposition) String() string { return f.text }

var shapeText = map[shape]string{ofContainer: "=C", withExitCode: "=C:CODE", withNumber: "=N", withReason: "=REASON"}

// reasonText matches kubelets' reasons of a refusal: OutOfcpu, NodeAffinity, OutOfexample.com/gpu.
var reasonText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9./_-]{0,62}$`)

// largestLog limits the number of a log file: no container restarts more often.
const largestLog = 1 << 30

// Facts lists what can be supposed, in the syntax of users.
func Facts() []string {
	var out []string
	for _, r := range table[None+1:] {
		out = append(out, r.name+shapeText[r.shape])
	}
	return out
}

// Explained lists the same with explanations, one per line.
func Explained() string {
	var b strings.Builder
	for h := None + 1; h < Hypotheses; h++ {
		text := h.Text("C")
		if note := table[h].note; note != "" {
			text += " (" + note + ")"
		}
		fmt.Fprintf(&b, "  %-24s %s\n", table[h].name+shapeText[table[h].shape], text)
	}
	return b.String()
}

// ParseSupposition parses a fact in the syntax of Facts.
func ParseSupposition(text string) (Supposition, error) {
	name, arg, given := strings.Cut(text, "=")
	i := slices.IndexFunc(table[:], func(r row) bool { return r.name == name && name != "" })
	if i < 0 {
		return Supposition{}, fmt.Errorf("suppose %q: %w: want one of %s", text, ErrUnknownFact, strings.Join(Facts(), ", "))
	}
	fail := func(want string) (Supposition, error) {
		return Supposition{}, fmt.Errorf("suppose %q: %w: %s", text, ErrUnknownFact, want)
	}
	f := Supposition{text: text, hypothesis: Hypothesis(i)}
	switch container, code, coded := strings.Cut(arg, ":"); table[i].shape {
	case alone:
		if given {
			return fail(name + " takes no value")
		}
	case ofContainer:
		if f.argument.Container = arg; arg == "" {
			return fail(fmt.Sprintf("want %s=C with a container", name))
		}
	case withExitCode:
		n, err := strconv.ParseInt(code, 10, 32)
		if f.argument = (Argument{Container: container, Code: int(n)}); container == "" || !coded || err != nil {
			return fail(fmt.Sprintf("want %s=C:CODE, such as %s=app:137", name, name))
		}
	case withNumber:
		n, err := strconv.ParseUint(arg, 10, 32)
		if err != nil || n > largestLog {
			return fail(fmt.Sprintf("want %s=N with a number from 0 to %d, such as %s=7", name, largestLog, name))
		}
		f.argument.Code = int(n)
	case withReason:
		if f.argument.Reason = arg; !reasonText.MatchString(arg) {
			return fail(fmt.Sprintf("want %s=REASON, such as %s=OutOfcpu", name, name))
		}
	}
	return f, nil
}

// Suppose applies facts in order.
func (s *PodState) Suppose(all []Supposition) error {
	var names []string
	for _, c := range Containers(&s.Pod.Spec) {
		names = append(names, c.Name)
	}
	for _, f := range all {
		if c := f.argument.Container; c != "" && !slices.Contains(names, c) {
			return fmt.Errorf("suppose %q: %w: the pod has %s", f.text, ErrNoContainer, strings.Join(names, ", "))
		}
		f.hypothesis.Apply(s, f.argument)
	}
	return nil
}
