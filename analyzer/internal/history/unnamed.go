package history

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// joinUnnamed assigns a table's data about an unnamed container to the only container of the pod that something else
// names. With several it could be any, and their own ends are known; without any it stays unnamed.
func (t *builder) joinUnnamed() {
	t.groups = slices.DeleteFunc(t.groups, func(g *group) bool {
		row := g.pod != nil && g.pod.Row()
		if g.Container != evidence.Unnamed || len(g.instances) > 0 && !strings.HasPrefix(g.in.UID, evidence.Row) {
			return false
		}
		switch others := len(g.in.groups) - 1; {
		case others == 0:
			return g.pod == nil && strings.HasPrefix(g.in.UID, evidence.Row) // its row was left out: the pod is known
		case others > 1:
			return !row
		}
		named := g.in.groups[0]
		if named == g {
			named = g.in.groups[1]
		}
		if len(named.Container) == subject.ShortID && len(named.instances) > 0 &&
			strings.HasPrefix(named.instances[0].ID, named.Container) {
			named.Container = evidence.Unnamed // the kernel knows it by its id: that is no name
		}
		if g.pod != nil {
			named.restarts = max(named.restarts, g.restarts)
			if named.waiting.Reason == "" {
				named.more().waiting = g.waiting
			}
		}
		if row && g.waiting.Reason == "" && slices.ContainsFunc(g.idless, runs) {
			named.more().up = g.idless[0].ID
		}
		switch {
		case row && (len(named.instances) > 0 || named.killed() || !slices.ContainsFunc(g.idless, anEnd)): // its state is now
		case row:
			named.more().idless = append(named.idless, g.idless...)
		case !strings.HasPrefix(g.in.UID, evidence.Mentioned): // what a description shows
			named.more().idless = append(named.idless, g.idless...)
		case named.waiting.Reason == "" && !named.toldEnd() && named.named.StartedAgain() == nil && (g.pod == nil || g.pod.Reason == ""):
			// its events name the container but no end, while text does
			named.more().idless = append(named.idless, g.idless...)
		}
		g.in.groups = []*group{named}
		return true
	})
}

// anEnd reports whether a record of a state has the reason or the time of an end.
func anEnd(o *subject.Seen) bool {
	f := o.Fact.(evidence.ContainerRecord)
	return !f.Finished.IsZero() || f.State == evidence.StateExited && f.Reason != ""
}

// runs reports whether a record is of a running container.
func runs(o *subject.Seen) bool { return o.Fact.(evidence.ContainerRecord).State == evidence.StateRunning }

// killed reports whether an event that names the container says why the kubelet killed it.
func (g *group) killed() bool {
	return timeline.Has(g.named, func(evidence.KillDecided) bool { return true })
}

// toldEnd reports whether events that name the container tell of an end.
func (g *group) toldEnd() bool { return g.killedUnseen(true) != nil || g.failedToStart() != nil }
