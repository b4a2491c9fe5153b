package history_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Kubelets up to v1.19 say which container they found dead, and not of which pod.
func TestALineWithoutAPodNamesTheOneEndBesideIt(t *testing.T) {
	const otherUID = "5b222463-b4cd-48ff-b717-000000000009"
	ends := func(s *analyzertest.Story, at float64, uid, name, id string) {
		s.Add(evidence.SourceKubeletLog, at, evidence.Subject{Namespace: "x", Pod: "q-" + uid[len(uid)-1:], PodUID: uid,
			Container: name, ContainerID: id}, evidence.ContainerDied{})
	}
	for _, c := range []struct {
		name   string
		dead   float64 // when the line was written, after the end at 20 s
		change func(*analyzertest.Story)
		want   string
	}{
		{name: "alone", dead: 20.2, want: "main"},
		{name: "much later", dead: 60},
		{name: "before it", dead: 19},
		{name: "another pod's end without a name", dead: 20.2, change: func(s *analyzertest.Story) {
			ends(s, 15, otherUID, "", "0c")
		}},
		{name: "another pod's end long ago", dead: 20.2, change: func(s *analyzertest.Story) {
			ends(s, 2, otherUID, "", "0c")
		}, want: "main"},
		{name: "another pod's end with that name", dead: 20.2, change: func(s *analyzertest.Story) {
			ends(s, 20.1, otherUID, "main", "0c")
		}},
		{name: "another pod's end with another name", dead: 20.2, change: func(s *analyzertest.Story) {
			ends(s, 20.1, otherUID, "side", "0c")
		}, want: "main"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := analyzertest.New()
			of := evidence.Subject{Namespace: "s", Pod: "p", PodUID: "5b222463-b4cd-48ff-b717-000000000001"}
			died, started := of, of
			died.ContainerID, started.ContainerID = "0a", "0b"
			if c.change != nil {
				c.change(s)
			}
			s.Add(evidence.SourceKubeletLog, 20, died, evidence.ContainerDied{})
			s.Add(evidence.SourceKubeletLog, c.dead, evidence.Subject{Container: "main"}, evidence.RestartDecided{})
			s.Add(evidence.SourceKubeletLog, 21, started, evidence.ContainerStarted{})
			got := ""
			for _, r := range history.Build(s.Snapshot()).Restarts {
				if r.From.ID == "0a" {
					got = r.Container
				}
			}
			if got != c.want { // what stays unnamed is counted only
				t.Errorf("named %q, want %q", got, c.want)
			}
		})
	}
}

// A person shows what the API has of a container, without its name, and the kernel's record of one of the same pod.
func TestAnIDIsNoName(t *testing.T) {
	const pod = "5b222463-b4cd-48ff-b717-000000000001"
	code := int32(128)
	s := analyzertest.New()
	s.Add(evidence.SourceKernelLog, analyzertest.Never, evidence.Subject{PodUID: pod, ContainerID: analyzertest.NewID},
		evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", TaskMemcg: "/kubepods/pod" + pod + "/" + analyzertest.NewID,
			OOMMemcg: "/kubepods/pod" + pod, Task: "exe", PID: 7, Tasks: 1})
	s.Add(evidence.SourceKubeletLog, 41, evidence.Subject{Namespace: "s", Pod: "p", PodUID: pod,
		ContainerID: analyzertest.NewID}, evidence.ContainerDied{})
	s.Add(evidence.SourceAPI, 42, evidence.Subject{Namespace: "s", Pod: "p", PodUID: pod, Container: evidence.Unnamed},
		evidence.ContainerRecord{State: evidence.StateExited, Last: true, Finished: at(40), ExitCode: &code, Attempt: -1})
	codes := 0
	for _, r := range history.Build(s.Snapshot()).Restarts {
		if r.Container != evidence.Unnamed {
			t.Errorf("named %q", r.Container)
		}
		if c := r.From.ExitCode; c != nil && *c == code {
			codes++
		}
	}
	if codes != 1 {
		t.Errorf("%d ends with the code that the API has, want one", codes)
	}
}

// crictl prints a pod's name and no UID, the kernel its UID and no name: the id that both have joins them, and all that
// crictl prints of the pod.
func TestTheKernelsPodGetsItsNameByAnID(t *testing.T) {
	const pod = "5b222463-b4cd-48ff-b717-000000000001"
	s := analyzertest.New()
	row := func(id string, attempt int, state evidence.ContainerState) {
		s.Add(evidence.SourceCRI, analyzertest.Never, evidence.Subject{Namespace: "s", Pod: "p", Container: "app",
			ContainerID: id[:13]}, evidence.ContainerRecord{State: state, Attempt: attempt, RestartCount: -1,
			Started: at(float64(10 * attempt)), Coarse: true})
	}
	row(analyzertest.OldID, 2, evidence.StateExited)
	row(analyzertest.NewID, 3, evidence.StateRunning)
	s.Add(evidence.SourceKernelLog, analyzertest.Never, evidence.Subject{PodUID: pod, ContainerID: analyzertest.OldID},
		evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", TaskMemcg: "/kubepods/pod" + pod + "/" + analyzertest.OldID,
			OOMMemcg: "/kubepods/pod" + pod + "/" + analyzertest.OldID, Task: "app", PID: 7, Tasks: 1})
	restarts := 0
	for _, r := range history.Build(s.Snapshot()).Restarts {
		if r.PodName != "p" {
			continue
		}
		restarts++
		if r.PodUID != pod || r.From.ID != analyzertest.OldID || r.To == nil || r.To.Attempt != 3 {
			t.Errorf("%s %s: %+v, then %+v", r.Kind, r.PodUID, r.From, r.To)
		}
	}
	if restarts != 1 {
		t.Errorf("%d rows, want one", restarts)
	}
}
