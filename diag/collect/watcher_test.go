package collect

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What was read of a node is freed when nothing can point to it any more.
func TestReadsAreKeptReplacedAndFreed(t *testing.T) {
	var freed []string
	read := func(node, name string) *nodeRead {
		return &nodeRead{node: node, collection: diag.Collection{Gaps: []evidence.Gap{{Why: name}}},
			close: func() error { freed = append(freed, name); return nil }}
	}
	names := func(reads []*nodeRead) (out []string) {
		for _, r := range reads {
			out = append(out, r.collection.Gaps[0].Why)
		}
		return out
	}
	w := NewWatcher(time.Second, nil)
	nodes := []string{"n1", "n2"}
	if known, unread := w.recall(nodes); known != nil || len(unread) != 2 {
		t.Errorf("at first %v, %v", known, unread)
	}
	w.keep([]*nodeRead{read("", "all"), read("n1", "a1"), read("n2", "b1")})
	if known, unread := w.recall(nodes); len(unread) > 0 || cmp.Diff([]string{"a1", "b1", "all"}, names(known)) != "" {
		t.Errorf("%v, %v", names(known), unread)
	}
	w.stale["n1"] = true
	if known, unread := w.recall(nodes); cmp.Diff([]string{"n1"}, unread) != "" ||
		cmp.Diff([]string{"b1"}, names(known)) != "" {
		t.Errorf("%v, %v", names(known), unread)
	}
	if got := names(w.older([]string{"n1"})); cmp.Diff([]string{"all", "a1"}, got) != "" {
		t.Errorf("older: %v", got)
	}
	w.keep([]*nodeRead{read("n1", "a2")})
	w.keep(nil)
	if len(freed) > 0 {
		t.Errorf("freed %v while the round before may show it", freed)
	}
	w.keep([]*nodeRead{read("n1", "a3")})
	if diff := cmp.Diff([]string{"a1"}, freed); diff != "" {
		t.Error(diff)
	}
	if err := w.Close(); err != nil || len(freed) != 5 {
		t.Errorf("%v, freed %v", err, freed)
	}
	var none *Watcher
	if known, unread := none.recall(nodes); known != nil || len(unread) != 2 || none.older(nodes) != nil {
		t.Error("without a watch something is remembered")
	}
	none.keep([]*nodeRead{read("n1", "x")})
}

// A node that cannot be read for a while takes nothing along that was read before, and is read again.
func TestAReadThatFailedReplacesNothing(t *testing.T) {
	read := func(why string, pieces ...evidence.RawEvidence) *nodeRead {
		return &nodeRead{node: "n1", collection: diag.Collection{Pieces: pieces, Gaps: []evidence.Gap{{Why: why}}}}
	}
	w := NewWatcher(time.Second, nil)
	good, failed, better := read("a", nil), read("b"), read("c", nil)
	w.keep([]*nodeRead{good})
	w.stale["n1"] = true
	if now := w.keep([]*nodeRead{failed}); len(now) != 2 || now[0] != failed || now[1] != good {
		t.Errorf("%d reads count", len(now))
	}
	if known, unread := w.recall([]string{"n1"}); len(known) != 0 || len(unread) != 1 {
		t.Errorf("it is not read again: %v, %v", known, unread)
	}
	if now := w.keep([]*nodeRead{better}); len(now) != 1 || now[0] != better || w.read("n1") != better {
		t.Errorf("%d reads count when it can be read again", len(now))
	}
}
