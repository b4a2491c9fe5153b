package collect

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Scope is what the question covers: which pods, on which nodes.
type Scope struct {
	AllNamespaces bool
	Selector      string
	Targets       []Target
	Nodes         []string
	// Namespace is the one to search. For a cluster it is empty only if all are meant; for recorded evidence it is the
	// value of -n, if any.
	Namespace string
}

// Whole reports whether the scope is a whole cluster.
func (s *Scope) Whole() bool {
	return s.AllNamespaces && s.Selector == "" && len(s.Targets) == 0 && len(s.Nodes) == 0
}

// OnePod reports whether the question is about a single pod.
func (s *Scope) OnePod() bool { return len(s.Targets) == 1 && s.Targets[0].Kind == "pod" }

// whyNotWatchable returns why the pods of the scope have to be looked up again each time, "" where a watch finds them.
func (s *Scope) whyNotWatchable(asked apiserver.Scope) string {
	if len(asked.Names) > 0 && slices.ContainsFunc(s.Targets, func(t Target) bool { return t.Kind != "pod" }) {
		return "the pods of several workloads, or of a cron job, are looked up again each time"
	}
	return ""
}

// Keep returns the filter for the analysis: evidence covers more than the question, as a node's log is about all its
// pods. live says that the snapshot holds just the pods that the API server returned for this scope; a pod of an
// earlier UID, which only logs know, is matched by its name. It is nil where nothing narrows the question.
func (s *Scope) Keep(snap *evidence.Snapshot, live bool) func(namespace, pod, uid string) bool {
	type key struct{ namespace, pod string }
	chosen := map[key]bool{}
	for i := range snap.Pods {
		p := &snap.Pods[i]
		if live || s.Picks(p) {
			chosen[key{p.Namespace, p.Name}] = true
		}
	}
	narrow := len(s.Targets) > 0 || s.Selector != ""
	if !narrow && s.Namespace == "" {
		return nil
	}
	return func(namespace, pod, uid string) bool {
		if s.Namespace != "" && namespace != "" && namespace != s.Namespace {
			return false
		}
		if !narrow || chosen[key{namespace, pod}] {
			return true
		}
		for _, t := range s.Targets {
			if (!live || t.Kind == "pod") && t.named(pod) && !known(snap, uid) {
				return true
			}
		}
		return false
	}
}

// Picks reports whether a pod belongs to one of the targets.
func (s *Scope) Picks(p *evidence.Pod) bool {
	return slices.ContainsFunc(s.Targets, func(t Target) bool { return t.owns(p) })
}

func known(snap *evidence.Snapshot, uid string) bool {
	for i := range snap.Pods {
		if snap.Pods[i].RuntimeUID() == uid || snap.Pods[i].UID == uid {
			return true
		}
	}
	return false
}

// Target is one thing named by the user. Kind is kubectl's term in the singular: pod, deployment, replicaset,
// statefulset, daemonset, job, cronjob or service.
type Target struct{ Kind, Name string }

// String returns the target as reports show it.
func (t Target) String() string { return t.Kind + "/" + t.Name }

// owns reports whether a pod belongs to a target. Where only its direct owner is known, the pods of a deployment or a
// cron job are recognized by generated names (deployment → replica set, cron job → job).
func (t Target) owns(p *evidence.Pod) bool {
	switch t.Kind {
	case "pod":
		return p.Name == t.Name
	case p.Workload.Kind:
		return p.Workload.Name == t.Name
	case "deployment":
		return p.Owner.Kind == "ReplicaSet" && generated(p.Owner.Name, t.Name, 1)
	case "cronjob":
		return p.Owner.Kind == "Job" && generated(p.Owner.Name, t.Name, 1)
	}
	return strings.EqualFold(p.Owner.Kind, t.Kind) && p.Owner.Name == t.Name
}

// named reports whether a pod of which only the name is known, from a log, may belong to a target.
func (t Target) named(pod string) bool {
	switch t.Kind {
	case "pod":
		return pod == t.Name
	case "deployment", "cronjob":
		return generated(pod, t.Name, 2)
	}
	return generated(pod, t.Name, 1)
}

// generated reports whether a controller may have made name from base by adding that many parts: web → web-5d6b12 →
// web-5d6b12-x7k2p.
func generated(name, base string, parts int) bool {
	rest, ok := strings.CutPrefix(name, base+"-")
	return ok && rest != "" && strings.Count(rest, "-") == parts-1
}
