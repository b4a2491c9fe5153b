package history

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// recall adds the instances that are known only from a file in the container's log directory. The file's number is the
// restart count that the kubelet gave the instance (kuberuntime_container.go, logPath); it is created with the
// instance. It does not show when the instance ended: at some time after its last line.
func (g *group) recall() {
	if g.logs == nil {
		return
	}
	f := g.logs.Fact.(evidence.ContainerLogs)
	taken := make([]bool, len(g.instances))
	for _, a := range slices.Backward(slices.SortedFunc(slices.Values(f.Attempts),
		func(a, b evidence.LoggedAttempt) int { return a.Number - b.Number })) {
		if g.knows(&a, taken) {
			continue
		}
		in := &timeline.Instance{ID: a.ContainerID, Attempt: a.Number, Logged: &a, Records: []string{g.logs.ID}}
		in.SetTime(timeline.OfCreated, &in.Created, a.Begun, timeline.FromKubeletLog)
		if newest := g.newest(); newest > a.Number {
			in.State = evidence.StateExited
		}
		g.instances, taken = append(g.instances, in), append(taken, true)
	}
}

// knows reports whether an instance is known from elsewhere, and marks it as taken. The API's last state has no number:
// the newest file without another match belongs to it.
func (g *group) knows(a *evidence.LoggedAttempt, taken []bool) bool {
	i := slices.IndexFunc(g.instances, func(in *timeline.Instance) bool {
		return in.Attempt == a.Number || a.ContainerID != "" && in.ID == a.ContainerID
	})
	for j, in := range g.instances {
		if i < 0 && !taken[j] && in.Attempt < 0 && !in.After(a.Changed) {
			i = j
		}
	}
	if i >= 0 {
		taken[i] = true
	}
	return i >= 0
}

// newest returns the highest known restart count of the container.
func (g *group) newest() int {
	n := g.restarts
	for _, in := range g.instances {
		n = max(n, in.Attempt)
	}
	return n
}
