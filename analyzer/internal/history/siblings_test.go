package history_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestSiblingsAndNeighbours(t *testing.T) {
	s := analyzertest.New()
	s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp})
	s.Add(evidence.SourceCRI, 20, named("a", "1a", ""), exited(0, 10, 20, 1)).Add(evidence.SourceCRI,
		500, named("a", "2a", ""), exited(1, 21, 500, 1))
	s.Add(evidence.SourceCRI, 22, named("b", "1b", ""), exited(0, 10, 22, 1))
	tl := history.Build(s.Snapshot())
	first := tl.Restarts[0]
	if len(first.Siblings) != 2 || first.Siblings[0] != first || first.Siblings[1].Container != "b" || first.Crowded {
		t.Errorf("siblings of the first: %d", len(first.Siblings))
	}
	if first.Next == nil || first.Next.Prev != first || first.Prev != nil {
		t.Error("the next restart of the same container is not linked")
	}
}

// Other pods count once each, and only those that ended within two seconds.
func TestOtherPodsThatEndedBesideAreCounted(t *testing.T) {
	s := analyzertest.New()
	s.Add(evidence.SourceCRI, 20, named("a", "1a", ""), exited(0, 10, 20, 1)).Add(evidence.SourceCRI,
		21, named("b", "1b", ""), exited(0, 10, 21, 1))
	for i, end := range []float64{17.9, 18, 18.1, 20, 21.9, 22, 22.1} {
		other := named("c", "c"+strconv.Itoa(i), "")
		// 0 and 4, 1 and 5, 2 and 6 belong to one pod each
		other.Pod = "web-7d9c8f6b5-" + strings.Repeat(string("bcdf"[i%4]), 5)
		other.PodUID = fmt.Sprintf("5b222463-b4cd-48ff-b717-%012d", i%4)
		s.Add(evidence.SourceCRI, end, other, exited(0, 10, end, 1))
	}
	for _, r := range history.Build(s.Snapshot()).Restarts {
		if want := map[string]int{"1a": 4, "1b": 4}[r.From.ID]; want != 0 && r.Beside != want {
			t.Errorf("%s: %d pods beside it, want %d", r.From.ID, r.Beside, want)
		}
		if r.From.ID == "1a" && r.Workloads != 2 {
			t.Errorf("they are of %d workloads, want 2", r.Workloads)
		}
	}
}

// A crowd is cut to the nearest ones, and marked.
func TestSiblingsOfACrowdAreTheNearest(t *testing.T) {
	s := analyzertest.New()
	const all = 2 * timeline.Crowd
	for i := range all {
		id := fmt.Sprintf("c%03d", i)
		end := 20 + float64(i)/100
		s.Add(evidence.SourceCRI, end, named(id, id, ""), exited(0, 10, end, 1))
	}
	rs := history.Build(s.Snapshot()).Restarts
	if len(rs) != all {
		t.Fatalf("%d restarts", len(rs))
	}
	for i, r := range rs {
		if !r.Crowded || len(r.Siblings) > timeline.Crowd || !slices.Contains(r.Siblings, r) {
			t.Fatalf("%d: %d siblings, crowded %t", i, len(r.Siblings), r.Crowded)
		}
		if i > 0 && !slices.Contains(r.Siblings, rs[i-1]) || i+1 < all && !slices.Contains(r.Siblings, rs[i+1]) {
			t.Fatalf("%d: its neighbours are missing", i)
		}
	}
}
