// Package podrecord builds a pod from what single records say about it: rows of a dashboard, samples of metrics, output
// of a client or jq. Append encodes an object that was read out of any text, Stored marks one that a store had.
//
// It returns what the API would have of such a pod, without what no record says. The names of a record's fields are up
// to its reader. It may import evidence and the standard library.
package podrecord

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Pods are the pods that records named, in their order.
type Pods struct {
	all    []*Pod
	byName map[[2]string]*Pod // by namespace and name
}

// Pod is one of them.
type Pod struct {
	Node, Phase string
	// Reason and Message are those of the pod's own end.
	Reason, Message string

	namespace, name string
	all             []*Container
	byName          map[string]*Container
}

// Container is what a record says about a container. Its name is evidence.Unnamed if it has none.
type Container struct {
	Name     string
	Restarts int
	// Ended is the reason of its exit, Waits the reason why it cannot start.
	Ended, Waits      string
	Code              *int
	Started, Finished time.Time
	// Last reports whether the exit is the one before the current instance.
	Last bool
}

// Append appends an object as JSON. It skips one that cannot be encoded.
func Append(list []json.RawMessage, object any) []json.RawMessage {
	raw, err := json.Marshal(object)
	if err != nil {
		return list
	}
	return append(list, raw)
}

// Of returns the pod with that name.
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

// Add merges what a record says about a container with earlier records.
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

// Objects returns the pods as the API would have them: each is known only by its name, like a row of a table.
func (p *Pods) Objects() (all []json.RawMessage) {
	for _, pod := range p.all {
		all = Append(all, pod.object())
	}
	return all
}

func (p *Pod) object() map[string]any {
	statuses := make([]any, 0, len(p.all))
	for _, c := range p.all {
		statuses = append(statuses, c.status())
	}
	return Row(p.namespace, p.name, p.Node, map[string]any{"phase": p.Phase, "reason": p.Reason, "message": p.Message,
		"containerStatuses": statuses})
}

// Row returns a pod that is known only by its name: that of a row of a table, or of a record.
func Row(namespace, name, node string, status any) map[string]any {
	return map[string]any{"kind": "Pod", "apiVersion": "v1", "spec": map[string]any{"nodeName": node}, "status": status,
		"metadata": map[string]any{"name": name, "namespace": namespace, "uid": evidence.Row + namespace + "/" + name}}
}

func (c *Container) status() map[string]any {
	status := map[string]any{"name": c.Name, "restartCount": max(c.Restarts, 0)}
	if c.Code != nil || c.Ended != "" {
		end := map[string]any{"reason": c.Ended}
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
