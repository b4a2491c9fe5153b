package history_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Where events are all that there is, each start in a pod but the first one followed an end, and what is told between
// two starts is about that end.
func TestEachStartInEventsFollowedAnEnd(t *testing.T) {
	type said struct {
		at float64
		f  evidence.Fact
	}
	started := func(at float64) said { return said{at, evidence.APIEvent{Reason: "Started", Count: 1}} }
	counted := func(first, last float64, n int) said {
		return said{last, evidence.APIEvent{Reason: "Started", Count: n, First: at(first)}}
	}
	kill := func(at float64, why evidence.KillReason) said {
		return said{at, evidence.KillDecided{Reason: why, Count: 1}}
	}
	pulled := func(at float64, image string) said { return said{at, evidence.ImageSeen{Image: image}} }
	remade := func(at float64) said { return said{at, evidence.SandboxChanged{Count: 1}} }
	for name, c := range map[string]struct {
		uid    string
		events []said
		want   []string // kind, when the next one started, what is told of the end, whether its sandbox was changed
	}{
		"one start":               {"u", []said{started(10)}, nil},
		"two starts":              {"u", []said{started(10), started(60)}, []string{"Restart to 60"}},
		"one event of two starts": {"u", []said{counted(10, 60, 2)}, []string{"Restart to 60"}},
		"three starts": {"u", []said{started(10), started(60), started(90)},
			[]string{"Restart to 60", "Restart to 90"}},
		"a kill before a start": {"u", []said{started(10), kill(55, evidence.KillLiveness), started(60)},
			[]string{"Restart to 60 liveness"}},
		"a kill behind the last one": {"u", []said{started(10), started(60), kill(200, evidence.KillPod)},
			[]string{"Restart to 60", "Death pod"}},
		"a kill for each": {"u", []said{counted(2, 105, 2), kill(100, evidence.KillLiveness), kill(200, evidence.KillPod)},
			[]string{"Restart to 105 liveness", "Death pod"}},
		"two kills around the only start that is left": {"u",
			[]said{kill(100, evidence.KillLiveness), started(105), kill(200, evidence.KillPod)},
			[]string{"Restart to 105 liveness", "Death pod"}},
		"a sandbox that changed, and a slow pull": {"u",
			[]said{started(10), remade(400), started(560), kill(600, evidence.KillPod)},
			[]string{"Restart to 560 sandbox", "Death pod"}},
		"another image for the next one": {"u", []said{pulled(9, "x:1"), started(10), pulled(55, "x:2"), started(60)},
			[]string{"Restart to 60 x:1 to x:2"}},
		"a sandbox that changed before the start before": {"u", []said{started(10), remade(20), started(60), started(900)},
			[]string{"Restart to 60 sandbox", "Restart to 900"}},
		"a name that may have gone on to another pod": {"",
			[]said{started(10), started(60), kill(200, evidence.KillPod)}, []string{"Death pod"}},
		"ages of a description": {evidence.Described + "s/a",
			[]said{started(10), started(60), kill(200, evidence.KillPod)}, []string{"Death pod"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(at(1000))
			for _, e := range c.events {
				s := evidence.Subject{Namespace: "s", Pod: "web-7d9f8-x2k4p", PodUID: c.uid, Container: "app"}
				if _, changed := e.f.(evidence.SandboxChanged); changed {
					s.Container = ""
				}
				b.Observe(evidence.Observation{Time: at(e.at), Subject: s, Fact: e.f,
					Source: evidence.Source{Kind: evidence.SourceAPI, Node: "n1"}})
			}
			var got []string
			restarts := history.Build(b.Build()).Restarts
			for i, r := range restarts {
				if i > 0 && (r.Prev != restarts[i-1] || r.Prev.Next != r || r.Prev.To != r.From) {
					t.Errorf("restart %d does not begin with the instance that the one before it ended with", i)
				}
				line := string(r.Kind)
				if r.To != nil {
					line += fmt.Sprintf(" to %v", r.To.Started.Sub(at(0)).Seconds())
				}
				if r.From.Image != "" {
					line += " " + r.From.Image + " to " + r.To.Image
				}
				for _, m := range r.From.Marks {
					if k, ok := m.Obs.Fact.(evidence.KillDecided); ok {
						line += " " + string(k.Reason)
					}
				}
				if timeline.Has[evidence.SandboxChanged](r.PodMarksWith(timeline.HasSandbox), nil) {
					line += " sandbox"
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Each pod's starts are compared with its own reports of a changed sandbox: twice the pods take twice as long.
func BenchmarkStartsOfManyPods(b *testing.B) {
	const pods = 10000
	all := evidence.NewBuilder(at(10000))
	for i := range pods {
		s := evidence.Subject{Namespace: "s", Pod: fmt.Sprintf("web-%d", i), PodUID: fmt.Sprintf("u%d", i)}
		tell := func(when float64, container string, f evidence.Fact) {
			s.Container = container
			all.Observe(evidence.Observation{Time: at(when), Subject: s, Fact: f,
				Source: evidence.Source{Kind: evidence.SourceAPI, Node: "n1"}})
		}
		tell(0, "app", evidence.APIEvent{Reason: "Started", Count: 1})
		tell(240, "", evidence.SandboxChanged{Count: 1})
		tell(300, "app", evidence.APIEvent{Reason: "Started", Count: 1})
		tell(900, "app", evidence.APIEvent{Reason: "Started", Count: 1})
	}
	snapshot := all.Build()
	for b.Loop() {
		if n := len(history.Build(snapshot).Restarts); n != 2*pods {
			b.Fatalf("%d restarts of %d pods", n, pods)
		}
	}
}
