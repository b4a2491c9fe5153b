package history_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func at(s float64) time.Time { return analyzertest.At(s) }

func named(container, id, sandbox string) evidence.Subject {
	return evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: analyzertest.PodUID, Container: container, ContainerID: id, SandboxID: sandbox}
}

func exited(attempt int, from, to float64, code int32) evidence.ContainerRecord {
	return evidence.ContainerRecord{State: evidence.StateExited, Attempt: attempt,
		Started: at(from), Finished: at(to), ExitCode: &code, RestartCount: attempt}
}

func running(attempt int, from float64) evidence.ContainerRecord {
	return evidence.ContainerRecord{State: evidence.StateRunning, Attempt: attempt,
		Started: at(from), RestartCount: attempt}
}

// pairs prints the restarts as from→to, oldest first.
func pairs(t *timeline.History) []string {
	var out []string
	for _, r := range t.Restarts {
		p := short(r.From) + "→"
		if r.To != nil {
			p += short(r.To)
		}
		out = append(out, p)
	}
	return out
}

func short(in *timeline.Instance) string {
	if in.ID == "" {
		return "?"
	}
	return in.ID[:1]
}

func TestPairs(t *testing.T) {
	one, two, three := analyzertest.OldID, analyzertest.NewID, "3333"
	cases := map[string]struct {
		story func(*analyzertest.Story)
		want  []string
	}{
		"an instance that runs is no news": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 10, named("a", one, ""), running(0, 10))
		}, nil},
		"an end and a start make a restart": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(0, 10, 20, 1)).Add(evidence.SourceCRI,
				21, named("a", two, ""), running(1, 21))
		}, []string{"1→2"}},
		"a crash loop that waits is a restart and a death": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(0, 10, 20, 1)).Add(evidence.SourceCRI,
				30, named("a", two, ""), exited(1, 21, 30, 1))
		}, []string{"1→2", "2→"}},
		"what ended before it started, by a clock put back, is in the order of attempts": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(2, 10, 20, 1))
			s.Add(evidence.SourceCRI, 38, named("a", two, ""), exited(3, 120, 38, 1))
			s.Add(evidence.SourceCRI, 118, named("a", three, ""), exited(4, 110, 118, 1))
		}, []string{"1→2", "2→3", "3→"}},
		"an end that a kubelet invented twice is one": {func(s *analyzertest.Story) {
			killed := int32(137)
			for _, last := range []bool{true, false} {
				s.Add(evidence.SourceAPI, 30, named("a", "", ""), evidence.ContainerRecord{State: evidence.StateExited,
					Attempt: -1, Last: last, ExitCode: &killed, Reason: "ContainerStatusUnknown", RestartCount: 1})
			}
		}, []string{"?→"}},
		"attempts that left no trace are not bridged": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(0, 10, 20, 1)).Add(evidence.SourceCRI,
				90, named("a", three, ""), running(5, 90))
		}, []string{"1→?"}},
		"a count without a record still tells of a restart": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceAPI, 90, named("a", two, ""), running(1, 90))
		}, []string{"?→2"}},
		"an earlier start tells of a restart that the kubelet no longer counts": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceAPI, 90, named("a", two, ""), running(0, 90))
			s.Add(evidence.SourceAPI, 91, named("a", "", ""), evidence.APIEvent{Reason: "Started", Count: 2, First: at(10)})
		}, []string{"?→2"}},
		"the event of its own start tells of none": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceAPI, 90, named("a", two, ""), running(0, 90))
			s.Add(evidence.SourceAPI, 91, named("a", "", ""), evidence.APIEvent{Reason: "Started", Count: 1, First: at(91)})
		}, nil},
		"containers of one pod are kept apart": {func(s *analyzertest.Story) {
			s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp})
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(0, 10, 20, 1)).Add(evidence.SourceCRI,
				21, named("b", two, ""), running(0, 21))
		}, []string{"1→"}},
		"a sandbox is no container": {func(s *analyzertest.Story) {
			box := named("", "", analyzertest.OldBox)
			s.Add(evidence.SourceCRI, 5, box, evidence.SandboxRecord{Created: at(5)})
			s.Kubelet(20, analyzertest.OldBox, evidence.ContainerDied{})
		}, nil},
		"the kubelet's log alone names the container of a pod with only one": {func(s *analyzertest.Story) {
			s.Kubelet(10, one, evidence.ContainerStarted{}).Kubelet(20, one, evidence.ContainerFinished{ExitCode: 3}).Kubelet(20,
				one, evidence.ContainerDied{})
			s.Kubelet(21, two, evidence.ContainerStarted{}).Kubelet(30, two, evidence.ContainerFinished{ExitCode: 3}).Kubelet(30,
				two, evidence.ContainerDied{})
		}, []string{"1→2", "2→"}},
		"an id that nothing names is left out": {func(s *analyzertest.Story) {
			s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp})
			s.Kubelet(10, one, evidence.ContainerStarted{}).Kubelet(20, one,
				evidence.ContainerFinished{ExitCode: 3}).Kubelet(20, one, evidence.ContainerDied{})
		}, nil},
		"the runtime's log names it": {func(s *analyzertest.Story) {
			s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp})
			box := named("", "", analyzertest.OldBox)
			s.Add(evidence.SourceRuntimeLog, 5, box, evidence.SandboxCreated{})
			made := evidence.Subject{Container: "b", ContainerID: one, SandboxID: analyzertest.OldBox}
			s.Add(evidence.SourceRuntimeLog, 9, made, evidence.RuntimeCreated{Attempt: 0})
			s.Kubelet(20, one, evidence.ContainerFinished{ExitCode: 3})
		}, []string{"1→"}},
		"what killed the whole pod for memory is told by its container's end": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(0, 10, 20, 137)).Add(evidence.SourceCRI,
				21, named("a", two, ""), running(1, 21))
			s.Add(evidence.SourceSystemd, 20, named("", "", ""),
				evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: "/kubepods/pod" + analyzertest.PodUID})
		}, []string{"1→2"}},
		"what killed the whole pod for memory is an item where no container's end is known": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 20, named("", "", ""),
				evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: "/kubepods/pod" + analyzertest.PodUID})
		}, []string{"?→"}},
		"an init container that completed is no news": {func(s *analyzertest.Story) {
			s.Pod.Containers[0].Kind = evidence.KindInit
			s.Add(evidence.SourceCRI, 20, named("a", one, ""), exited(0, 10, 20, 0))
		}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New()
			c.story(s)
			if diff := cmp.Diff(c.want, pairs(history.Build(s.Snapshot()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheRuntimesRecordBeatsTheAPIAndTheAPIBeatsTheLog(t *testing.T) {
	s := analyzertest.New().Status(10, 17.3, 1, "Error", 18).Records(10.25, 17.3, 1, "Error", 18, nil)
	s.Kubelet(17.9, analyzertest.OldID, evidence.ContainerDied{}).Kubelet(17.9,
		analyzertest.OldID, evidence.ContainerFinished{ExitCode: 2})
	in := history.Build(s.Snapshot()).Restarts[0].From
	if !in.Finished.Equal(at(17.3)) || !in.Started.Equal(at(10.25)) || *in.ExitCode != 1 || in.Reason != "Error" {
		t.Errorf("started %v finished %v code %d reason %s", in.Started, in.Finished, *in.ExitCode, in.Reason)
	}
}

func TestAnEventBelongsToTheInstanceThatLivedThen(t *testing.T) {
	s := analyzertest.New().Status(10, 42.5, 137, "Error", 43)
	kill := evidence.KillDecided{Reason: evidence.KillLiveness, Count: 3, First: at(20)}
	s.Event(40, kill)
	r := history.Build(s.Snapshot()).Restarts[0]
	count := func(in *timeline.Instance) (n int) {
		for _, m := range in.Marks {
			if _, ok := m.Obs.Fact.(evidence.KillDecided); ok {
				n++
			}
		}
		return n
	}
	if count(r.From) != 2 || count(r.To) != 0 {
		t.Errorf("old instance got %d marks (want the last and the first occurrence), new one %d", count(r.From), count(r.To))
	}
}

func TestAKillAfterTheEndIsNotThisInstances(t *testing.T) {
	s := analyzertest.New().Status(10, 20, 1, "Error", 60)
	s.Event(40, evidence.KillDecided{Reason: evidence.KillPod, Count: 1})
	for _, m := range history.Build(s.Snapshot()).Restarts[0].From.Marks {
		if _, ok := m.Obs.Fact.(evidence.KillDecided); ok {
			t.Error("an event of 20 s after the end was given to the dead instance")
		}
	}
}

func marksOf[F evidence.Fact](in *timeline.Instance) (n int) {
	for _, m := range in.Marks {
		if _, ok := m.Obs.Fact.(F); ok {
			n++
		}
	}
	return n
}

func TestAKillWithinTheSecondOfTheRestartIsTheOldInstances(t *testing.T) {
	// The old instance ended at second 43 and the new one began in that second; the event has whole seconds.
	s := analyzertest.New().Status(10, 43, 0, "Completed", 43).Event(43,
		evidence.KillDecided{Reason: evidence.KillDefinition, Count: 1})
	r := history.Build(s.Snapshot()).Restarts[0]
	if marksOf[evidence.KillDecided](r.From) != 1 || marksOf[evidence.KillDecided](r.To) != 0 {
		t.Errorf("old %d, new %d", marksOf[evidence.KillDecided](r.From), marksOf[evidence.KillDecided](r.To))
	}
}

// The container before the last one was killed at second 10, and the last one began in that second.
func TestAKillWithinTheSecondOfTheFirstKnownStartIsAnUnknownInstances(t *testing.T) {
	for count, want := range map[int]int{1: 1, 3: 0} {
		s := analyzertest.New().Status(10, 17, 1, "Error", 43).Event(10,
			evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1})
		s.Add(evidence.SourceAPI, 60, evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
			PodUID: analyzertest.PodUID, Container: s.Pod.Containers[0].Name}, evidence.RestartCount{Count: count})
		if got := marksOf[evidence.KillDecided](history.Build(s.Snapshot()).Restarts[0].From); got != want {
			t.Errorf("restart count %d: %d kills, want %d", count, got, want)
		}
	}
}

func TestAPulledImageIsTheNextInstances(t *testing.T) {
	s := analyzertest.New().Status(10, 43, 0, "Completed", 44)
	s.Event(9, evidence.ImageSeen{Image: "old"}).Event(43, evidence.ImageSeen{Image: "new"}).Event(50,
		evidence.ImageSeen{Image: "later"})
	r := history.Build(s.Snapshot()).Restarts[0]
	if marksOf[evidence.ImageSeen](r.From) != 1 || marksOf[evidence.ImageSeen](r.To) != 1 {
		t.Errorf("old %d, new %d: want one each, and none for what is not started yet",
			marksOf[evidence.ImageSeen](r.From), marksOf[evidence.ImageSeen](r.To))
	}
}

func TestKubeletVersionsOverTime(t *testing.T) {
	s := analyzertest.New().KubeletStarts(0, "v1.30.14", 80)
	s.Add(evidence.SourceAPI, 3, evidence.Subject{Node: analyzertest.Node}, evidence.KubeletStarted{})
	s.KubeletStarts(1000, "v1.36.3", 2000).KubeletStarts(1001, "", 2000)
	n := history.Build(s.Snapshot()).Nodes[analyzertest.Node]
	if len(n.Kubelet) != 2 {
		t.Fatalf("%d runs of the kubelet, want 2: %+v", len(n.Kubelet), n.Kubelet)
	}
	cases := []struct {
		at      float64
		version string
		certain bool
		before  bool
	}{{-50, "v1.36.3", false, false}, {500, "v1.30.14", true, false}, {1500, "v1.36.3", true, true}}
	for _, c := range cases {
		version, certain := n.VersionAt(at(c.at))
		_, before := n.KubeletAt(at(c.at))
		if version != c.version || certain != c.certain || (before != nil) != c.before {
			t.Errorf("at %v: %s (certain %v, another before: %v), want %+v", c.at, version, certain, before != nil, c)
		}
	}
	var none *timeline.NodeStory
	if v, certain := none.VersionAt(at(0)); v != "" || certain {
		t.Errorf("a node that is not known has version %q", v)
	}
}

func TestCoverageNeedsTheWholeWindow(t *testing.T) {
	tl := history.Build(analyzertest.New().Logs().Events().Snapshot())
	if ok, v := tl.Nodes[analyzertest.Node].Covered(evidence.SourceKubeletLog, at(0), at(10), anybody); !ok || v != 2 {
		t.Errorf("inside: %v at verbosity %d", ok, v)
	}
	if ok, _ := tl.Nodes[analyzertest.Node].Covered(evidence.SourceKubeletLog, at(-5000), at(10), anybody); ok {
		t.Error("a window that begins before the log is covered")
	}
	if ok, _ := tl.Nodes["n9"].Covered(evidence.SourceKubeletLog, at(0), at(10), anybody); ok {
		t.Error("another node is covered")
	}
	if !tl.EventsCovered(at(0)) || tl.EventsCovered(at(-5000)) || tl.EventsCovered(time.Time{}) {
		t.Error("events coverage")
	}
}

func TestALineThatNamesAPodFindsItByName(t *testing.T) {
	named := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName}
	story := func() *analyzertest.Story {
		return analyzertest.New().Status(10, 42, 137, "Error", 44).Add(evidence.SourceKubeletLog,
			40, named, evidence.SandboxJudged{Reason: evidence.SandboxNotReady})
	}
	judged := func(s *analyzertest.Story) (n int) {
		for _, m := range history.Build(s.Snapshot()).Restarts[0].PodMarks {
			if _, ok := m.Obs.Fact.(evidence.SandboxJudged); ok {
				n++
			}
		}
		return n
	}
	if judged(story()) != 1 {
		t.Error("the only pod of that name did not get the line")
	}
	other := named
	other.PodUID = "another-uid"
	if judged(story().Add(evidence.SourceKubeletLog, 5, other, evidence.PodConfig{Op: "ADD"})) != 0 {
		t.Error("two pods had that name, and one of them got the line")
	}
}

func TestAStaticPodIsKnownByTwoUIDs(t *testing.T) {
	s := analyzertest.New()
	s.Pod.Mirror, s.Pod.ConfigHash = true, "d41d8cd98f00b204e9800998ecf8427e"
	s.Status(10, 20, 1, "Error", 21)
	static := named("a", analyzertest.OldID, "")
	static.PodUID = s.Pod.ConfigHash
	s.Add(evidence.SourceCRI, 20, static, exited(0, 10, 20, 1))
	tl := history.Build(s.Snapshot())
	if len(tl.Restarts) != 1 || tl.Restarts[0].PodUID != analyzertest.PodUID {
		t.Errorf("%v", pairs(tl))
	}
}

func BenchmarkBuild(b *testing.B) {
	s := analyzertest.New()
	code := int32(1)
	for i := range 10000 {
		id := named("a", time.Duration(i).String(), "")
		s.Add(evidence.SourceCRI, float64(i*60), id,
			evidence.ContainerRecord{State: evidence.StateExited, Attempt: i, Started: at(float64(i * 60)),
				Finished: at(float64(i*60 + 50)), ExitCode: &code})
	}
	snap := s.Snapshot()
	b.ReportAllocs()
	for b.Loop() {
		history.Build(snap)
	}
}

func TestUnitsTellWhenDaemonsWereStarted(t *testing.T) {
	s := analyzertest.New().KubeletStarts(0, "v1.36.3", 80)
	units := func(unit, active string, start float64, pid int) {
		s.Add(evidence.SourceSystemd, start, evidence.Subject{},
			evidence.UnitState{Unit: unit, Active: active, ActiveEnterTime: at(start), MainPID: pid})
	}
	units("kubelet.service", "active", 0.5, 80)
	units("containerd.service", "active", -30, 70)
	units("docker.service", "inactive", 20, 0)
	n := history.Build(s.Snapshot()).Nodes[analyzertest.Node]
	if len(n.Kubelet) != 1 || n.Kubelet[0].Version != "v1.36.3" {
		t.Errorf("the same start told twice: %+v", n.Kubelet)
	}
	if len(n.Runtime) != 1 || !n.RuntimeSince.Equal(at(-30)) {
		t.Errorf("runtime since %v, %d starts", n.RuntimeSince, len(n.Runtime))
	}
}

func anybody(*evidence.Origin) bool { return true }

// A boot time computed from a clock may be too late: it proves nothing, and any other source takes precedence.
func TestAReckonedBootIsSecondhand(t *testing.T) {
	day := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	b := evidence.NewBuilder(day.Add(time.Hour))
	boot := func(minute int, reckoned bool) {
		b.Observe(evidence.Observation{Time: day.Add(time.Duration(minute) * time.Minute),
			Source: evidence.Source{Kind: evidence.SourceSystemd, Node: "n1"},
			Fact:   evidence.KernelBooted{BootID: "b", Reckoned: reckoned}})
	}
	boot(1, true)
	boot(30, true)
	boot(31, false)
	h := history.Build(b.Build())
	boots := h.Nodes["n1"].Boots
	if len(boots) != 2 || !h.Counted(boots[0].Obs.ID) || h.Counted(boots[1].Obs.ID) {
		t.Errorf("%d boots: %+v", len(boots), boots)
	}
}

// Who describes a pod twice while it starts prints one event twice, each time with its age, which has the time of each
// printing.
func TestOneStartThatIsPrintedTwiceIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		uid   string
		count int
		want  int
	}{
		"in two descriptions":                    {evidence.Described + "x", 1, 0},
		"a description that counts the start up": {evidence.Described + "x", 2, 1},
		"two events of the API":                  {analyzertest.PodUID, 1, 1},
	} {
		of := named("a", "", "")
		of.PodUID = c.uid
		now := of
		now.ContainerID = analyzertest.NewID
		s := analyzertest.New().Add(evidence.SourceAPI, 90, now, running(0, 90))
		s.Pod.UID = c.uid
		s.Add(evidence.SourceAPI, 85, of, evidence.APIEvent{Reason: "Started", Count: c.count, First: at(85)})
		s.Add(evidence.SourceAPI, 91, of, evidence.APIEvent{Reason: "Started", Count: 1, First: at(91)})
		if got := pairs(history.Build(s.Snapshot())); len(got) != c.want {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}
