package analyzer

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// mentioning is a snapshot whose texts mention a pod that ended.
func mentioning(namespace, name string, own ...evidence.Pod) *evidence.Snapshot {
	code := int32(137)
	uid := evidence.Mentioned + namespace + "/" + name
	return &evidence.Snapshot{Pods: own, Mentioned: &evidence.Snapshot{
		Pods: []evidence.Pod{{UID: uid, Namespace: namespace, Name: name,
			Containers: []evidence.Container{{Name: evidence.Unnamed, Kind: evidence.KindApp}}}},
		Observations: []evidence.Observation{{ID: "m1",
			Subject: evidence.Subject{PodUID: uid, Namespace: namespace, Pod: name,
				Container: evidence.Unnamed}, Source: evidence.Source{Kind: evidence.SourceAPI},
			Fact: evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateExited, Attempt: -1, Last: true,
				ExitCode: &code,
				Reason:   "OOMKilled", RestartCount: -1}}},
	}}
}

// Words count for pods of which nothing else tells, and for those only.
func TestMentionsCountWhereNothingElseTells(t *testing.T) {
	items := func(s *evidence.Snapshot) int { return len(build(s).Restarts) }
	if n := items(mentioning("shop", "cart-0")); n != 1 {
		t.Errorf("%d items of a pod that is only mentioned", n)
	}
	healthy := evidence.Pod{UID: "u1", Namespace: "shop", Name: "cart-0", Phase: "Running"}
	if n := items(mentioning("shop", "cart-0", healthy)); n != 0 {
		t.Errorf("%d items of a pod that the API tells of", n)
	}
	if n := items(mentioning("default", evidence.Unnamed, healthy)); n != 0 {
		t.Errorf("%d items of a pod without a name beside those of the API", n)
	}
	if n := items(&evidence.Snapshot{}); n != 0 {
		t.Errorf("%d items of nothing", n)
	}
}

// The only pod that the texts name is the one whose end has no name.
func TestEndsWithoutANameGetTheOnlyOne(t *testing.T) {
	s := mentioning("shop", "cart-0")
	line := &timeline.History{Restarts: []*timeline.Restart{{PodName: evidence.Unnamed, Container: evidence.Unnamed,
		From: &timeline.Instance{}}}}
	nameUnnamed(s, line)
	if r := line.Restarts[0]; r.PodName != "cart-0" || r.Namespace != "shop" {
		t.Errorf("%s/%s", r.Namespace, r.PodName)
	}
	other := mentioning("shop", "cart-1").Mentioned.Pods[0]
	s.Mentioned.Pods = append(s.Mentioned.Pods, other)
	line.Restarts[0].PodName = evidence.Unnamed
	if nameUnnamed(s, line); line.Restarts[0].PodName != evidence.Unnamed {
		t.Errorf("one of two: %s", line.Restarts[0].PodName)
	}
}

func TestMentionsAreNeverMoreThanPossible(t *testing.T) {
	r := Analyze(mentioning("shop", "cart-0"), Options{})
	if len(r.Items) != 1 || r.Items[0].Verdict.Confidence != "possible" {
		t.Fatalf("%+v", r.Items)
	}
}
