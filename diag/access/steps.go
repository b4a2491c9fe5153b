package access

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Tier is how far a collection goes; each has its own role in docs/rbac.
type Tier string

// The tiers. Tier1 and Collector each come in addition to tier 0, not instead of it.
const (
	Tier0     Tier = "tier0"         // the API server's objects
	Tier1     Tier = "tier1"         // the kubelet's log, through the API server
	Collector Tier = "collector"     // a pod on the node
	Metrics   Tier = "metrics"       // a monitoring system, through the API server
	Words     Tier = "previous-logs" // what applications wrote, on request
)

// Right is one right as a role grants it.
type Right struct {
	Verb     string
	Group    string // "" is the core group
	Resource string // with its subresource: pods/attach
	// Spare is a helpful right without which the step still works: it is in the role but not checked.
	Spare bool
}

// Task is one step of a live collection.
type Task struct {
	Name string
	Tier Tier
	// Does is what the step does, for a sentence "this user may not …".
	Does string
	// Without is what a verdict then lacks.
	Without string
	// Source is the kind of evidence that is then missing.
	Source evidence.SourceKind
	Rights []Right
}

// The names of the steps.
const (
	Pods      = "pods"
	Events    = "events"
	Nodes     = "nodes"
	Workloads = "workloads"
	History   = "revisions"
	Scope     = "namespaces"
	Watch     = "watch"
	Logs      = "logs"
	Pod       = "collector"
	Monitor   = "metrics"
	LastLines = "last lines"
)

// Steps lists all steps in the order in which they are taken.
func Steps() []Task {
	core := func(resource string, verbs ...string) (out []Right) {
		for _, v := range verbs {
			out = append(out, Right{Verb: v, Resource: resource})
		}
		return out
	}
	in := func(group, resource string, verbs ...string) (out []Right) {
		for _, v := range verbs {
			out = append(out, Right{Verb: v, Group: group, Resource: resource})
		}
		return out
	}
	spare := func(rights []Right) []Right {
		for i := range rights {
			rights[i].Spare = true
		}
		return rights
	}
	return []Task{
		{Pods, Tier0, "read pods", "without pods there is nothing to explain",
			evidence.SourceAPI, core("pods", "get", "list")},
		{Events, Tier0, "read events",
			"without events, probe failures, kills, evictions and image pulls of the last hour cannot be seen",
			evidence.SourceAPI, core("events", "list")},
		{Nodes, Tier0, "read nodes", "without the node, its kubelet version and its boot time are unknown",
			evidence.SourceAPI, core("nodes", "get", "list")},
		{Workloads, Tier0, "look up workloads", "pods must be named directly, or selected with -l",
			evidence.SourceAPI, slices.Concat(
				core("services", "get"), in("apps", "deployments", "get"), in("apps", "replicasets", "get"),
				in("apps", "statefulsets", "get"), in("apps", "daemonsets", "get"),
				in("batch", "jobs", "get", "list"), in("batch", "cronjobs", "get"))},
		// Not checked before: which of the two is needed depends on the pod.
		{History, Tier0, "read the revisions of workloads", "hashes are not compared with earlier images and templates",
			evidence.SourceAPI, slices.Concat(
				in("apps", "replicasets", "get", "list"), in("apps", "controllerrevisions", "list"),
				in("apps", "deployments", "get"), in("apps", "statefulsets", "get"),
				in("apps", "daemonsets", "get"), in("batch", "jobs", "get"))},
		{Scope, Tier0, "read namespaces", "a namespace that does not exist looks like one without pods",
			evidence.SourceAPI, core("namespaces", "get", "list")},
		{Watch, Tier0, "watch pods and events", "they are listed again every 10 s instead, as long as --watch runs",
			evidence.SourceAPI, slices.Concat(core("pods", "watch"), core("events", "watch"))},
		{Logs, Tier1, "read logs through nodes",
			"the kubelet's own log of each kill and decision is missing, and everything older than the events",
			evidence.SourceKubeletLog,
			core("nodes/proxy", "get")},
		{Pod, Collector, "read nodes through a pod", "the node's journals, cgroups and runtime are missing",
			"collector-pod", slices.Concat(
				core("pods", "create", "delete", "get"), core("pods/attach", "create"), in("batch", "jobs", "create", "delete"),
				// WebSocket before v1.35 needs get; the list finds leftovers of earlier runs; events name directories
				// missing on a node.
				spare(core("pods/attach", "get")), spare(core("pods", "list")), spare(in("batch", "jobs", "list")),
				spare(core("events", "list")))},
		// Not checked before: the service's own refusal gives the better reason. The list is for --prometheus auto.
		{Monitor, Metrics, "ask a Prometheus through its service",
			"restarts of the past are not known, unless its URL is given", evidence.SourceMetrics,
			slices.Concat(core("services/proxy", "get"), spare(core("services", "list")))},
		{LastLines, Words, "read the logs of containers", "what applications wrote last is not shown; no verdict rests on it",
			"container-log", core("pods/log", "get")},
	}
}

// Find returns the step with one of the package's names. Any other name is a bug, and returns a step that needs
// nothing.
func Find(name string) Task {
	all := Steps()
	if i := slices.IndexFunc(all, func(s Task) bool { return s.Name == name }); i >= 0 {
		return all[i]
	}
	return Task{Name: name}
}
