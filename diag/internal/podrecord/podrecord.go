// Package podrecord puts a pod together of what single records say of it: rows of a dashboard, samples of metrics, what
// a client or jq left.
//
// It holds what the API would have of such a pod, with what no record says left out; what a record's fields are called
// is its reader's work. It may import evidence and the standard library.
package podrecord

import (
	"cmp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Pods are the pods of which records told, in their order.
type Pods struct {
	all    []*Pod
	byName map[[2]string]*Pod // by namespace and name
}

// Pod is one of them.
type Pod struct {
	Node, Phase string
	// Reason and Message are of the pod's own end.
	Reason, Message string

	namespace, name string
	all             []*Container
	byName          map[string]*Container
}

// Container is what a record says of one. Its name is evidence.Unnamed where it has none.
type Container struct {
	Name     string
	Restarts int
	// Ended is the reason of its end, Waits that for which it cannot start.
	Ended, Waits      string
	Code              *int
	Started, Finished time.Time
	// Last tells that the end is the one before the present life.
	Last bool
}

// Of returns the pod of that name.
func (p *Pods) Of(namespace, name string) *Pod {
	key := [2]string{namespace, name}
	if p.byName[key] == nil {
		if p.byName == nil {
			p.byName = map[[2]string]*Pod{}
		}
		p.byName[key] = &Pod{namespace: namespace, name: name, byName: map[string]*Container{}}
		p.all = append(p.all, p.byName[key])
	}
	return p.byName[key]
}

// Add adds what a record says of a container to what others said.
func (p *Pod) Add(c Container) {
	c.Name = cmp.Or(c.Name, evidence.Unnamed)
	old := p.byName[c.Name]
	if old == nil {
		p.byName[c.Name] = &c
		p.all = append(p.all, &c)
		return
	}
	old.Restarts, old.Code = max(old.Restarts, c.Restarts), cmp.Or(old.Code, c.Code)
	old.Ended, old.Waits, old.Last = cmp.Or(old.Ended, c.Ended), cmp.Or(old.Waits, c.Waits), old.Last || c.Last
	if old.Finished.IsZero() {
		old.Started, old.Finished = c.Started, c.Finished
	}
}

// Objects are the pods as the API would have them: each is known by its name alone, as a row of a table is.
func (p *Pods) Objects() []map[string]any {
	out := make([]map[string]any, 0, len(p.all))
	for _, pod := range p.all {
		out = append(out, pod.object())
	}
	return out
}

func (p *Pod) object() map[string]any {
	statuses := make([]any, 0, len(p.all))
	for _, c := range p.all {
		statuses = append(statuses, c.status())
	}
	return map[string]any{"kind": "Pod", "apiVersion": "v1",
		"metadata": map[string]any{"name": p.name, "namespace": p.namespace,
			"uid": evidence.Row + p.namespace + "/" + p.name},
		"spec": map[string]any{"nodeName": p.Node},
		"status": map[string]any{"phase": p.Phase, "reason": p.Reason, "message": p.Message,
			"containerStatuses": statuses}}
}

func (c *Container) status() map[string]any {
	status := map[string]any{"name": c.Name, "restartCount": max(c.Restarts, 0)}
	if c.Code != nil || c.Ended != "" {
		end := map[string]any{"reason": c.Ended, "exitCode": evidence.NoExitCode}
		if c.Code != nil {
			end["exitCode"] = *c.Code
		}
		for key, at := range map[string]time.Time{"startedAt": c.Started, "finishedAt": c.Finished} {
			if !at.IsZero() {
				end[key] = at.UTC()
			}
		}
		which := "state"
		if c.Last || c.Restarts > 0 || c.Waits != "" {
			which = "lastState"
		}
		status[which] = map[string]any{"terminated": end}
	}
	if c.Waits != "" {
		status["state"] = map[string]any{"waiting": map[string]any{"reason": c.Waits}}
	}
	return status
}
