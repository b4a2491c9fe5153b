package timeline

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// Of two clusters that were read together, a name may be in both: the base is one machine with one pod web-0.
func TestANameThatTwoHadAtOneTimeIsDoubled(t *testing.T) {
	at := func(minutes int) time.Time { return time.Date(2026, 3, 1, 10, minutes, 0, 0, time.UTC) }
	pod := func(uid string, created, started time.Time) evidence.Pod {
		return evidence.Pod{Namespace: "shop", Name: "web-0", UID: uid, Node: "n1", CreatedAt: created,
			Object: podobject.Of(&corev1.Pod{Status: corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Time{Time: started}}}}}}})}
	}
	span := func(o *evidence.Origin, from, until int) evidence.Coverage {
		return evidence.Coverage{Source: evidence.SourceKubeletLog, Node: "n1", From: at(from), Until: at(until), Origin: o}
	}
	line := func(o *evidence.Origin, id string) evidence.Observation {
		return evidence.Observation{Subject: evidence.Subject{ContainerID: id},
			Source: evidence.Source{Kind: evidence.SourceKubeletLog, Node: "n1", Origin: o}}
	}
	a, b := &evidence.Origin{}, &evidence.Origin{}
	base := func() *evidence.Snapshot {
		return &evidence.Snapshot{Nodes: []evidence.Node{{Name: "n1"}}, Pods: []evidence.Pod{pod("1", at(0), at(30))},
			Coverage:     []evidence.Coverage{span(a, 0, 50)},
			Observations: []evidence.Observation{line(a, "x"), line(a, "y")}}
	}
	log := func(s *evidence.Snapshot, o *evidence.Origin, from, until int, ids ...string) {
		s.Coverage = append(s.Coverage, span(o, from, until))
		for _, id := range ids {
			s.Observations = append(s.Observations, line(o, id))
		}
	}
	starts := func(s *evidence.Snapshot, pod string, uids ...string) {
		for _, uid := range uids {
			o := line(a, "c-"+uid)
			o.Fact = evidence.ContainerStarted{}
			o.Subject.Namespace, o.Subject.Pod, o.Subject.PodUID = "shop", pod, uid
			s.Observations = append(s.Observations, o)
		}
	}
	for _, c := range []struct {
		name    string
		change  func(*evidence.Snapshot)
		doubled bool
	}{
		{"a pod that moved away and came back with another UID", func(s *evidence.Snapshot) {
			starts(s, "web-0", "1", "1", "2", "2", "3")
		}, false},
		{"two pods of one name that start in turn", func(s *evidence.Snapshot) { starts(s, "web-0", "1", "2", "1") }, true},
		{"a static pod whose manifest was put back", func(s *evidence.Snapshot) { starts(s, "web-n1", "1", "2", "1") }, false},
		{"one machine", func(*evidence.Snapshot) {}, false},
		{"two objects", func(s *evidence.Snapshot) { s.Nodes[0].Twice = true }, true},
		{"two pods at one time", func(s *evidence.Snapshot) { s.Pods = append(s.Pods, pod("2", at(20), at(40))) }, true},
		{"one pod after the other", func(s *evidence.Snapshot) { s.Pods = append(s.Pods, pod("2", at(31), at(40))) }, false},
		{"two logs of one time and of other containers", func(s *evidence.Snapshot) { log(s, b, 10, 40, "z") }, true},
		{"a second copy of the log", func(s *evidence.Snapshot) { log(s, b, 10, 40, "y") }, false},
		{"a log that continues the first", func(s *evidence.Snapshot) { log(s, b, 50, 59, "z") }, false},
		{"a log that names no container", func(s *evidence.Snapshot) { log(s, b, 10, 40) }, false},
		{"logs of two machines", func(s *evidence.Snapshot) {
			s.Coverage = nil
			log(s, &evidence.Origin{Machine: "m1"}, 0, 50)
			log(s, &evidence.Origin{Machine: "m2"}, 10, 40)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := base()
			c.change(s)
			if got := Begin(s).Node("n1").Doubled(); got != c.doubled {
				t.Errorf("doubled: %v", got)
			}
		})
	}
}
