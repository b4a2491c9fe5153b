package finding_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestADaemonThatGoesDownTakesItsContainersAlong(t *testing.T) {
	docker := evidence.RuntimeStopping{Signal: "terminated"}
	for name, c := range map[string]struct {
		at, again float64
		fact      evidence.Fact
		want      bool
	}{
		"dockerd, back after three minutes":       {40, 220, docker, true},
		"dockerd, never seen again":               {40, 0, docker, true},
		"dockerd, back before the container ends": {20, 30, docker, false},
		"dockerd, long before":                    {-200, 0, docker, false},
		"dockerd, right after":                    {44, 220, docker, false},
		"containerd, which containers outlive":    {40, 220, evidence.RuntimeStopping{}, false},
		"systemd stops docker.service": {40, 220, evidence.UnitChanged{Unit: "docker.service", Change: "stopping"},
			true},
		"systemd stops another unit": {40, 220, evidence.UnitChanged{Unit: "containerd.service", Change: "stopping"}, false},
		"docker.service fails":       {40, 220, evidence.UnitChanged{Unit: "docker.service", Change: "failed"}, false},
	} {
		s := exact(1).Add(evidence.SourceRuntimeLog, c.at, evidence.Subject{}, c.fact)
		if c.again != 0 {
			s.Add(evidence.SourceRuntimeLog, c.again, evidence.Subject{}, evidence.RuntimeStarted{})
		}
		f := find(t, s)
		if got := f.NodeEvents.Down.Answer == finding.Yes; got != c.want || got && !f.TakenAlong() {
			t.Errorf("%s: %+v, taken along %t", name, f.NodeEvents.Down, f.TakenAlong())
		}
		if c.want && f.NodeEvents.Runtime.Answer != finding.Yes {
			t.Errorf("%s: its return is lost: %+v", name, f.NodeEvents.Runtime)
		}
	}
}

func TestAMachineThatGoesDownTakesItsContainersAlong(t *testing.T) {
	ends := func(s *analyzertest.Story, at float64) *analyzertest.Story { // the logs of that boot
		for i := range s.Coverage {
			s.Coverage[i].Until = analyzertest.At(at)
		}
		return s
	}
	restarted := func(boot float64) *analyzertest.Story {
		return ends(analyzertest.New().Logs(), 100).Status(10, 42.5, 1, "Error", 700).KubeletStarts(-500,
			"v1.36.3", 80).Add(evidence.SourceKernelLog, boot, evidence.Subject{}, evidence.KernelBooted{BootID: "b"})
	}
	if f := find(t, restarted(600)); !f.NodeWentDown() {
		t.Errorf("a boot between end and start: %+v", f.NodeEvents.Boot)
	}
	if f := find(t, restarted(600).Add(evidence.SourceKubeletLog, 50, of(""), evidence.BackedOff{})); f.NodeWentDown() {
		t.Error("the kubelet was there, and waited")
	}
	dead := func(boot float64) *analyzertest.Story {
		return ends(exact(1), 100).Add(evidence.SourceKernelLog, boot, evidence.Subject{}, evidence.KernelBooted{BootID: "b"})
	}
	if f := find(t, dead(200)); !f.NodeWentDown() {
		t.Error("a boot three minutes after the end")
	}
	if f := find(t, ends(dead(200), 180)); f.NodeWentDown() {
		t.Error("the kubelet that saw the end wrote on for longer than a machine takes to stop")
	}
	seen := dead(200).Kubelet(42.6, analyzertest.OldID, evidence.ContainerDied{})
	if f := find(t, text(ends(seen, 3600))); !f.NodeWentDown() {
		t.Error("a text log, which shows no hole at a boot")
	}
	if f := find(t, dead(2000)); f.NodeWentDown() {
		t.Error("a boot half an hour after the end of what nobody started again")
	}
	if f := find(t, exact(1)); f.NodeWentDown() {
		t.Error("no boot")
	}
}

// text lets the logs of a story be text files.
func text(s *analyzertest.Story) *analyzertest.Story {
	file := &evidence.Origin{}
	for i := range s.Coverage {
		s.Coverage[i].Origin = file
	}
	for i := range s.Observations {
		if o := &s.Observations[i]; o.Source.Origin != nil {
			o.Source.Origin = file
		}
	}
	return s
}

func TestAnotherKubeletInBetweenLeavesABootOpen(t *testing.T) {
	s := analyzertest.New().KubeletLog().Status(10, 42.5, 1, "Error", 120).KubeletStarts(-500, "v1.36.3", 80)
	if f := find(t, s); f.NodeEvents.Boot.Answer != finding.No || f.NodeEvents.Between.Answer == finding.Yes {
		t.Errorf("one kubelet over all of it: boot %v, between %+v", f.NodeEvents.Boot.Answer, f.NodeEvents.Between)
	}
	s.KubeletStarts(100, "v1.36.3", 81)
	if f := find(t, s); f.NodeEvents.Boot.Answer != finding.Unknown || f.NodeEvents.Between.Answer != finding.Yes {
		t.Errorf("another one before the new start: boot %v, between %+v", f.NodeEvents.Boot.Answer, f.NodeEvents.Between)
	}
}

func TestABootCloseByLeavesItOpenWhenItWas(t *testing.T) {
	story := func(boot float64) *analyzertest.Story {
		s := analyzertest.New().Logs().Status(10, 42.5, 1, "Error", 120).KubeletStarts(-500,
			"v1.36.3", 80).KubeletStarts(110, "v1.36.3", 81)
		return s.Add(evidence.SourceKernelLog, boot, evidence.Subject{}, evidence.KernelBooted{BootID: "b"})
	}
	for boot, want := range map[float64]finding.YesNo{100: finding.Yes, 400: finding.Unknown,
		-300: finding.Unknown, 1500: finding.No} {
		if got := find(t, story(boot)).NodeEvents.Boot.Answer; got != want {
			t.Errorf("a boot at %v: %v, want %v", boot, got, want)
		}
	}
}

func TestAServiceThatIsRestartedIsNoBoot(t *testing.T) {
	stopping := evidence.UnitChanged{Unit: "kubelet.service", Change: "stopping"}
	for name, c := range map[string]struct {
		change func(s *analyzertest.Story)
		want   finding.YesNo
	}{
		"stopped a second before it started": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 109, evidence.Subject{}, stopping)
		}, finding.No},
		"no word of a stop": {func(*analyzertest.Story) {}, finding.Unknown},
		"stopped half a minute before": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 80, evidence.Subject{}, stopping)
		}, finding.Unknown},
		"another unit was stopped": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 109, evidence.Subject{},
				evidence.UnitChanged{Unit: "docker.service", Change: "stopping"})
		}, finding.Unknown},
		"the kubelet was started, not stopped": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 109, evidence.Subject{},
				evidence.UnitChanged{Unit: "kubelet.service", Change: "started"})
		}, finding.Unknown},
		"one of two starts has no stop before it": {func(s *analyzertest.Story) {
			s.KubeletStarts(60, "v1.36.3", 82).Add(evidence.SourceSystemd, 109, evidence.Subject{}, stopping)
		}, finding.Unknown},
		"a boot in the time is a boot all the same": {func(s *analyzertest.Story) {
			s.Add(evidence.SourceSystemd, 109, evidence.Subject{}, stopping).Add(evidence.SourceKernelLog,
				100, evidence.Subject{}, evidence.KernelBooted{BootID: "c"})
		}, finding.Yes},
	} {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New().Logs().Status(10, 42.5, 1, "Error", 120).KubeletStarts(-500,
				"v1.36.3", 80).KubeletStarts(110, "v1.36.3", 81)
			s.Add(evidence.SourceKernelLog, -60, evidence.Subject{}, evidence.KernelBooted{BootID: "b"})
			c.change(s)
			if got := find(t, s).NodeEvents.Boot.Answer; got != c.want {
				t.Errorf("a boot: %v, want %v", got, c.want)
			}
		})
	}
}

func TestDaemonsThatKillForMemory(t *testing.T) {
	kill := evidence.UserspaceOOMKill{Killer: "systemd-oomd", Cgroup: "/x"}
	for name, c := range map[string]struct {
		at      float64
		fact    evidence.Fact
		subject evidence.Subject
		killer  string
		named   bool
	}{
		"oomd names the container": {42, kill,
			evidence.Subject{PodUID: analyzertest.PodUID, ContainerID: analyzertest.OldID}, "systemd-oomd", true},
		"oomd names the pod": {42, evidence.UserspaceOOMKill{Killer: "systemd-oomd",
			Cgroup: "/kubepods.slice/kubepods-pod0b22.slice"}, evidence.Subject{PodUID: analyzertest.PodUID},
			"systemd-oomd", true},
		"oomd names a part of the container": {42, evidence.UserspaceOOMKill{Killer: "systemd-oomd",
			Cgroup: "/x/" + analyzertest.OldID + "/worker"}, evidence.Subject{ContainerID: analyzertest.OldID},
			"systemd-oomd", false},
		"oomd long before":             {31, kill, evidence.Subject{ContainerID: analyzertest.OldID}, "systemd-oomd", false},
		"oomd names another container": {42, kill, evidence.Subject{ContainerID: analyzertest.NewID}, "", false},
		"oomd names another pod":       {42, kill, evidence.Subject{PodUID: "other"}, "", false},
		"oomd names a slice":           {42, kill, evidence.Subject{}, "systemd-oomd", false},
		"long before":                  {20, kill, evidence.Subject{}, "", false},
		"earlyoom asked ten seconds before": {32, evidence.UserspaceOOMKill{Killer: "earlyoom", PID: 1},
			evidence.Subject{}, "earlyoom", false},
		"the kubelet's word, and no daemon's": {42, evidence.SystemOOM{}, evidence.Subject{}, "", false},
	} {
		f := find(t, exact(137).Add(evidence.SourceHostLog, c.at, c.subject, c.fact))
		if f.OOM.Killer != c.killer || f.OOM.Named != c.named {
			t.Errorf("%s: killer %q, named %t", name, f.OOM.Killer, f.OOM.Named)
		}
	}
}

// A daemon's kill is no kernel's, and a main process may outlive a child that it needs.
func TestADaemonsVictimBeforeAnEndOfItsOwn(t *testing.T) {
	early := evidence.UserspaceOOMKill{Killer: "earlyoom", PID: 4790}
	for name, c := range map[string]struct {
		at      float64
		code    int32
		subject evidence.Subject
		want    finding.YesNo
	}{
		"some process":              {20, 1, evidence.Subject{}, finding.Unknown},
		"long before":               {-280, 1, evidence.Subject{}, finding.No},
		"another container":         {20, 1, evidence.Subject{ContainerID: analyzertest.NewID}, finding.No},
		"what SIGKILL ends at once": {20, 137, evidence.Subject{}, finding.No},
	} {
		f := find(t, exact(c.code).Add(evidence.SourceHostLog, c.at, c.subject, early))
		if f.OOM.Answer != c.want || f.OOM.Killer != "" {
			t.Errorf("%s: %v by %q, want %v", name, f.OOM.Answer, f.OOM.Killer, c.want)
		}
	}
}

func TestAKernelThatDoesNotTellWhomItKilled(t *testing.T) {
	old := evidence.OOMKill{Task: "java", PID: 7, Global: true}
	f := find(t, exact(137).Add(evidence.SourceKernelLog, 42, evidence.Subject{}, old))
	if f.OOM.Answer != finding.Unknown || f.OOM.Shortage.Answer != finding.Yes {
		t.Errorf("at the end: %+v", f.OOM)
	}
	f = find(t, exact(137).Add(evidence.SourceKernelLog, 20, evidence.Subject{}, old))
	if f.OOM.Answer != finding.No {
		t.Errorf("long before: %+v", f.OOM)
	}
	for at, want := range map[float64]finding.YesNo{20: finding.Unknown, -280: finding.No} {
		if f = find(t, exact(1).Add(evidence.SourceKernelLog, at, evidence.Subject{}, old)); f.OOM.Answer != want {
			t.Errorf("a child that may have been killed at %v: %v, want %v", at, f.OOM.Answer, want)
		}
	}
	old.TaskMemcg = "/system.slice/cron.service"
	f = find(t, exact(137).Add(evidence.SourceKernelLog, 42, evidence.Subject{}, old))
	if f.OOM.Answer != finding.No {
		t.Errorf("somebody else, by name: %+v", f.OOM)
	}
}

func TestWhoseLimitItWas(t *testing.T) {
	pod := "/kubepods/burstable/pod" + analyzertest.PodUID
	own := pod + "/" + analyzertest.OldID
	for name, c := range map[string]struct {
		group     string
		code      int32
		limit     int64 // of the pod
		container int64
		answer    finding.YesNo
		level     finding.OOMLevel
	}{
		"the container's":                       {own, 137, 0, 1 << 20, finding.Yes, finding.OOMContainer},
		"the pod's, on a container without one": {own, 137, 1 << 20, 0, finding.Yes, finding.OOMPod},
		"the container's, in a pod with one":    {own, 137, 2 << 20, 1 << 20, finding.Yes, finding.OOMContainer},
		"one below the container's":             {own + "/docker/abc", 137, 0, 1 << 20, finding.Unknown, ""},
		"one below, and a code of its own":      {own + "/docker/abc", 1, 0, 1 << 20, finding.Yes, finding.OOMContainer},
		"crun's one below the container's": {pod + "/crio-" + analyzertest.OldID + ".scope/container",
			137, 0, 1 << 20, finding.Yes, finding.OOMContainer},
		"systemd's scope, which is the container": {pod + "/cri-containerd-" + analyzertest.OldID + ".scope",
			137, 0, 1 << 20, finding.Yes, finding.OOMContainer},
	} {
		s := exact(c.code).Spec(func(k *evidence.Container) { k.MemoryLimit = c.container })
		s.Pod.MemoryLimit = c.limit
		f := find(t, s.Kernel(42.1, analyzertest.OldID,
			evidence.OOMKill{Constraint: "CONSTRAINT_MEMCG", OOMMemcg: c.group, TaskMemcg: c.group, PID: 7}))
		if f.OOM.Answer != c.answer || f.OOM.Level != c.level {
			t.Errorf("%s: %v, level %q", name, f.OOM.Answer, f.OOM.Level)
		}
	}
}

func TestAKernelOfItsOwnTellsTheNodeNothing(t *testing.T) {
	for class, want := range map[string]bool{"": true, "nvidia": true, "sysbox-runc": true,
		"runc-fast": false, "kata-qemu": false, "kata-qemu-nvidia-gpu": false, "gvisor": false} {
		s := exact(137)
		s.Pod.Object = podobject.Of(&corev1.Pod{})
		if class != "" {
			s.Pod.Object.Spec.RuntimeClassName = &class
		}
		if f := find(t, s); f.KernelLog != want {
			t.Errorf("runtime class %q: the kernel's log tells %t", class, f.KernelLog)
		}
	}
}

func TestEqualLivesByTheClock(t *testing.T) {
	story := func(second float64) *analyzertest.Story {
		code := int32(0)
		s := analyzertest.New().Logs().Status(0, 600, 0, "Completed", 0)
		return s.Add(evidence.SourceCRI, 601, of(analyzertest.NewID),
			evidence.ContainerRecord{State: evidence.StateExited, Attempt: 1, Started: analyzertest.At(602),
				Finished: analyzertest.At(second), ExitCode: &code})
	}
	if f := find(t, story(1200)); f.Repeats != 1 || !f.Clockwork {
		t.Errorf("ten minutes apart to the second: %d repeats, clockwork %t", f.Repeats, f.Clockwork)
	}
	if f := find(t, story(1206)); f.Repeats != 1 || f.Clockwork {
		t.Errorf("six seconds later: %d repeats, clockwork %t", f.Repeats, f.Clockwork)
	}
}

// Only the kubelet's log has the code of an instance whose record is gone: 128 is what containerd reports if there
// never was a process.
func TestAnEndOfWhichNoStartIsKnown(t *testing.T) {
	plain := func(code int32) *analyzertest.Story {
		s := analyzertest.New().Logs()
		return s.Add(evidence.SourceKubeletLog, 41, of(analyzertest.OldID), evidence.ContainerFinished{ExitCode: code}).
			Add(evidence.SourceCRI, 600, of(analyzertest.NewID),
				evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 1, Started: analyzertest.At(54)})
	}
	failed := evidence.RuntimeFailed{Op: "StartContainer", Message: safetext.Clean("context canceled")}
	other := evidence.RuntimeFailed{Op: "StopContainer", Message: safetext.Clean("busy")}
	for name, c := range map[string]struct {
		story              *analyzertest.Story
		notStarted, unseen bool
	}{
		"the code of a start that failed": {plain(128), false, true},
		"another code":                    {plain(1), false, false},
		"the runtime says that it failed": {plain(128).Add(evidence.SourceRuntimeLog, 40, of(analyzertest.OldID), failed),
			true, false},
		"it failed with another code": {plain(1).Add(evidence.SourceRuntimeLog, 40, of(analyzertest.OldID), failed),
			true, false},
		"the kubelet's words name no id": {plain(128).Add(evidence.SourceKubeletLog,
			40, of(analyzertest.OldID), evidence.StartFailed{Reason: "PostStartHookError"}), false, true},
		"another call failed": {plain(128).Add(evidence.SourceRuntimeLog, 40, of(analyzertest.OldID), other), false, true},
		"a start is known": {plain(128).Add(evidence.SourceKubeletLog,
			1, of(analyzertest.OldID), evidence.ContainerStarted{}), false, false},
		"a record tells that it ran for 41": {analyzertest.New().Logs().Status(0, 41, 128, "Error", 54), false, false},
	} {
		if f := find(t, c.story); !f.Exit.Known || f.Exit.NotStarted != c.notStarted || f.Exit.StartUnseen != c.unseen {
			t.Errorf("%s: %+v", name, f.Exit)
		}
	}
}

func TestWhichCodesAProcessChooses(t *testing.T) {
	for code, want := range map[int32][3]bool{ // chosen, a signal's, ambiguous
		0: {true, false, false}, 1: {true, false, false}, 127: {true, false, false},
		128: {true, false, false}, 137: {false, true, false}, 139: {false, true, false}, 145: {true, false, false},
		151: {true, false, false}, 156: {true, false, false}, 159: {false, true, false},
		160: {false, false, true}, 192: {false, false, true}, 193: {true, false, false},
		255: {false, false, true}, 256: {true, false, false}, -1: {true, false, false},
	} {
		e := finding.Exit{Known: true, Code: code}
		if got := [3]bool{e.Chosen(), e.Signal() > 0, e.Ambiguous()}; got != want {
			t.Errorf("%d: %v, want %v", code, got, want)
		}
		for _, e := range []finding.Exit{{Code: code}, {Known: true, Code: code, Lost: true},
			{Known: true, Code: code, Invented: true}, {Known: true, Code: code, NotStarted: true}} {
			if e.Chosen() || e.Signal() > 0 || e.Ambiguous() {
				t.Errorf("%+v is nobody's choice", e)
			}
		}
	}
}

// The end is known only from the count of restarts, after a boot that was before the pod.
func TestABootBeforeItsPodEndedNothing(t *testing.T) {
	for name, c := range map[string]struct {
		boot, created float64
		mirror        bool
		want          finding.YesNo
	}{
		"after the pod was made":            {boot: 100, created: 0, want: finding.Yes},
		"before the pod was made":           {boot: 100, created: 150, want: finding.Unknown},
		"before its mirror was made":        {boot: 100, created: 150, mirror: true, want: finding.Yes},
		"before, when nothing tells of pod": {boot: 100, created: analyzertest.Never, want: finding.Yes},
		"a second before, by other clocks":  {boot: 149, created: 150, want: finding.Yes},
		"before a pod made behind its end":  {boot: 100, created: 400, want: finding.Yes},
	} {
		s := analyzertest.New()
		s.Pod.Mirror, s.Pod.CreatedAt = c.mirror, time.Time{}
		if c.created != analyzertest.Never {
			s.Pod.CreatedAt = analyzertest.At(c.created)
		}
		s.Add(evidence.SourceAPI, 300, of(analyzertest.NewID), evidence.ContainerRecord{Kind: evidence.KindApp,
			State: evidence.StateRunning, Attempt: 1, Started: analyzertest.At(300), RestartCount: 1})
		s.Add(evidence.SourceKernelLog, c.boot, evidence.Subject{}, evidence.KernelBooted{BootID: "b"})
		if got := find(t, s).NodeEvents.Boot.Answer; got != c.want {
			t.Errorf("a boot %s: %v, want %v", name, got, c.want)
		}
	}
}
