package describe

import (
	"cmp"
	"regexp"
)

// place is where a pod is.
type place struct{ namespace, node string }

// places is what a table of events says about where its pods are.
type places struct {
	byName map[string]place
	// namespace applies to all rows if the table has no column for it: kubectl printed one namespace.
	namespace string
}

// scheduled is the scheduler's message, which names all three (kubernetes pkg/scheduler/schedule_one.go "Successfully
// assigned %v/%v to %v"; kai-scheduler "Successfully assigned pod %v/%v to node %v at node-pool %v").
var scheduled = regexp.MustCompile(`^Successfully assigned (?:pod )?([a-z0-9.-]+)/([a-z0-9.-]+) to (?:node )?(\S+)(?: at .*)?$`)

// backedOff is the end of a kubelet's message, which has the pod's namespace (kuberuntime_manager.go doBackOff).
var backedOff = regexp.MustCompile(`\bin pod ([a-z0-9][a-z0-9.-]*)_([a-z0-9-]{1,63})\(`)

func placesOf(rows []event) places {
	p := places{byName: map[string]place{}}
	for i := range rows {
		if m := backedOff.FindStringSubmatch(rows[i].message); m != nil && p.byName[m[1]] == (place{}) {
			p.byName[m[1]] = place{namespace: m[2]}
		}
		m := scheduled.FindStringSubmatch(rows[i].message)
		if m == nil || rows[i].reason != "Scheduled" {
			continue
		}
		p.byName[m[2]] = place{m[1], m[3]}
		p.namespace = m[1]
	}
	return p
}

// of returns the place of a pod; its namespace is "" if unknown.
func (p places) of(namespace, name string) place {
	at := p.byName[name]
	at.namespace = cmp.Or(namespace, at.namespace, p.namespace)
	return at
}
