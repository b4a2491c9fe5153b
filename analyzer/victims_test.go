package analyzer

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kill of which the kernel has the pod's UID alone is of the only pod whose end nothing explains.
func TestAKillIsOfTheOnlyRowThatCountsRestarts(t *testing.T) {
	const uid = "951f6bc5-c5a5-11ea-8707-80e455f266a2"
	at := time.Date(2026, 3, 5, 10, 0, 0, 0, time.UTC)
	killed := func() *timeline.Restart {
		return &timeline.Restart{PodUID: uid, PodName: uid, Container: "app",
			From: &timeline.Instance{Finished: at, OnlyKilled: true}}
	}
	row := func(name string, change func(*timeline.Restart)) *timeline.Restart {
		r := &timeline.Restart{PodUID: evidence.Row + "shop/" + name, Namespace: "shop", PodName: name,
			Container: evidence.Unnamed, Restarts: 3, Kind: timeline.KindRestart, From: &timeline.Instance{}}
		change(r)
		return r
	}
	same := func(*timeline.Restart) {}
	zero := int32(0)
	for name, c := range map[string]struct {
		rows []*timeline.Restart
		want string // the pod of the kill
	}{
		"one row":            {[]*timeline.Restart{row("web-0", same)}, "web-0"},
		"two rows":           {[]*timeline.Restart{row("web-0", same), row("web-1", same)}, uid},
		"a row with a code":  {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.From.ExitCode = &zero })}, uid},
		"a row with a cause": {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.From.Reason = "Error" })}, uid},
		"no restarts":        {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.Restarts = 0 })}, uid},
		"another node":       {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.Node = "n2" })}, uid},
		"a pod with a UID":   {[]*timeline.Restart{row("web-0", func(r *timeline.Restart) { r.PodUID = "u" })}, uid},
	} {
		kill := killed()
		kill.Node = "n1"
		nameVictims(&timeline.History{Restarts: append(c.rows, kill)})
		if kill.PodName != c.want {
			t.Errorf("%s: it is of %s, want %s", name, kill.PodName, c.want)
		}
	}
}
