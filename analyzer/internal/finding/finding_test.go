package finding_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func find(t *testing.T, s *analyzertest.Story) *finding.Findings {
	t.Helper()
	return findIn(t, s.Snapshot())
}

func findIn(t *testing.T, s *evidence.Snapshot) *finding.Findings {
	t.Helper()
	tl := history.Build(s)
	if len(tl.Restarts) == 0 {
		t.Fatal("the story has no restart")
	}
	for _, r := range tl.Restarts {
		if r.Container == analyzertest.Container {
			return finding.Derive(tl, r) // the story is about this one of the pod's containers
		}
	}
	return finding.Derive(tl, tl.Restarts[0])
}

func base() *analyzertest.Story { return analyzertest.New().Status(10, 42.5, 137, "Error", 43) }

func decided(r evidence.KillReason) evidence.KillDecided {
	return evidence.KillDecided{Reason: r, Message: safetext.Clean("said so"), Count: 1}
}

func TestSilenceIsOnlyNoWhereALogCoversTheMoment(t *testing.T) {
	cases := map[string]struct {
		story *analyzertest.Story
		want  finding.YesNo
	}{
		"nothing collected":         {base(), finding.Unknown},
		"events reach back":         {base().Events(), finding.NoTrace},
		"the kubelet's log reaches": {base().KubeletLog(), finding.No},
		"the log has the kill": {base().KubeletLog().Add(evidence.SourceKubeletLog, 40, evidence.Subject{
			PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID},
			evidence.KillStarted{GraceSeconds: 2}), finding.Yes},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := find(t, c.story).Kill.Answer; got != c.want {
				t.Errorf("kill: %v, want %v", got, c.want)
			}
		})
	}
	quiet := base()
	quiet.Coverage = append(quiet.Coverage, evidence.Coverage{Source: evidence.SourceKubeletLog,
		Node: analyzertest.Node, From: analyzertest.At(-600), Until: analyzertest.At(3600)})
	if got := find(t, quiet).Kill.Answer; got != finding.Unknown {
		t.Errorf("a log at -v=0 does not hold kill lines: its silence is no answer, got %v", got)
	}
}

func TestTheSpecificReasonBeatsThePodsKill(t *testing.T) {
	s := base().Events().Event(39, decided(evidence.KillPod)).Event(40, decided(evidence.KillLiveness))
	f := find(t, s)
	if f.Kill.Reason != evidence.KillLiveness || !f.Kill.At.Equal(analyzertest.At(39)) {
		t.Errorf("reason %s at %v", f.Kill.Reason, f.Kill.At)
	}
	f = find(t, base().Events().Event(40, decided(evidence.KillUnknownState)))
	if f.Kill.Answer == finding.Yes {
		t.Error("a kill of a container in unknown state says nothing about why it ended")
	}
}

func TestGraceIsOverWhenItTookThatLong(t *testing.T) {
	subject := evidence.Subject{PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID}
	slow := find(t, base().Add(evidence.SourceKubeletLog, 40.3, subject, evidence.KillStarted{GraceSeconds: 2}))
	if !slow.Kill.GraceOver {
		t.Error("137 two seconds after a kill with 2 s of grace")
	}
	quick := find(t, base().Add(evidence.SourceKubeletLog, 42.4, subject, evidence.KillStarted{GraceSeconds: 30}))
	if quick.Kill.GraceOver {
		t.Error("137 at once, with 30 s of grace left")
	}
}

func TestExitCodesThatNoProcessReturned(t *testing.T) {
	cases := map[string]struct {
		code                       int32
		reason                     string
		invented, lost, notStarted bool
		signal                     int
	}{
		"a real one":            {3, "Error", false, false, false, 0},
		"a signal":              {139, "Error", false, false, false, 11},
		"the kubelet's":         {137, "ContainerStatusUnknown", true, false, false, 0},
		"containerd's":          {255, "Unknown", false, true, false, 0},
		"a process's own 255":   {255, "Error", false, false, false, 0},
		"never started":         {128, "StartError", false, false, true, 0},
		"restarting everything": {137, "RestartingAllContainers", true, false, false, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			e := find(t, analyzertest.New().Status(10, 42, c.code, c.reason, 43)).Exit
			if e.Invented != c.invented || e.Lost != c.lost || e.NotStarted != c.notStarted || e.Signal() != c.signal {
				t.Errorf("%+v, signal %d", e, e.Signal())
			}
		})
	}
}

func TestWhoseLimitWasHit(t *testing.T) {
	pod := "/kubepods/burstable/pod" + analyzertest.PodUID
	own := pod + "/" + analyzertest.OldID
	two := func(s *analyzertest.Story) {
		s.Pod.Containers = append(s.Pod.Containers, evidence.Container{Name: "b", Kind: evidence.KindApp, MemoryLimit: 1})
	}
	cases := map[string]struct {
		kill   evidence.OOMKill
		change func(*analyzertest.Story)
		want   finding.OOMLevel
	}{
		"the container's": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: own, TaskMemcg: own},
			nil, finding.OOMContainer},
		"a cgroup below": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
			OOMMemcg: own, TaskMemcg: own + "/init.scope"}, nil, finding.OOMContainer},
		"the pod's": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod, TaskMemcg: own}, two, finding.OOMPod},
		"the pod's, systemd": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
			OOMMemcg: "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0b22_x.slice", TaskMemcg: "/y"},
			two, finding.OOMPod},
		"the pod's, made of its only container's": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
			OOMMemcg: pod, TaskMemcg: own}, nil, finding.OOMContainer},
		"a pod with a limit of its own": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: pod, TaskMemcg: own},
			func(s *analyzertest.Story) { s.Pod.MemoryLimit = 1 }, finding.OOMPod},
		"all pods'": {evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: "/kubepods", TaskMemcg: own},
			nil, finding.OOMNode},
		"the machine": {evidence.OOMKill{Constraint: "CONSTRAINT_NONE", TaskMemcg: own}, nil, finding.OOMNode},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := base().Spec(func(c *evidence.Container) { c.MemoryLimit = 20 << 20 })
			if c.change != nil {
				c.change(s)
			}
			f := find(t, s.Kernel(42.4, analyzertest.OldID, c.kill))
			if f.OOM.Answer != finding.Yes || f.OOM.Level != c.want {
				t.Errorf("%v %s, want %s", f.OOM.Answer, f.OOM.Level, c.want)
			}
		})
	}
}

// A record that lost the name of the full cgroup is a kill of the container for some limit, which may be anybody's.
func TestAKillForAnUnknownLimitHasNoLevel(t *testing.T) {
	f := find(t, base().Kernel(42.4, analyzertest.OldID, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG",
		TaskMemcg: "/kubepods/burstable/pod" + analyzertest.PodUID + "/" + analyzertest.OldID}))
	if f.OOM.Answer != finding.Unknown || f.OOM.Unplaced.Answer != finding.Yes || f.OOM.Level != "" {
		t.Errorf("%v, unplaced %v, level %q", f.OOM.Answer, f.OOM.Unplaced.Answer, f.OOM.Level)
	}
}

// A request of no more than the kubelet gives, and of two seconds at least, may be its own, even if its log lost it.
func TestWhoseStopRequestItIsByItsGracePeriod(t *testing.T) {
	cases := map[string]struct {
		asked   int
		change  func(*analyzertest.Story)
		foreign bool
	}{
		"the pod's":                     {30, nil, false},
		"crictl's default":              {0, nil, true},
		"less than the pod's":           {10, nil, false},
		"of a pod whose own is unknown": {60, func(s *analyzertest.Story) { s.Pod.GraceSeconds = -1 }, false},
		"unknown":                       {-1, nil, false},
		"longer than the pod's":         {40, nil, true},
		"the least":                     {2, func(s *analyzertest.Story) { s.Pod.GraceSeconds = 0 }, false},
		"a probe's": {10, func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) { c.Liveness = &evidence.Probe{GracePause: 10} })
		}, false},
		"the rest after a preStop hook": {12, func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) { c.PreStop = true })
		}, false},
		"more than a preStop hook leaves": {31, func(s *analyzertest.Story) {
			s.Spec(func(c *evidence.Container) { c.PreStop = true })
		}, true},
		"to a former static pod": {1, func(s *analyzertest.Story) { s.Pod.Mirror = true }, false},
		"of a pod that is being deleted": {10, func(s *analyzertest.Story) {
			s.Pod.DeletedAt = analyzertest.At(40)
		}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := base()
			if c.change != nil {
				c.change(s)
			}
			f := find(t, s.Runtime(42, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: c.asked}))
			if f.Stop.Answer != finding.Yes || f.StopForeign != c.foreign {
				t.Errorf("stop %v, foreign %v, want %v", f.Stop.Answer, f.StopForeign, c.foreign)
			}
		})
	}
}

func TestAnOldOOMKillIsNotThisEnd(t *testing.T) {
	f := find(t, base().Kernel(20, analyzertest.OldID, evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG"}))
	if f.OOM.Answer == finding.Yes || f.OOM.Earlier.Answer != finding.Yes {
		t.Errorf("at the end: %v, earlier: %v", f.OOM.Answer, f.OOM.Earlier.Answer)
	}
}

func TestTheSandboxDiedFirstOnlyIfNobodyAskedBefore(t *testing.T) {
	story := func() *analyzertest.Story {
		for _, told := range analyzertest.Stories() {
			if told.Cause == "sandbox-died" {
				return told.Story()
			}
		}
		t.Fatal("no such story")
		return nil
	}
	if f := find(t, story()); f.Sandbox.DiedFirst.Answer != finding.Yes || !f.Sandbox.Certain {
		t.Errorf("base: %+v", f.Sandbox)
	}
	box := evidence.Subject{SandboxID: analyzertest.OldBox}
	if f := find(t, story().Add(evidence.SourceRuntimeLog, 39, box,
		evidence.SandboxStopRequested{})); f.Sandbox.DiedFirst.Answer == finding.Yes {
		t.Error("somebody asked for its stop before, and it counts as its own death")
	}
	kill := evidence.Subject{PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID}
	if f := find(t, story().Add(evidence.SourceKubeletLog, 38, kill,
		evidence.KillStarted{})); f.Sandbox.DiedFirst.Answer == finding.Yes {
		t.Error("the kubelet had taken the pod down before, and it counts as its own death")
	}
}

func TestVersionsAndHashesOfAnUpgrade(t *testing.T) {
	var s *analyzertest.Story
	for _, told := range analyzertest.Stories() {
		if told.Cause == "hash-kubelet-upgrade" {
			s = told.Story()
		}
	}
	f := find(t, s)
	if f.Versions.At != "v1.36.3" || f.Versions.Before != "v1.30.14" || f.Versions.SameProcess ||
		!f.Versions.UpgradedAt.Equal(analyzertest.At(38)) {
		t.Errorf("%+v", f.Versions)
	}
	if len(f.Hashes.OldMade) != 1 || f.Hashes.OldMade[0].Image != f.R.Spec.Image || f.Hashes.OldMade[0].ToMinor != 30 {
		t.Errorf("the old hash was made by %+v", f.Hashes.OldMade)
	}
	if f.Expected(36) != f.Hashes.New || f.Expected(30) != f.Hashes.Old || f.Expected(12) != "" {
		t.Errorf("expected: %s on 1.36, %s on 1.30, %s on 1.12", f.Expected(36), f.Expected(30), f.Expected(12))
	}
}

func TestNewMinorsAreModelledAsTheNewestKnown(t *testing.T) {
	for version, want := range map[string]int{"v1.30.14": 30, "v1.41.0": 37,
		"v1.29.3-eks-49c6de4": 29, "nonsense": 0, "": 0} {
		if got := release.Minor(version); got != want {
			t.Errorf("%q: %d, want %d", version, got, want)
		}
	}
}

func TestRepeatsCountEqualEnds(t *testing.T) {
	story := func(second int32, until float64) *analyzertest.Story {
		s := analyzertest.New().KubeletLog().Status(10, 17, 0, "Completed", 0)
		subject := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
			PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.NewID}
		return s.Add(evidence.SourceCRI, until, subject,
			evidence.ContainerRecord{State: evidence.StateExited, Attempt: 1, Started: analyzertest.At(20),
				Finished: analyzertest.At(until), ExitCode: &second})
	}
	for name, c := range map[string]struct {
		code  int32
		until float64
		want  int
		same  int
	}{"same code, same age": {0, 27.5, 1, 1}, "about the same age": {0, 28.3, 1, 0}, "another code": {1, 27.5, 0, 0},
		"another age": {0, 400, 0, 0}} {
		t.Run(name, func(t *testing.T) {
			f := find(t, story(c.code, c.until))
			if f.Repeats != c.want || f.Alike != c.want || f.SameAge != c.same {
				t.Errorf("%d repeats, %d alike, want %d; %d of the same age", f.Repeats, f.Alike, c.want, f.SameAge)
			}
		})
	}
}

func TestAKillThatBeganBeforeTheReasonHadAnotherReason(t *testing.T) {
	subject := evidence.Subject{PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.OldID}
	story := func(begun float64) *analyzertest.Story {
		s := base().KubeletLog().Add(evidence.SourceKubeletLog, begun, subject, evidence.KillStarted{GraceSeconds: 2})
		return s.Add(evidence.SourceKubeletLog, 40, subject, decided(evidence.KillDefinition))
	}
	if k := find(t, story(37)).Kill; !k.Twice || !k.DecidedAt.Equal(analyzertest.At(40)) {
		t.Errorf("three seconds before: %+v", k)
	}
	if k := find(t, story(40.1)).Kill; k.Twice {
		t.Errorf("right after: %+v", k)
	}
}

func TestWhatWasSaidBeforeTheOldInstanceBeganIsNotAboutItsEnd(t *testing.T) {
	s := base().KubeletLog().KubeletPod(8, evidence.SandboxJudged{Reason: evidence.SandboxNone})
	if f := find(t, s); f.Sandbox.Changed.Answer == finding.Yes {
		t.Errorf("the pod's first sandbox counts as a change: %+v", f.Sandbox)
	}
	s.KubeletPod(40, evidence.SandboxJudged{Reason: evidence.SandboxNotReady})
	if f := find(t, s); f.Sandbox.Changed.Answer != finding.Yes || f.Sandbox.Reason != evidence.SandboxNotReady {
		t.Errorf("%+v", f.Sandbox)
	}
}

func TestARuntimeThatStartedBeforeTheContainerDidNotLoseIt(t *testing.T) {
	story := func(started float64) *analyzertest.Story {
		return base().Logs().Add(evidence.SourceRuntimeLog, started, evidence.Subject{}, evidence.RuntimeStarted{})
	}
	if f := find(t, story(5)); f.NodeEvents.Runtime.Answer != finding.No {
		t.Errorf("started before: %+v", f.NodeEvents.Runtime)
	}
	if f := find(t, story(41)); f.NodeEvents.Runtime.Answer != finding.Yes {
		t.Errorf("started at the end: %+v", f.NodeEvents.Runtime)
	}
}

func TestANeighbourWithoutACodeIsAlikeButNoRepeat(t *testing.T) {
	s := analyzertest.New().KubeletLog().Status(10, 17, 137, "Error", 0)
	subject := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.NewID}
	s.Add(evidence.SourceKubeletLog, 20, subject, evidence.ContainerStarted{}).Add(evidence.SourceKubeletLog,
		27, subject, evidence.ContainerDied{})
	if f := find(t, s); f.Alike != 1 || f.Repeats != 0 {
		t.Errorf("%d alike, %d repeats", f.Alike, f.Repeats)
	}
	s.Add(evidence.SourceKubeletLog, 25, subject, evidence.KillStarted{GraceSeconds: 2})
	if f := find(t, s); f.Alike != 0 {
		t.Error("a neighbour that the kubelet killed counts as alike")
	}
}

func TestAStopWithinTheWholeSecondOfTheEndCameBeforeIt(t *testing.T) {
	stop := func(end, asked float64) finding.YesNo {
		s := analyzertest.New().Logs().Status(10, end, 0, "Completed", 60).Runtime(asked,
			analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 1})
		if end != float64(int(end)) {
			s.Records(10, end, 0, "Completed", 60, nil)
		}
		return find(t, s).Stop.Answer
	}
	if stop(42, 42.8) != finding.Yes {
		t.Error("asked at 42.8, ended in second 42")
	}
	if stop(42.1, 43) != finding.Unknown {
		t.Error("asked after its end, which the runtime knows exactly")
	}
}

func TestImagesAreComparedInOneForm(t *testing.T) {
	cases := map[string]struct {
		old, new string
		want     finding.YesNo
	}{
		"the same":                        {"x/y:1", "x/y:1", finding.No},
		"spelt out by the runtime":        {"busybox:1", "docker.io/library/busybox:1", finding.No},
		"without the default tag":         {"nginx", "docker.io/library/nginx:latest", finding.No},
		"another tag":                     {"busybox:1", "docker.io/library/busybox:2", finding.Yes},
		"a registry with a port":          {"reg:5000/a", "reg:5000/a:latest", finding.No},
		"an id tells nothing":             {"sha256:abc", "busybox:1", finding.Unknown},
		"one that is not known":           {"", "busybox:1", finding.Unknown},
		"a digest is not the default tag": {"a@sha256:abc", "a", finding.Yes},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New().Records(10, 42, 0, "Completed", 43,
				func(old, new *evidence.ContainerRecord) { old.Image, new.Image = c.old, c.new })
			s.Spec(func(spec *evidence.Container) { spec.Image = c.new })
			if got := find(t, s).Images.Differ; got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestAShortLifeIsMeasuredFromItsCreation(t *testing.T) {
	// PLEG reported the start when the container was already dead.
	s := analyzertest.New().KubeletLog().Status(20, 21, 137, "Error", 0)
	subject := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName,
		PodUID: analyzertest.PodUID, Container: "a", ContainerID: analyzertest.NewID}
	code := int32(137)
	s.Add(evidence.SourceRuntimeLog, 10, subject, evidence.RuntimeCreated{}).Add(evidence.SourceRuntimeLog,
		10.9, subject, evidence.TaskExited{ExitCode: &code})
	s.Add(evidence.SourceKubeletLog, 11.1, subject, evidence.ContainerStarted{})
	if f := find(t, s); f.Alike != 1 {
		t.Errorf("%d alike, want the other one", f.Alike)
	}
}
