package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// containers are those that the evidence knows of the pods that were asked for, and
// whether it has the spec of one: without it there may be others.
func containers(s *evidence.Snapshot, asked func(*evidence.Pod) bool) (names []string, whole bool) {
	uids := map[string]bool{}
	for i := range s.Pods {
		p := &s.Pods[i]
		if !asked(p) {
			continue
		}
		uids[p.UID], uids[p.RuntimeUID()] = true, true
		whole = whole || len(p.Containers) > 0
		for j := range p.Containers {
			names = append(names, p.Containers[j].Name)
		}
	}
	for i := range s.Observations { // one that was there before, too
		if o := &s.Observations[i].Subject; o.Container != "" && o.PodUID != "" && uids[o.PodUID] {
			names = append(names, o.Container)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), whole
}

// checkNames says what was named and is not there: a container of one pod is an error,
// since silence about it would be taken for good news. In a wider scope, and of
// recordings, which may know less than the cluster, it is a note.
func (o *listOptions) checkNames(s *evidence.Snapshot) error {
	if o.filter.Container != "" {
		asked := o.scope.Asked()
		one := asked != nil
		if !one {
			asked = o.scope.LooksAt
		}
		names, whole := containers(s, asked)
		if whole && !slices.Contains(names, o.filter.Container) {
			if one {
				return command.Hint(fmt.Errorf("find container %s: pod %s has none of that name",
					safetext.Ident(o.filter.Container), o.scope.Targets[0].Name), containerHints(o.filter.Container, names)...)
			}
			fmt.Fprintf(o.env.Streams.ErrOut, "note: none of the checked pods has a container %s\n",
				safetext.Ident(o.filter.Container))
			for _, h := range command.Question(command.Meant(o.filter.Container, names)) {
				fmt.Fprintf(o.env.Streams.ErrOut, "hint: %s\n", h)
			}
		}
	}
	if o.sources.Recorded() {
		o.unrecorded(o.env.Streams.ErrOut, s)
	}
	return nil
}

func containerHints(typed string, names []string) []string {
	return append(command.Question(command.Meant(typed, names)), "its containers: "+strings.Join(names, ", "))
}

// namesInHint is how many names of a recording a hint lists, which is a line or two.
const namesInHint = 20

// unrecorded notes a namespace, a pod or a node that a recording knows nothing of.
func (o *listOptions) unrecorded(w io.Writer, s *evidence.Snapshot) {
	note := func(kind, name string, of func(evidence.Subject) string) {
		var names []string
		for i := range s.Pods {
			p := &s.Pods[i]
			names = append(names, of(evidence.Subject{Node: p.Node, Namespace: p.Namespace, Pod: p.Name}))
		}
		for i := range s.Nodes {
			names = append(names, of(evidence.Subject{Node: s.Nodes[i].Name}))
		}
		for i := range s.Observations {
			names = append(names, of(s.Observations[i].Subject))
		}
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" })
		if len(names) == 0 || slices.Contains(names, name) {
			return
		}
		fmt.Fprintf(w, "note: the recording has no %s %s\n", kind, safetext.Ident(name))
		hints := command.Question(command.Nearest(name, names))
		if kind == "pod" && o.mistyped != nil {
			hints = append(hints, o.mistyped(name)...)
		}
		if len(hints) == 0 && len(names) <= namesInHint {
			hints = append(hints, "its "+kind+"s: "+strings.Join(names, ", "))
		}
		for _, h := range hints {
			fmt.Fprintf(w, "hint: %s\n", h)
		}
	}
	if o.scope.Namespace != "" {
		note("namespace", o.scope.Namespace, func(of evidence.Subject) string { return of.Namespace })
	}
	if o.scope.OnePod() {
		note("pod", o.scope.Targets[0].Name, func(of evidence.Subject) string { return of.Pod })
	}
	for _, n := range o.scope.Nodes {
		note("node", n, func(of evidence.Subject) string { return of.Node })
	}
}
