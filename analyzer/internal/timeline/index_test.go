package timeline

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var day = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

func hours(from, until float64, verbosity int) evidence.Coverage {
	at := func(h float64) time.Time { return day.Add(time.Duration(h * float64(time.Hour))) }
	return evidence.Coverage{Source: evidence.SourceKubeletLog, Node: "n1",
		From: at(from), Until: at(until), Verbosity: verbosity}
}

// The search finds what a linear scan finds.
func TestCoverageIsSearchedAndNotMissed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var all []evidence.Coverage
		for range rng.IntN(8) {
			from := float64(rng.IntN(20))
			all = append(all, hours(from, from+float64(rng.IntN(8)), rng.IntN(5)))
		}
		tl := &History{Nodes: map[string]*NodeStory{}}
		tl.Cover(all, nil)
		tl.Index()
		for range 50 {
			from := day.Add(time.Duration(rng.IntN(25*60)) * time.Minute)
			until := from.Add(time.Duration(rng.IntN(120)) * time.Minute)
			want, verbosity := false, 0
			for _, c := range all {
				if c.Covers(from, until) {
					want, verbosity = true, max(verbosity, c.Verbosity)
				}
			}
			if ok, v := tl.Nodes["n1"].Covered(evidence.SourceKubeletLog, from, until, anybody); ok != want || v != verbosity {
				t.Fatalf("%v over [%v, %v]: %v at %d, want %v at %d", all, from, until, ok, v, want, verbosity)
			}
		}
	}
}

func TestNothingReachesBackToNoTime(t *testing.T) {
	tl := &History{Nodes: map[string]*NodeStory{}}
	tl.Cover([]evidence.Coverage{{Source: evidence.SourceKubeletLog, Node: "n1", Until: day}, hours(0, 1, 2)}, nil)
	tl.Index()
	if ok, _ := tl.Nodes["n1"].Covered(evidence.SourceKubeletLog, time.Time{}, day, anybody); ok {
		t.Error("a time that is not known is covered")
	}
	for _, c := range []struct {
		kind evidence.SourceKind
		node string
	}{{evidence.SourceRuntimeLog, "n1"}, {evidence.SourceKubeletLog, "n2"}} {
		if ok, _ := tl.Nodes[c.node].Covered(c.kind, day, day, anybody); ok {
			t.Errorf("%s of %s was never read", c.kind, c.node)
		}
	}
}

func marksAt(minutes ...int) (all []Occurrence) {
	for _, m := range minutes {
		all = append(all, Occurrence{At: day.Add(time.Duration(m) * time.Minute),
			Obs: &evidence.Observation{Source: evidence.Source{Kind: evidence.SourceSystemd}}})
	}
	return all
}

func TestMarksAreFoundByTheirTime(t *testing.T) {
	marks := marksAt(1, 5, 5, 9)
	at := func(m int) time.Time { return day.Add(time.Duration(m) * time.Minute) }
	for _, c := range []struct{ from, until, want int }{{0, 10, 4}, {1, 9, 4},
		{2, 8, 2}, {5, 5, 2}, {6, 8, 0}, {10, 20, 0}, {8, 2, 0}} {
		if c.from <= c.until {
			if got := Within(marks, at(c.from), at(c.until).Add(1)); len(got) != c.want {
				t.Errorf("from %d to %d: %d marks, want %d", c.from, c.until, len(got), c.want)
			}
		}
	}
	if m := Near(marks, at(6), 2*time.Minute, 0); m != &marks[1] {
		t.Errorf("near minute 6: %v", m)
	}
	if m := Near(marks, at(6), 30*time.Second, 30*time.Second); m != nil {
		t.Errorf("near minute 6 without looking far: %v", m)
	}
}

func TestBoots(t *testing.T) {
	n := &NodeStory{Boots: marksAt(1, 5, 9)}
	n.Boots[2].Obs = &evidence.Observation{Source: evidence.Source{Kind: evidence.SourceAPI}}
	if got := n.BootsAfter(n.Boots[1].At); len(got) != 1 || !got[0].At.Equal(n.Boots[2].At) {
		t.Errorf("after the second: %v", got)
	}
	if got := n.LastBoot(day); !got.IsZero() {
		t.Errorf("a log that does not reach so far remembers %v", got)
	}
	n.Boots[1].Obs = &evidence.Observation{Source: evidence.Source{Kind: "host"}}
	if got := n.LastBoot(day); !got.Equal(n.Boots[1].At) {
		t.Errorf("the last that the node itself remembers: %v", got)
	}
	if !(&NodeStory{}).LastBoot(day).IsZero() || len((&NodeStory{}).BootsAfter(day)) > 0 {
		t.Error("a node that never booted has")
	}
}

func TestTheLastOtherVersionOfAKubelet(t *testing.T) {
	n := &NodeStory{}
	for i, v := range []string{"v1.29", "v1.30", "", "v1.30", "v1.30", "", "v1.31", "v1.29"} {
		n.Kubelet = append(n.Kubelet, KubeletRun{Start: day.Add(time.Duration(i) * time.Hour), Version: v})
	}
	n.versions()
	for i, want := range []string{"", "v1.29", "", "v1.29", "v1.29", "", "v1.30", "v1.31"} {
		run, before := n.KubeletAt(n.Kubelet[i].Start.Add(time.Minute))
		got := ""
		if before != nil {
			got = before.Version
		}
		if run != &n.Kubelet[i] || got != want {
			t.Errorf("run %d: before it %q, want %q", i, got, want)
		}
	}
}

func anybody(*evidence.Origin) bool { return true }
