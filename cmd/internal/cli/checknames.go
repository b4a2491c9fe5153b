package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// containers returns the known containers of the selected pods, and whether the evidence has the spec of one: without
// it there may be more.
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
	for i := range s.Observations { // including one that existed before
		if o := &s.Observations[i].Subject; o.Container != "" && o.PodUID != "" && uids[o.PodUID] {
			names = append(names, o.Container)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), whole
}

// checkNames reports names that do not exist. A missing pod, container or node is an error, since silence about it
// would look like good news. A name that only narrows a wider scope of a cluster gets a note, because it may still
// appear.
func (o *listOptions) checkNames(s *evidence.Snapshot) error {
	if o.filter.Container != "" {
		asked := o.scope.Asked()
		one := asked != nil
		if !one {
			asked = o.scope.LooksAt
		}
		names, whole := containers(s, asked)
		name, hints := safetext.Ident(o.filter.Container), containerHints(o.filter.Container, names)
		switch {
		case !whole || slices.Contains(names, o.filter.Container):
		case one:
			return command.Hint(fmt.Errorf("find container %s: pod %s has none of that name",
				name, o.scope.Targets[0].Name), hints...)
		case o.sources.Recorded():
			return command.Hint(fmt.Errorf("find container %s: no pod of the recording has one of that name", name), hints...)
		default:
			fmt.Fprintf(o.env.Streams.ErrOut, "note: none of the checked pods has a container %s\n", name)
			for _, h := range command.Question(command.Meant(o.filter.Container, names)) {
				fmt.Fprintf(o.env.Streams.ErrOut, "hint: %s\n", h)
			}
		}
	}
	if o.sources.Recorded() {
		return o.recorded(s)
	}
	return nil
}

func containerHints(typed string, names []string) []string {
	hints := command.Question(command.Meant(typed, names))
	if len(hints) == 0 || len(names) <= namesInHint {
		hints = append(hints, "its containers: "+strings.Join(names[:min(len(names), namesInHint)], ", "))
	}
	return hints
}

// namesInHint is how many names of a recording a hint lists: a line or two.
const namesInHint = 20

// recorded returns an error for a namespace, pod, workload or node that a recording does not contain.
func (o *listOptions) recorded(s *evidence.Snapshot) error {
	errs := []error{lacks(s, "namespace", o.scope.Namespace, func(of evidence.Subject) string { return of.Namespace })}
	if o.scope.OnePod() {
		errs = append(errs, lacks(s, "pod", o.scope.Targets[0].Name, func(of evidence.Subject) string { return of.Pod }))
	}
	for _, t := range o.scope.Targets {
		one := collect.Scope{Targets: []collect.Target{t}}
		if t.Kind == "pod" || t.Kind == "service" || len(s.Pods) == 0 { // a recording lacks a service's selector
			continue
		}
		if !slices.ContainsFunc(s.Pods, func(p evidence.Pod) bool { return one.Picks(&p) }) {
			errs = append(errs, fmt.Errorf("find %s: no pod of the recording belongs to it", safetext.Ident(t.String())))
		}
	}
	for _, name := range o.scope.Nodes {
		errs = append(errs, lacks(s, "node", name, func(of evidence.Subject) string { return of.Node }))
	}
	return cmp.Or(errs...)
}

// lacks returns an error for a name that a recording does not contain, with hints of those that it does contain. A
// recording without any such names might still cover it.
func lacks(s *evidence.Snapshot, kind, name string, of func(evidence.Subject) string) error {
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
	if name == "" || len(names) == 0 || slices.Contains(names, name) {
		return nil
	}
	hints := command.Question(command.Meant(name, names))
	if len(hints) == 0 && len(names) <= namesInHint {
		hints = []string{"its " + kind + "s: " + strings.Join(names, ", ")}
	}
	return command.Hint(fmt.Errorf("find %s %s: the recording has none of that name", kind, safetext.Ident(name)),
		hints...)
}
