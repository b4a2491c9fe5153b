package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// slips is how many letters may differ between what was typed and what was meant.
const slips = 2

// meant are up to three of the names that a mistyped word may stand for: as few letters
// differ as in any, and never more than slips. A short word must be closer.
func meant(typed string, names []string) []string {
	type near struct {
		name string
		far  int
	}
	var all []near
	typed = strings.ToLower(typed)
	for _, n := range names {
		far := distance(typed, strings.ToLower(n))
		if far <= slips && far*3 <= len(typed) {
			all = append(all, near{n, far})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return a.far - b.far })
	var out []string
	for _, n := range all {
		if n.far == all[0].far && len(out) < 3 && !slices.Contains(out, n.name) {
			out = append(out, n.name)
		}
	}
	return out
}

// question is "did you mean a, b?"; "" where nothing is near.
func question(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	return []string{"did you mean " + strings.Join(names, ", ") + "?"}
}

// causeHints help whoever typed an id that there is not.
func causeHints(typed string) []string {
	hints := []string{"'explain' without a name lists the causes"}
	typed = strings.ToLower(typed)
	ids := slices.DeleteFunc(causeIDs(), func(id string) bool { return typed == "" || !strings.Contains(id, typed) })
	if len(ids) == 0 {
		ids = nearest(typed, causeIDs())
	}
	return append(hints, question(ids)...)
}

// wordHints help whoever asked for words that mean nothing known.
func wordHints(args []string) []string {
	hints := []string{"'explain' without a word lists the causes; it takes exit codes, reasons, events, and lines of " +
		"the logs of kubelet, runtime and kernel"}
	if len(args) != 1 || args[0] == "-" {
		return hints
	}
	near := meant(args[0], append(lookup.Terms(), causeIDs()...))
	if len(near) == 0 {
		for _, id := range causeIDs() {
			if len(args[0]) > 2 && strings.Contains(id, strings.ToLower(args[0])) {
				near = append(near, id)
			}
		}
	}
	return append(hints, question(near)...)
}

// shortened is a text that an error repeats.
func shortened(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// commandHints name the command that a word which is no pod may have been meant for.
func commandHints(cmd *cobra.Command, word string) []string {
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
			names = append(names, c.Aliases...)
		}
	}
	near := meant(word, names)
	for i := range near {
		near[i] = "kubectl restartwhy " + near[i]
	}
	return question(near)
}

// commandMeant adds to an error about the first word, which was taken for a pod, the
// command that it may have been meant for. There may well be a pod of that name, so only
// what failed gets it.
func commandMeant(cmd *cobra.Command, args []string, err error) error {
	if err == nil || len(args) == 0 || strings.Contains(args[0], "/") {
		return err
	}
	var m *matched
	if hints := commandHints(cmd, args[0]); len(hints) > 0 && !errors.As(err, &m) {
		return &failure{err: err, hints: hints}
	}
	return err
}

// flagHints name the flags that a mistyped one is like.
func flagHints(cmd *cobra.Command, err error) []string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return nil
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := meant(unknown.GetSpecifiedName(), names)
	for i := range near {
		near[i] = "--" + near[i]
	}
	return question(near)
}

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
	if o.filter.container != "" {
		asked := o.scope.asked()
		one := asked != nil
		if !one {
			asked = o.scope.looksAt
		}
		names, whole := containers(s, asked)
		if whole && !slices.Contains(names, o.filter.container) {
			if one {
				return hint(fmt.Errorf("find container %s: pod %s has none of that name",
					safetext.Ident(o.filter.container), o.scope.Targets[0].Name), containerHints(o.filter.container, names)...)
			}
			fmt.Fprintf(o.env.Streams.ErrOut, "note: none of the checked pods has a container %s\n",
				safetext.Ident(o.filter.container))
			for _, h := range question(meant(o.filter.container, names)) {
				fmt.Fprintf(o.env.Streams.ErrOut, "hint: %s\n", h)
			}
		}
	}
	if o.sources.recorded() {
		o.unrecorded(o.env.Streams.ErrOut, s)
	}
	return nil
}

func containerHints(typed string, names []string) []string {
	return append(question(meant(typed, names)), "its containers: "+strings.Join(names, ", "))
}

// unrecorded notes a pod or a node that a recording knows nothing of.
func (o *listOptions) unrecorded(w io.Writer, s *evidence.Snapshot) {
	note := func(kind, name string, names []string) {
		slices.Sort(names)
		names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" })
		if len(names) == 0 || slices.Contains(names, name) {
			return
		}
		fmt.Fprintf(w, "note: the recording has no %s %s\n", kind, safetext.Ident(name))
		hints := question(nearest(name, names))
		if kind == "pod" && o.mistyped != nil {
			hints = append(hints, o.mistyped(name)...)
		}
		for _, h := range hints {
			fmt.Fprintf(w, "hint: %s\n", h)
		}
	}
	var pods, nodes []string
	for i := range s.Pods {
		pods, nodes = append(pods, s.Pods[i].Name), append(nodes, s.Pods[i].Node)
	}
	for i := range s.Nodes {
		nodes = append(nodes, s.Nodes[i].Name)
	}
	for i := range s.Observations {
		of := &s.Observations[i].Subject
		pods, nodes = append(pods, of.Pod), append(nodes, of.Node)
	}
	if o.scope.OnePod() {
		note("pod", o.scope.Targets[0].Name, pods)
	}
	for _, n := range o.scope.Nodes {
		note("node", n, nodes)
	}
}

// looksAt tells whether a pod is within the scope.
func (s *scope) looksAt(p *evidence.Pod) bool {
	if s.Namespace != "" && p.Namespace != s.Namespace || len(s.Nodes) > 0 && !slices.Contains(s.Nodes, p.Node) {
		return false
	}
	return len(s.Targets) == 0 || s.Picks(p)
}
