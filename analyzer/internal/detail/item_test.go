package detail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// crashed is the base of the lanes' tests: one container that ran from 10 s to
// 300 s, exited with code 1 and was started again at 301 s.
func crashed() *analyzertest.Story {
	s := analyzertest.New().Events().Logs().Records(10, 300, 1, "Error", 301, nil)
	s.Mute = true // the tests themselves say what the logs contain
	return s.Add(evidence.SourceCRI, 9, evidence.Subject{PodUID: analyzertest.PodUID, SandboxID: analyzertest.OldBox},
		evidence.SandboxRecord{Created: analyzertest.At(9), Ready: true})
}

// oldest returns the detail of the first restart in the evidence.
func oldest(t *testing.T, s *analyzertest.Story) (*report.ItemDetail, *report.Item) {
	t.Helper()
	res := analyzer.AnalyzeWithDetails(s.Snapshot(), analyzer.Options{})
	if len(res.Report.Items) == 0 {
		t.Fatal("nothing restarted")
	}
	it := &res.Report.Items[len(res.Report.Items)-1]
	told, err := res.Details.ItemDetail(it.ID)
	if err != nil {
		t.Fatal(err)
	}
	return told, it
}

// lines prints the lanes of a kind: a line for each lane's name where there are
// several, each span and each mark, in seconds.
func lines(lanes []report.Lane, kind report.LaneKind) (out []string) {
	second := func(t *time.Time) string {
		if t == nil {
			return "…"
		}
		return fmt.Sprintf("%g", t.Sub(analyzertest.T0).Seconds())
	}
	for _, l := range lanes {
		if l.Kind != kind {
			continue
		}
		for _, s := range l.Spans {
			sign := ""
			if s.Bad {
				sign = "!"
			}
			out = append(out, fmt.Sprintf("%s %s–%s %s%s", l.Name, second(s.From), second(s.To), sign, s.Text))
		}
		for _, m := range l.Marks {
			sign := ""
			if m.Decisive {
				sign = "*"
			}
			out = append(out, fmt.Sprintf("%s %s%s", second(&m.At), sign, m.Text))
		}
	}
	return out
}

func container(name, id string) evidence.Subject {
	return evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: analyzertest.PodUID, Container: name, ContainerID: id}
}

func TestTheLanesOfAnItem(t *testing.T) {
	refused := safetext.Clean("connection refused")
	one, running := int32(1), evidence.StateRunning
	for _, c := range []struct {
		name   string
		change func(*analyzertest.Story)
		lane   report.LaneKind
		want   []string
	}{
		{"the old instance and the new one", func(*analyzertest.Story) {}, report.LaneInstance,
			[]string{"a 10–300 !attempt 0: exit code 1 (Error)", "a 301–… attempt 1: runs"}},
		{"the containers beside it come after it", func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 12, container("A-sidecar", "3333"),
				evidence.ContainerRecord{State: running, Started: analyzertest.At(12), RestartCount: 0})
			s.Add(evidence.SourceCRI, 250, container("b", "4444"),
				evidence.ContainerRecord{State: evidence.StateExited, Started: analyzertest.At(11),
					Finished: analyzertest.At(250), ExitCode: &one, RestartCount: 0})
		}, report.LaneInstance,
			[]string{"a 10–300 !attempt 0: exit code 1 (Error)", "a 301–… attempt 1: runs",
				"A-sidecar 12–… attempt 0: runs", "b 11–250 !attempt 0: exit code 1"}},
		{"what another pod did is left out", func(s *analyzertest.Story) {
			other := evidence.Subject{Namespace: "shop", Pod: "web-1", PodUID: "another", Container: "a", ContainerID: "5555"}
			s.Add(evidence.SourceCRI, 12, other, evidence.ContainerRecord{State: running, Started: analyzertest.At(12)})
		}, report.LaneInstance,
			[]string{"a 10–300 !attempt 0: exit code 1 (Error)", "a 301–… attempt 1: runs"}},
		{"the sandbox", func(*analyzertest.Story) {}, report.LaneSandbox, []string{"sandbox 9–… attempt 0: ready"}},
		{"a sandbox that died, and its successor", func(s *analyzertest.Story) {
			s.Runtime(298, analyzertest.OldBox, evidence.TaskExited{})
			s.Add(evidence.SourceRuntimeLog, 300.5, evidence.Subject{PodUID: analyzertest.PodUID,
				SandboxID: analyzertest.NewBox}, evidence.SandboxCreated{Attempt: 1})
		}, report.LaneSandbox, []string{"sandbox 9–298 !attempt 0: ended", "sandbox 300.5–… attempt 1"}},
		{"every probe that failed", func(s *analyzertest.Story) {
			s.Add(evidence.SourceKubeletLog, 270, container("a", ""),
				evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Count: 1, Output: refused})
			s.Add(evidence.SourceKubeletLog, 280, container("b", ""),
				evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 1})
			s.KubeletPod(281, evidence.ProbeResultChanged{Probe: evidence.ProbeLiveness, Status: "unhealthy"})
		}, report.LaneProbe, []string{"270 readiness probe of a failed: connection refused",
			"280 liveness probe of b failed", "281 liveness of the pod is now: unhealthy"}},
		{"failures of long before are left out", func(s *analyzertest.Story) {
			s.Add(evidence.SourceKubeletLog, -400, container("a", ""),
				evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Count: 1})
			s.Add(evidence.SourceAPI, 290, container("a", ""),
				evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 9, First: analyzertest.At(-300)})
		}, report.LaneProbe, []string{"290 liveness probe of a failed (the last of 9)"}},
		{"an aggregated event whose last occurrence came later", func(s *analyzertest.Story) {
			s.Add(evidence.SourceAPI, 2000, container("a", ""),
				evidence.ProbeFailed{Probe: evidence.ProbeReadiness, Count: 9, First: analyzertest.At(200)})
		}, report.LaneProbe, []string{"200 readiness probe of a failed (the first of 9)"}},
		{"the kubelet's words about the container and the node", func(s *analyzertest.Story) {
			s.KubeletStarts(200, "v1.36.3", 7)
			s.Kubelet(300.4, analyzertest.OldID, evidence.ContainerDied{}).Kubelet(300.4,
				analyzertest.OldID, evidence.ContainerFinished{ExitCode: 1})
			s.Kubelet(301.4, analyzertest.NewID, evidence.ContainerStarted{})
			s.Add(evidence.SourceKubeletLog, 290, evidence.Subject{}, evidence.RuntimeTrouble{State: evidence.RuntimeNoAnswer})
		}, report.LaneKubelet, []string{
			"200 kubelet v1.36.3 started (pid 7)", "290 the runtime does not answer",
			"300.4 *sees that a (attempt 0) ended with exit code 1", "301.4 sees that a (attempt 1) started"}},
		{"a kubelet that finds what ended before its start", func(s *analyzertest.Story) {
			s.KubeletStarts(302, "v1.36.3", 7)
			s.Kubelet(303, analyzertest.OldID, evidence.ContainerDied{}).Kubelet(303.1,
				analyzertest.NewID, evidence.ContainerStarted{})
		}, report.LaneKubelet, []string{
			"302 kubelet v1.36.3 started (pid 7)", "303 newly started, finds that a (attempt 0) ended",
			"303.1 newly started, finds that a (attempt 1) started"}},
		{"calls to the runtime, which know an id only", func(s *analyzertest.Story) {
			s.Runtime(299, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
			s.Add(evidence.SourceRuntimeLog, 300.6, evidence.Subject{Container: "a",
				ContainerID: analyzertest.NewID, SandboxID: analyzertest.OldBox}, evidence.RuntimeCreated{Attempt: 1})
			s.Add(evidence.SourceRuntimeLog, 300.7, evidence.Subject{Container: "b",
				ContainerID: "6666", SandboxID: analyzertest.OldBox}, evidence.RuntimeCreated{Attempt: 4})
			s.Runtime(300.8, "6666", evidence.TaskStarted{})
			s.Runtime(300.9, "7777", evidence.TaskStarted{})
		}, report.LaneRuntime, []string{
			"299 *gets a request to stop a (attempt 0) within 30 s", "300.6 created a (attempt 1)",
			"300.7 created b (attempt 4)", "300.8 started b (attempt 4)"}},
		{"the runtime itself", func(s *analyzertest.Story) {
			s.Add(evidence.SourceRuntimeLog, 250, evidence.Subject{}, evidence.RuntimeStopping{})
			s.Add(evidence.SourceRuntimeLog, 255, evidence.Subject{}, evidence.RuntimeStarted{Version: "1.7.0"})
		}, report.LaneRuntime, []string{"250 the container runtime shuts down cleanly",
			"255 the container runtime 1.7.0 started"}},
		{"the kernel's records of this pod, and of the whole node", func(s *analyzertest.Story) {
			s.Kernel(100, analyzertest.OldID, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "worker", Limit: 64 << 20})
			s.Kernel(150, "7777", evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "stranger"})
			s.Add(evidence.SourceKernelLog, 160, evidence.Subject{},
				evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", Task: "stranger"})
			s.Add(evidence.SourceKernelLog, 170, evidence.Subject{},
				evidence.OOMKill{Constraint: "CONSTRAINT_NONE", Global: true, Task: "java"})
			s.Add(evidence.SourceKernelLog, 180, evidence.Subject{}, evidence.Segfault{Task: "stranger"})
			s.Add(evidence.SourceKernelLog, 190, evidence.Subject{},
				evidence.HungTask{Kind: "blocked", Task: "jbd2", Seconds: 120})
		}, report.LaneKernel, []string{
			"100 out of memory at a cgroup's limit of 64 MiB: killed worker in a (attempt 0)",
			"170 out of memory of the whole node: killed java", "190 jbd2 made no progress for 120 s (blocked)"}},
		{"units and packages", func(s *analyzertest.Story) {
			s.Add(evidence.SourceHostLog, 280, evidence.Subject{},
				evidence.PackageChanged{Manager: "dpkg", Action: "upgrade", Package: "containerd"})
			s.Add(evidence.SourceSystemd, 281, evidence.Subject{},
				evidence.UnitChanged{Unit: "containerd.service", Change: "stopping"})
			s.Add(evidence.SourceSystemd, 3000, evidence.Subject{},
				evidence.UnitState{Unit: "containerd.service", Active: "active", ActiveEnterTime: analyzertest.At(285)})
			s.Add(evidence.SourceSystemd, 3001, evidence.Subject{},
				evidence.UnitState{Unit: "kubelet.service", Active: "active", ActiveEnterTime: analyzertest.At(-9000)})
		}, report.LaneSystemd, []string{"280 dpkg upgrade containerd", "281 containerd.service stopping",
			"285 containerd.service became active"}},
		{"events and writes of the API", func(s *analyzertest.Story) {
			s.Pod.SpecWrites = []evidence.SpecWrite{
				{Manager: "kubectl-set", Time: analyzertest.At(120), Images: []string{"a"}, OnlyImages: true},
				{Manager: "operator", Time: analyzertest.At(125), Images: []string{"a"}},
				{Manager: "kube-controller-manager", Time: analyzertest.T0},
			}
			s.PodEvent(130, evidence.APIEvent{Reason: "Pulled", Message: safetext.Clean("image pulled"), Count: 1})
			s.Add(evidence.SourceAPI, 140, evidence.Subject{}, evidence.APIEvent{Reason: "NodeNotReady", Count: 1})
			s.Add(evidence.SourceAPI, 150, evidence.Subject{}, evidence.APIEvent{Reason: "NodeHasSufficientPID", Count: 1})
		}, report.LaneAPI, []string{"120 kubectl-set wrote the image of a", "125 operator wrote the pod's spec",
			"130 Pulled: image pulled", "140 NodeNotReady"}},
		{"a pod that is new", func(s *analyzertest.Story) { s.Pod.CreatedAt = analyzertest.At(181) },
			report.LaneAPI, []string{"181 the pod was created"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := crashed()
			c.change(s)
			told, _ := oldest(t, s)
			if c.name == "the containers beside it come after it" {
				// The neighbour ended first: the detail is container a's.
				res := analyzer.AnalyzeWithDetails(s.Snapshot(), analyzer.Options{Container: "a"})
				var err error
				if told, err = res.Details.ItemDetail(res.Report.Items[0].ID); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(c.want, lines(told.Lanes, c.lane)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAStaticPodIsFoundUnderBothOfItsUIDs(t *testing.T) {
	s := crashed()
	s.Pod.Mirror, s.Pod.ConfigHash = true, "static-uid"
	s.Add(evidence.SourceKubeletLog, 299, evidence.Subject{PodUID: "static-uid", ContainerID: analyzertest.OldID},
		evidence.KillStarted{GraceSeconds: 5})
	s.Add(evidence.SourceKubeletLog, 298, evidence.Subject{PodUID: "static-uid"},
		evidence.PodConfig{Op: "UPDATE", Origin: "file"})
	told, _ := oldest(t, s)
	want := []string{"298 gets UPDATE for the pod from file", "299 *kills a (attempt 0) with a grace period of 5 s"}
	if diff := cmp.Diff(want, lines(told.Lanes, report.LaneKubelet)); diff != "" {
		t.Error(diff)
	}
}

func TestWhatTheChainCitesIsLitEvenFromOutsideOfTheWindow(t *testing.T) {
	s := crashed()
	s.KubeletStarts(-3000, "v1.36.3", 7)
	snap := s.Snapshot()
	res := analyzer.AnalyzeWithDetails(snap, analyzer.Options{})
	var started string
	for _, o := range snap.Observations {
		if _, ok := o.Fact.(evidence.KubeletStarted); ok {
			started = o.ID
		}
	}
	it := &res.Report.Items[0]
	it.Verdict.Chain = append(it.Verdict.Chain, report.Link{Text: "a kubelet of old", Evidence: []string{started}})
	told, err := res.Details.ItemDetail(it.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"-3000 *kubelet v1.36.3 started (pid 7)"},
		lines(told.Lanes, report.LaneKubelet)); diff != "" {
		t.Error(diff)
	}
	if !told.Start.Equal(analyzertest.At(-3000)) {
		t.Errorf("the story begins at %v: what it lights is outside", told.Start)
	}
}

func TestWhereAStoryBeginsAndEnds(t *testing.T) {
	for _, c := range []struct {
		name       string
		change     func(*analyzertest.Story)
		start, end float64
	}{
		{"from the old start to half a minute after the new one", func(*analyzertest.Story) {}, 10, 331},
		{"no later than the collection", func(s *analyzertest.Story) {
			s.Observations = nil
			s.Records(3000, 3590, 1, "Error", 3595, nil)
		}, 3000, 3600},
		{"not before anything is known", func(s *analyzertest.Story) {
			s.Observations = nil
			s.Records(290, 300, 1, "Error", 301, nil).KubeletStarts(200, "v1.36.3", 7)
		}, 200, 331},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := crashed()
			c.change(s)
			told, _ := oldest(t, s)
			if told.Start == nil || told.End == nil || !told.Start.Equal(analyzertest.At(c.start)) ||
				!told.End.Equal(analyzertest.At(c.end)) {
				t.Errorf("from %v to %v, want %v – %v", told.Start, told.End, analyzertest.At(c.start), analyzertest.At(c.end))
			}
		})
	}
}

func TestAContainerThatNeverRanHasAStoryToo(t *testing.T) {
	s := analyzertest.New().Events()
	s.Add(evidence.SourceAPI, analyzertest.Never, container("a", ""),
		evidence.ContainerRecord{Kind: evidence.KindApp, State: evidence.StateWaiting,
			Reason: "CreateContainerConfigError", RestartCount: 0})
	s.Event(50, evidence.StartFailed{Reason: "CreateContainerConfigError", Message: safetext.Clean("secret not found")})
	told, it := oldest(t, s)
	if it.Kind != report.Refused {
		t.Fatalf("the item is a %s", it.Kind)
	}
	found := strings.Join(lines(told.Lanes, report.LaneKubelet), "; ")
	if !strings.Contains(found, "50 ") ||
		!strings.Contains(found, "cannot start a: CreateContainerConfigError: secret not found") {
		t.Errorf("the kubelet's lane: %s", found)
	}
	if told.Hashes != nil {
		t.Errorf("hashes of what never was: %+v", told.Hashes)
	}
}
