package finding_test

import (
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

var (
	aPod    = evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName, PodUID: analyzertest.PodUID}
	nobody  = evidence.Subject{}
	byPod   = evidence.KillDecided{Reason: evidence.KillPod, Message: safetext.Clean("Stopping container a"), Count: 1}
	oldOne  = about(analyzertest.OldID, analyzertest.OldBox)
	newOne  = about(analyzertest.NewID, analyzertest.NewBox)
	changed = evidence.SandboxChanged{Count: 1}
	noneUp  = evidence.SandboxJudged{Reason: evidence.SandboxNotReady}
)

func about(id, box string) evidence.Subject {
	s := aPod
	s.Container, s.ContainerID, s.SandboxID = "a", id, box
	return s
}

// stopped is a pod that the kubelet killed at second 40 and recreated.
func stopped() *analyzertest.Story {
	s := base().Logs().Events().KubeletStarts(-500, "v1.30.14", 80)
	s.Add(evidence.SourceCRI, 10, oldOne, evidence.ContainerRecord{State: evidence.StateExited,
		Attempt: 0, Created: analyzertest.At(10), Started: analyzertest.At(10),
		Finished: analyzertest.At(42.5), CgroupsPath: "/kubepods/burstable/podx/1111"})
	s.Add(evidence.SourceCRI, 43, newOne, evidence.ContainerRecord{State: evidence.StateRunning,
		Attempt: 1, Started: analyzertest.At(43), CgroupsPath: "/kubepods/burstable/podx/2222"})
	return s.Event(40, byPod).Add(evidence.SourceKubeletLog, 40.2, about(analyzertest.OldID, ""),
		evidence.KillStarted{GraceSeconds: 2})
}

// boxes adds the runtime's records of both sandboxes.
func boxes(s *analyzertest.Story, old, new string) *analyzertest.Story {
	for i, x := range []struct {
		id, parent string
		at         float64
	}{{analyzertest.OldBox, old, 9}, {analyzertest.NewBox, new, 42.9}} {
		sub := aPod
		sub.SandboxID = x.id
		s.Add(evidence.SourceCRI, x.at, sub, evidence.SandboxRecord{Attempt: i,
			Ready: i == 1, Created: analyzertest.At(x.at), CgroupParent: x.parent})
	}
	return s
}

func TestWhatTheKubeletDidFirst(t *testing.T) {
	for name, c := range map[string]struct {
		story *analyzertest.Story
		want  finding.YesNo
	}{
		"the kill, by its log":             {stopped().KubeletPod(42.7, noneUp), finding.Yes},
		"the sandbox, by its log":          {stopped().KubeletPod(40.1, noneUp), finding.No},
		"the kill, by events alone":        {base().Events().Event(40, byPod).PodEvent(42, changed), finding.Yes},
		"events of one second do not tell": {base().Events().Event(40, byPod).PodEvent(40, changed), finding.Unknown},
		"the sandbox, by events":           {base().Events().Event(41, byPod).PodEvent(40, changed), finding.Unknown},
		"an event and a line do not mix":   {base().Events().Event(40, byPod).KubeletPod(42, noneUp), finding.Unknown},
		"a kill for a reason of its own says nothing": {base().Events().Event(40,
			decided(evidence.KillLiveness)).PodEvent(42, changed), finding.Unknown},
		"the pod kept its sandbox": {stopped(), finding.Unknown},
		"the last of several looks does not count first": {stopped().KubeletPod(40.1, noneUp).KubeletPod(42.7, noneUp),
			finding.No},
	} {
		if got := find(t, c.story).Sandbox.KilledFirst.Answer; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestWhereThePodsCgroupIs(t *testing.T) {
	const fs, burst, slice = "/kubepods/besteffort/podx", "/kubepods/burstable/podx", "/kubepods.slice/kubepods-podx.slice"
	setting := func(s *analyzertest.Story, at float64, name, value string) *analyzertest.Story {
		return s.Add(evidence.SourceKubeletLog, at, nobody, evidence.KubeletSetting{Name: name, Value: safetext.Clean(value)})
	}
	root := evidence.SettingCgroupRoot
	for name, c := range map[string]struct {
		story          *analyzertest.Story
		moved, told    finding.YesNo
		missing        finding.YesNo
		drivers        bool
		setting, where string
	}{
		"two parents":            {story: boxes(stopped(), fs, burst), moved: finding.Yes, where: burst},
		"one parent":             {story: boxes(stopped(), fs, fs), moved: finding.No, where: fs},
		"parents of two drivers": {story: boxes(stopped(), fs, slice), moved: finding.Yes, drivers: true, where: slice},
		"sandboxes that do not tell, containers": {story: boxes(stopped(), "", ""),
			moved: finding.No, where: "/kubepods/burstable/podx"},
		"no record at all": {story: base().Logs()},
		"another root": {story: setting(setting(base().Logs().Event(40, byPod), -499, root, ""),
			39, root, "/pods"), told: finding.Yes, setting: root, where: "/pods"},
		"no root is the root": {story: setting(setting(base().Logs().Event(40, byPod), -499, root, ""),
			39, root, "/"), told: finding.No},
		"another root after the kill": {story: setting(setting(base().Logs().Event(40, byPod), -499, root, ""),
			60, root, "/pods"), told: finding.No},
		"another driver": {
			story: setting(setting(base().Logs().Event(40, byPod), -499, evidence.SettingCgroupDriver, "cgroupfs"),
				39, evidence.SettingCgroupDriver, "systemd"), told: finding.Yes, setting: evidence.SettingCgroupDriver,
			drivers: true, where: "systemd"},
		"a setting that nobody printed before": {story: setting(base().Logs().Event(40, byPod), 39, root, "/pods")},
		"the kubelet's line, right before it": {story: stopped().KubeletPod(39.9, evidence.CgroupMissing{Cgroup: fs}),
			missing: finding.Yes, moved: finding.No, where: "/kubepods/burstable/podx"},
		"a line about the cgroup that comes next": {story: stopped().KubeletPod(43, evidence.CgroupMissing{Cgroup: fs}),
			moved: finding.No, where: "/kubepods/burstable/podx"},
		"a line of long before": {story: stopped().KubeletPod(20, evidence.CgroupMissing{Cgroup: fs}),
			moved: finding.No, where: "/kubepods/burstable/podx"},
	} {
		g := find(t, c.story).Cgroup
		if g.Moved.Answer != c.moved || g.Told.Answer != c.told || g.Missing.Answer != c.missing ||
			g.Drivers != c.drivers || g.Setting != c.setting || g.New != c.where {
			t.Errorf("%s: %+v", name, g)
		}
		if g.Moved.Answer == finding.Yes && len(g.Moved.Evidence) == 0 || g.Told.Answer == finding.Yes &&
			len(g.Told.Evidence) != 2 {
			t.Errorf("%s: nothing to cite", name)
		}
	}
	systemd := stopped()
	for i := range systemd.Observations {
		if r, ok := systemd.Observations[i].Fact.(evidence.ContainerRecord); ok && r.CgroupsPath != "" {
			r.CgroupsPath = "kubepods-podx.slice:cri-containerd:1111"
			systemd.Observations[i].Fact = r
		}
	}
	if g := find(t, systemd).Cgroup; g.Moved.Answer != finding.No || g.New != "kubepods-podx.slice" {
		t.Errorf("systemd's spelling: %+v", g)
	}
}

func TestProcessesOutsideOfTheirPodsCgroup(t *testing.T) {
	place := func(s *analyzertest.Story, id string, p evidence.CgroupPlacement) *analyzertest.Story {
		return s.Add(evidence.SourceCgroup, 100, evidence.Subject{ContainerID: id}, p)
	}
	out := evidence.CgroupPlacement{Path: "/x", Expected: "/y", Outside: true, SpecForm: true, DriverFrom: "tree"}
	maybe, in := out, out
	maybe.DriverFrom, in.Outside = "told", false
	for name, c := range map[string]struct {
		story             *analyzertest.Story
		want              finding.YesNo
		certain, specForm bool
	}{
		"the new instance, and the tree tells": {place(stopped(), analyzertest.NewID, out), finding.Yes, true, true},
		"its sandbox":                          {place(stopped(), analyzertest.NewBox, out), finding.Yes, true, true},
		"by what the kubelet was told":         {place(stopped(), analyzertest.NewID, maybe), finding.Yes, false, true},
		"another pod's":                        {place(stopped(), "9999", out), finding.Unknown, false, false},
		"where it ought to be":                 {place(stopped(), analyzertest.NewID, in), finding.No, false, false},
		"nobody looked":                        {stopped(), finding.Unknown, false, false},
	} {
		if g := find(t, c.story).Cgroup; g.Outside.Answer != c.want || g.Certain != c.certain || g.SpecForm != c.specForm {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

func TestKubeletAndRuntimeAreToldDifferentDrivers(t *testing.T) {
	told := func(kubelet, runtime string) *analyzertest.Story {
		s := stopped()
		if kubelet != "" {
			s.Add(evidence.SourceHostLog, 100, evidence.Subject{},
				evidence.KubeletSetting{Name: evidence.SettingCgroupDriver, Value: safetext.Clean(kubelet)})
		}
		if runtime != "" {
			s.Add(evidence.SourceHostLog, 100, evidence.Subject{}, evidence.RuntimeSettings{CgroupDriver: runtime})
		}
		return s
	}
	for _, c := range []struct {
		kubelet, runtime string
		want             bool
	}{{"systemd", "cgroupfs", true}, {"systemd", "systemd", false}, {"", "cgroupfs", false}, {"systemd", "", false}} {
		f := find(t, told(c.kubelet, c.runtime))
		if got := signs.DriversDiffer(f); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

func TestAnotherContainerRuntime(t *testing.T) {
	lost := func() *analyzertest.Story {
		s := analyzertest.New().Events().Logs().KubeletStarts(-500, "v1.23.17", 80).KubeletStarts(38, "v1.24.17", 2080)
		s.Add(evidence.SourceKubeletLog, 10, about(analyzertest.OldID, ""), evidence.ContainerStarted{})
		code := int32(137)
		s.Add(evidence.SourceAPI, analyzertest.Never, about("", ""),
			evidence.ContainerRecord{State: evidence.StateExited, Attempt: -1, Last: true,
				ExitCode: &code, Reason: "ContainerStatusUnknown", RestartCount: -1})
		return s.Add(evidence.SourceAPI, 43, about(analyzertest.NewID, ""),
			evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 1, Started: analyzertest.At(43),
				RestartCount: 1, Runtime: "containerd"})
	}
	set := func(s *analyzertest.Story, at float64, name, value string) *analyzertest.Story {
		return s.Add(evidence.SourceKubeletLog, at, nobody, evidence.KubeletSetting{Name: name, Value: safetext.Clean(value)})
	}
	two := func(name, a, b string) *analyzertest.Story { return set(set(lost(), -499, name, a), 38.5, name, b) }
	version, endpoint := evidence.SettingRuntimeVersion, evidence.SettingRuntimeEndpoint
	for name, c := range map[string]struct {
		story    *analyzertest.Story
		want     finding.YesNo
		from, to string
	}{
		"another name":    {two(version, "docker 20.10.7", "containerd 1.6.20"), finding.Yes, "docker", "containerd"},
		"another version": {two(version, "containerd 1.5.0", "containerd 1.6.20"), finding.No, "", ""},
		"another socket": {two(endpoint, "unix:///run/containerd/containerd.sock",
			"unix:///run/crio/crio.sock"), finding.Yes, "/run/containerd/containerd.sock", "/run/crio/crio.sock"},
		"another spelling of the socket": {two(endpoint, "/var/run/containerd/containerd.sock",
			"unix:///run/containerd/containerd.sock"), finding.Unknown, "", ""},
		"dockershim and another": {two(evidence.SettingRuntime, "docker", "remote"), finding.Yes, "docker", "remote"},
		"the flag and the name": {
			set(set(two(version, "docker 20.10.7", "containerd 1.6.20"), -499, evidence.SettingRuntime, "docker"),
				38.1, evidence.SettingRuntime, "remote"), finding.Yes, "docker", "containerd"},
		"dockershim and cri-dockerd": {
			set(set(two(version, "docker 20.10.7", "docker 24.0.1"), -499, evidence.SettingRuntime, "docker"),
				38.1, evidence.SettingRuntime, "remote"), finding.No, "", ""},
		"a flag's other default": {
			set(set(two(version, "cri-o 1.26.1", "cri-o 1.27.1"), -499, endpoint, "/run/crio/crio.sock"),
				38.1, endpoint, "unix:///run/containerd/containerd.sock"), finding.No, "", ""},
		"printed once": {set(lost(), 38.5, version, "containerd 1.6.20"), finding.Unknown, "", ""},
		"a switch after it": {set(set(lost(), -499, version, "docker 20.10.7"),
			500, version, "containerd 1.6.20"), finding.Unknown, "", ""},
		"a switch, and another one before all": {set(two(version, "docker 20.10.7", "containerd 1.6.20"),
			-700, version, "rkt 1"), finding.Yes, "docker", "containerd"},
		"settings of other things": {two(evidence.SettingCgroupDriver, "cgroupfs", "systemd"), finding.Unknown, "", ""},
	} {
		s := find(t, c.story).Switch
		if s.Answer != c.want || s.From != c.from || s.To != c.to {
			t.Errorf("%s: %+v", name, s)
		}
		if s.Answer == finding.Yes && len(s.Evidence) != 2 {
			t.Errorf("%s: cites %v", name, s.Evidence)
		}
	}
	ids := base()
	for i := range ids.Observations {
		r := ids.Observations[i].Fact.(evidence.ContainerRecord)
		r.Runtime = []string{"docker", "containerd"}[i]
		ids.Observations[i].Fact = r
	}
	if s := find(t, ids).Switch; s.Answer != finding.Yes || s.From != "docker" || s.To != "containerd" {
		t.Errorf("by the two ids: %+v", s)
	}
	if s := find(t, base().Logs().KubeletStarts(-500, "v1.30.14", 80)).Switch; s.Answer != finding.No {
		t.Errorf("one kubelet for both: %+v", s)
	}
	left := lost()
	for _, e := range []evidence.RuntimeEndpoint{{Name: "docker", Sandboxes: 2},
		{Name: "containerd", Configured: true, Sandboxes: 2}} {
		left.Add(evidence.SourceCRI, 100, nobody, e)
	}
	if s := find(t, left).Switch; s.Left.Answer != finding.Yes || len(s.Left.Evidence) != 1 {
		t.Errorf("a runtime that was left: %+v", s)
	}
}

func TestHowAPodEndedAccordingToItsWorker(t *testing.T) {
	static := func(s *analyzertest.Story) *analyzertest.Story {
		s.Pod.Mirror, s.Pod.ConfigHash = true, "cfg"
		return s
	}
	for name, c := range map[string]struct {
		story *analyzertest.Story
		how   evidence.Ending
		soft  bool
	}{
		"an orphan": {base().KubeletPod(40,
			evidence.PodTeardown{Reason: evidence.TeardownOrphan}), evidence.EndRemoved, false},
		"removed": {base().KubeletPod(40,
			evidence.PodTeardown{Reason: evidence.TeardownRemoved}), evidence.EndRemoved, false},
		"deleted": {base().KubeletPod(40,
			evidence.PodTeardown{Reason: evidence.TeardownDeleted}), evidence.EndDeleted, false},
		"not runnable": {base().KubeletPod(40,
			evidence.PodTeardown{Reason: evidence.TeardownNotRunnable}), evidence.EndRejected, true},
		"evicted: the status says how": {base().KubeletPod(40,
			evidence.PodTeardown{Reason: evidence.TeardownEvicted}), "", false},
		"completed": {base().KubeletPod(40, evidence.PodTeardown{Reason: evidence.TeardownCompleted}), "", false},
		"refused at present": {base().PodEvent(40,
			evidence.PodRejected{Reason: "RestartLimit", Soft: true}), evidence.EndRejected, true},
		"refused at present, says a status": {base().Add(evidence.SourceAPI,
			analyzertest.Never, aPod, evidence.PodRejected{Reason: "RestartLimit", Soft: true}), "", false},
		"refused for good": {base().PodEvent(40, evidence.PodRejected{Reason: "NodeAffinity"}), evidence.EndRejected, false},
		"refused at present, then Failed": {base().KubeletPod(40,
			evidence.PodTeardown{Reason: evidence.TeardownNotRunnable}).PodEvent(41,
			evidence.PodRejected{Reason: "NodeAffinity"}), evidence.EndRejected, false},
		"a mirror that was deleted ends nothing": {static(base()).KubeletPod(40,
			evidence.PodConfig{Op: "DELETE", Origin: "api"}).PodEvent(40, evidence.PodDeleted{}), "", false},
		"a manifest that was removed does": {static(base()).KubeletPod(40, evidence.PodConfig{Op: "REMOVE", Origin: "file"}),
			evidence.EndRemoved, false},
	} {
		if e := find(t, c.story).End; e.How != c.how || e.Soft != c.soft {
			t.Errorf("%s: %q, soft %t", name, e.How, e.Soft)
		}
	}
}

func TestAReadinessThatCameTooEarly(t *testing.T) {
	f := find(t, base().KubeletPod(39, evidence.ReadinessEarly{}))
	if f.EarlyReadiness.Answer != finding.Yes || !f.EarlyReadiness.At.Equal(analyzertest.At(39)) ||
		len(f.EarlyReadiness.Evidence) != 1 {
		t.Errorf("%+v", f.EarlyReadiness)
	}
	if f := find(t, base()); f.EarlyReadiness.Answer != finding.Unknown {
		t.Error("a readiness that nobody spoke of")
	}
}

func TestOfWhatOnlyLookedLikeARestartLittleIsFound(t *testing.T) {
	s := analyzertest.New().Events().Logs().KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(400, "v1.30.14", 2080)
	s.Spec(func(c *evidence.Container) { c.Readiness = &evidence.Probe{} })
	s.Add(evidence.SourceAPI, 10, about(analyzertest.OldID, ""),
		evidence.ContainerRecord{State: evidence.StateRunning, Attempt: 0, Started: analyzertest.At(10)})
	s.KubeletPod(401, evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness})
	tl := build(s)
	if len(tl.FalsePositives) != 1 {
		t.Fatalf("%d of them", len(tl.FalsePositives))
	}
	f := finding.Derive(tl, tl.FalsePositives[0])
	if f.NodeEvents.Kubelet.Answer != finding.Yes || f.Versions.At != "v1.30.14" ||
		f.Exit.Known || f.Kill.Answer != finding.Unknown ||
		!slices.Equal(f.NodeEvents.Kubelet.Evidence, f.Versions.Evidence) ||
		f.NodeEvents.Kubelet.At.Sub(analyzertest.At(400)) > time.Second {
		t.Errorf("%+v", f)
	}
}

func build(s *analyzertest.Story) *timeline.History { return history.Build(s.Snapshot()) }
