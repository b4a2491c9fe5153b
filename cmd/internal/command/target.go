package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
)

// kinds are the kinds of targets with kubectl's alternative names.
var kinds = map[string][]string{
	"pod":         {"pods", "po"},
	"deployment":  {"deployments", "deploy", "deployments.apps", "deployment.apps"},
	"replicaset":  {"replicasets", "rs", "replicasets.apps", "replicaset.apps"},
	"statefulset": {"statefulsets", "sts", "statefulsets.apps", "statefulset.apps"},
	"daemonset":   {"daemonsets", "ds", "daemonsets.apps", "daemonset.apps"},
	"job":         {"jobs", "jobs.batch", "job.batch"},
	"cronjob":     {"cronjobs", "cj", "cronjobs.batch", "cronjob.batch"},
	"service":     {"services", "svc"},
}

// isNode reports whether a word is the kind of nodes. Nodes are not workloads: they are a separate scope.
func isNode(word string) bool {
	return slices.Contains([]string{"node", "nodes", "no"}, strings.ToLower(word))
}

// KindOf returns the kind that a word means, or "".
func KindOf(word string) string {
	word = strings.ToLower(word)
	for kind, others := range kinds {
		if word == kind || slices.Contains(others, word) {
			return kind
		}
	}
	return ""
}

// ParseTargets parses POD, TYPE/NAME and, as kubectl does, TYPE NAME…; nodes are returned separately. The word pods
// alone means all of them.
func ParseTargets(args []string) (out []collect.Target, nodes []string, err error) {
	if len(args) > 0 && !strings.Contains(args[0], "/") {
		kind := KindOf(args[0])
		if kind == "" && isNode(args[0]) {
			kind = "node"
		}
		if kind == "pod" && len(args) == 1 {
			return nil, nil, nil
		}
		if kind != "" && len(args) > 1 {
			args = slices.Clone(args[1:])
			for i, name := range args {
				args[i] = kind + "/" + name
			}
		}
	}
	for _, arg := range args {
		kind, name, slash := strings.Cut(arg, "/")
		if !slash {
			kind, name = "pod", arg
		}
		if name == "" || strings.Contains(name, "/") {
			return nil, nil, Usage("argument %q: want POD or TYPE/NAME", arg)
		}
		if isNode(kind) {
			nodes = append(nodes, name)
			continue
		}
		k := KindOf(kind)
		if k == "" {
			return nil, nil, &failure{err: Usage("argument %q: unknown type %q: want pod, deploy, rs, sts, ds, job, cronjob, "+
				"svc or node", arg, kind),
				hints: []string{fmt.Sprintf("for a pod in a namespace: -n %s %s", kind, name)}}
		}
		if t := (collect.Target{Kind: k, Name: name}); !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	slices.Sort(nodes)
	return out, slices.Compact(nodes), nil
}
