package timeline

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// joinUnnamed gives what a table says of a container that it does not name to the one container of the pod that
// something else names. Of several it may be any, and their own ends tell; alone it stays.
func (t *History) joinUnnamed() {
	t.groups = slices.DeleteFunc(t.groups, func(g *group) bool {
		row := g.pod != nil && g.pod.Row()
		if g.Container != evidence.Unnamed || len(g.instances) > 0 && !strings.HasPrefix(g.in.uid, evidence.Row) {
			return false
		}
		switch others := len(g.in.groups) - 1; {
		case others == 0:
			return g.pod == nil && strings.HasPrefix(g.in.uid, evidence.Row) // its row was left out: the pod is known
		case others > 1:
			return !row
		}
		named := g.in.groups[0]
		if named == g {
			named = g.in.groups[1]
		}
		if g.pod != nil {
			named.restarts = max(named.restarts, g.restarts)
			if named.waiting.Reason == "" {
				named.waiting = g.waiting
			}
		}
		g.in.groups = []*group{named}
		return true
	})
}

// withoutRows leaves out the rows of tables whose pods something else names with their UIDs: they would be other pods.
func (t *History) withoutRows(pods []evidence.Pod) []evidence.Pod {
	if !slices.ContainsFunc(pods, func(p evidence.Pod) bool { return p.Row() }) {
		return pods
	}
	known := map[podName]bool{} // also without the namespace: a table of one does not say which
	for i := range t.obs {
		s := &t.obs[i].Subject
		if s.Pod != "" && s.PodUID != "" && !strings.HasPrefix(s.PodUID, evidence.Described) {
			known[podName{s.Namespace, s.Pod}], known[podName{"", s.Pod}] = true, true
		}
	}
	return slices.DeleteFunc(slices.Clone(pods), func(p evidence.Pod) bool {
		name := podName{p.Namespace, p.Name}
		if p.UID == evidence.Row+"/"+p.Name {
			name.namespace = ""
		}
		return p.Row() && known[name]
	})
}

// Listed tells that objects of pods were read. Rows of a table are none: it may have left out any pod, and has no UIDs.
func (t *History) Listed() bool {
	return slices.ContainsFunc(t.Snapshot.Pods, func(p evidence.Pod) bool { return !p.Row() })
}

// fewPods is of how many pods a piece of a log tells that somebody cut to a question.
const fewPods = 3

// Cut tells that all evidence is of a few pods, and no objects of pods were read: of a node's whole log somebody chose
// these lines, and whatever ended in them is what was asked about.
func (t *History) Cut() bool {
	if t.Listed() {
		return false
	}
	told := map[podName]bool{}
	for i := range t.obs {
		if p := t.obs[i].pod; p != nil {
			if told[p.name] = true; len(told) > fewPods {
				return false
			}
		}
	}
	return len(told) > 0
}
