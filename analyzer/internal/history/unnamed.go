package history

import (
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/subject"
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
		if up := slices.IndexFunc(g.idless, runs); row && g.waiting.Reason == "" && up >= 0 {
			named.more().up = g.idless[up].ID
		}
		joins := true // what a description shows
		switch {
		case row: // its state is now: it counts for an end that nothing else tells of
			joins = len(named.instances) == 0 && !named.named.Killed() && slices.ContainsFunc(g.idless, anEnd)
		case strings.HasPrefix(g.in.UID, evidence.Mentioned): // for one of which a text tells and its events do not
			joins = named.waiting.Reason == "" && named.killedUnseen(true) == nil && named.named.StartedAgain() == nil &&
				named.failedToStart() == nil && (g.pod == nil || g.pod.Reason == "")
		}
		if joins {
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
func runs(o *subject.Seen) bool {
	return o.Fact.(evidence.ContainerRecord).State == evidence.StateRunning
}
