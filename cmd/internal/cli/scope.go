package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// scope is what was asked about: which pods, on which nodes.
type scope struct {
	allNamespaces bool
	selector      string
	targets       []target
	nodes         []string
	// files are manifests that name the targets.
	files []string
	// namespace is the one to look in. For a cluster it is never empty unless all
	// are meant; for recorded evidence it is what was given with -n, if anything.
	namespace string
}

func (s *scope) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&s.allNamespaces, "all-namespaces", "A", false, "check all namespaces")
	cmd.Flags().StringVarP(&s.selector, "selector", "l", "", "only pods with these labels, as in kubectl")
	cmd.Flags().StringArrayVarP(&s.files, "filename", "f", nil,
		"the pods and workloads of this manifest (YAML or JSON), or - for standard input; may be repeated")
}

// complete reads the arguments, and the manifests that stand for them.
func (s *scope) complete(conn *connection, args []string) error {
	targets, nodes, err := parseTargets(args)
	if err != nil {
		return err
	}
	if len(s.files) > 0 {
		if len(args) > 0 {
			return usage("name pods and workloads or give a manifest with -f, not both")
		}
		var namespace string
		if targets, namespace, err = manifested(conn.env, s.files); err != nil {
			return err
		}
		// As in kubectl, -n must not say otherwise than the objects do.
		if given := conn.namespace(); given == "" {
			conn.overrides.Context.Namespace = namespace
		} else if namespace != "" && namespace != given {
			return usage("-n %s: the objects of the manifest are in namespace %s", given, namespace)
		}
	}
	s.targets = targets
	if len(nodes) > 0 {
		// A node has pods of all namespaces.
		s.nodes, s.allNamespaces = nodes, conn.namespace() == ""
	}
	return nil
}

func (s *scope) validate() error {
	switch {
	case len(s.targets) > 0 && len(s.nodes) > 0:
		return usage("name nodes or what runs on them, not both: node/%s beside %s", s.nodes[0], s.targets[0])
	case len(s.targets) > 0 && s.selector != "":
		return usage("name pods or select them with -l, not both")
	case len(s.targets) > 0 && s.allNamespaces:
		return usage("a name belongs to one namespace: it cannot be combined with -A")
	}
	return nil
}

// whole tells whether the scope is a whole cluster.
func (s *scope) whole() bool {
	return s.allNamespaces && s.selector == "" && len(s.targets) == 0 && len(s.nodes) == 0
}

// whyNotWatchable says why the pods of the scope have to be looked up anew each time, "" where a
// watch tells which they are.
func (s *scope) whyNotWatchable(asked apiserver.Scope) string {
	if len(asked.Names) > 0 && slices.ContainsFunc(s.targets, func(t target) bool { return t.kind != "pod" }) {
		return "the pods of several workloads, or of a cron job, are looked up again each time"
	}
	return ""
}

// onePod tells whether the question is about a single pod.
func (s *scope) onePod() bool { return len(s.targets) == 1 && s.targets[0].kind == "pod" }

// keep returns the filter for the analysis: evidence reaches further than the
// question, as the log of a node speaks of all its pods. live tells that the
// snapshot holds just the pods that the API server gave for this scope; a pod of
// an earlier UID, which only logs know, counts by its name. It is nil where nothing
// narrows the question.
func (s *scope) keep(snap *evidence.Snapshot, live bool) func(namespace, pod, uid string) bool {
	type key struct{ namespace, pod string }
	chosen := map[key]bool{}
	for i := range snap.Pods {
		p := &snap.Pods[i]
		if live || s.picks(p) {
			chosen[key{p.Namespace, p.Name}] = true
		}
	}
	narrow := len(s.targets) > 0 || s.selector != ""
	if !narrow && s.namespace == "" {
		return nil
	}
	return func(namespace, pod, uid string) bool {
		if s.namespace != "" && namespace != "" && namespace != s.namespace {
			return false
		}
		if !narrow || chosen[key{namespace, pod}] {
			return true
		}
		for _, t := range s.targets {
			if (!live || t.kind == "pod") && t.named(pod) && !known(snap, uid) {
				return true
			}
		}
		return false
	}
}

func (s *scope) picks(p *evidence.Pod) bool {
	for _, t := range s.targets {
		if t.owns(p) {
			return true
		}
	}
	return false
}

// find returns the one pod that was named. A recording may hold several of the
// name. what is what is done to it, for messages.
func (s *scope) find(what string, snap *evidence.Snapshot) (*evidence.Pod, error) {
	var found []*evidence.Pod
	for i := range snap.Pods {
		p := &snap.Pods[i]
		if s.picks(p) && (s.namespace == "" || p.Namespace == s.namespace) {
			found = append(found, p)
		}
	}
	name := s.targets[0].name
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%s pod %s: it is not in the evidence", what, name)
	case 1:
		return found[0], nil
	}
	var where []string
	for _, p := range found {
		where = append(where, p.Namespace)
	}
	return nil, hint(fmt.Errorf("%s pod %s: there are %d of this name", what, name, len(found)),
		"choose with -n: "+strings.Join(where, ", "))
}

func known(snap *evidence.Snapshot, uid string) bool {
	for i := range snap.Pods {
		if snap.Pods[i].RuntimeUID() == uid || snap.Pods[i].UID == uid {
			return true
		}
	}
	return false
}

// forReport spells the scope as reports do.
func (s *scope) forReport(f *filter, from []string) report.Scope {
	out := report.Scope{Namespace: s.namespace, AllNamespaces: s.allNamespaces,
		Selector: s.selector, Nodes: s.nodes, From: from}
	for _, t := range s.targets {
		out.Targets = append(out.Targets, t.String())
	}
	if f != nil {
		out.Container, out.Cause, out.Since = f.container, f.cause, f.since
	}
	return out
}

// forBundle spells the scope as a bundle's manifest does.
func (s *scope) forBundle() bundle.Scope {
	r := s.forReport(nil, nil)
	return bundle.Scope{Namespace: r.Namespace, AllNamespaces: r.AllNamespaces,
		Selector: r.Selector, Targets: r.Targets, Nodes: r.Nodes}
}
