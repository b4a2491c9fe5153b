package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// node is the kind that is no workload, but a scope of its own.
const node = "node"

// kinds are the kinds that may be named, with kubectl's other names for them.
var kinds = map[string]struct {
	kube.Resource
	others []string
}{
	"pod":         {kube.Pods, []string{"pods", "po"}},
	node:          {kube.Nodes, []string{"nodes", "no"}},
	"deployment":  {kube.Deployments, []string{"deployments", "deploy", "deployments.apps", "deployment.apps"}},
	"replicaset":  {kube.ReplicaSets, []string{"replicasets", "rs", "replicasets.apps", "replicaset.apps"}},
	"statefulset": {kube.StatefulSets, []string{"statefulsets", "sts", "statefulsets.apps", "statefulset.apps"}},
	"daemonset":   {kube.DaemonSets, []string{"daemonsets", "ds", "daemonsets.apps", "daemonset.apps"}},
	"job":         {kube.Jobs, []string{"jobs", "jobs.batch", "job.batch"}},
	"cronjob":     {kube.CronJobs, []string{"cronjobs", "cj", "cronjobs.batch", "cronjob.batch"}},
	"service":     {kube.Services, []string{"services", "svc"}},
}

// KindOf returns the kind that a word means, or "".
func KindOf(word string) string {
	word = strings.ToLower(word)
	for kind, of := range kinds {
		if word == kind || slices.Contains(of.others, word) {
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
		switch k := KindOf(kind); k {
		case node:
			nodes = append(nodes, name)
		case "":
			return nil, nil, Hint(Usage("argument %q: unknown type %q: want pod, deploy, rs, sts, ds, job, cronjob, svc or node",
				arg, kind), fmt.Sprintf("for a pod in a namespace: -n %s %s", kind, name))
		default:
			if t := (collect.Target{Kind: k, Name: name}); !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	slices.Sort(nodes)
	return out, slices.Compact(nodes), nil
}
