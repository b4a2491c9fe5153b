package history_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// outlived is a container with a readiness probe that runs from second 10 on and outlives a start of its kubelet at
// second 400.
func outlived() *analyzertest.Story {
	s := analyzertest.New().KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(400, "v1.30.14", 2080)
	s.Spec(func(c *evidence.Container) { c.Readiness = &evidence.Probe{Period: 5} })
	s.NodeInfo.CreatedAt = at(-86400)
	return s.Add(evidence.SourceAPI, 10, named("a", analyzertest.OldID, ""), running(0, 10))
}

// apparent prints what only looked like a restart: container and second.
func apparent(s *analyzertest.Story) []float64 {
	var out []float64
	for _, r := range history.Build(s.Snapshot()).FalsePositives {
		out = append(out, r.End().Sub(at(0)).Seconds())
	}
	return out
}

func TestAReadinessThatFlips(t *testing.T) {
	ready, lost := evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness, Status: "ready"},
		evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness}
	for name, c := range map[string]struct {
		story *analyzertest.Story
		want  []float64
	}{
		"lost and back, one of them": {outlived().KubeletPod(401, lost).KubeletPod(406, ready), []float64{401}},
		"the condition alone": {outlived().Add(evidence.SourceAPI,
			406, named("", "", ""), evidence.ReadinessChanged{Ready: true}), []float64{406}},
		"before the kubelet's start":             {outlived().KubeletPod(390, lost), nil},
		"lost for the first time minutes later":  {outlived().KubeletPod(520, lost), nil},
		"ready for the first time minutes later": {outlived().KubeletPod(520, ready), []float64{520}},
		"a condition lost minutes later": {outlived().Add(evidence.SourceAPI,
			520, named("", "", ""), evidence.ReadinessChanged{}), nil},
		"long after it": {outlived().KubeletPod(800, lost), nil},
		"a liveness probe says nothing of it": {outlived().KubeletPod(401,
			evidence.ProbeResultChanged{Probe: evidence.ProbeLiveness}), nil},
		"no sign of it":                  {outlived(), nil},
		"a container that began with it": {outlived().KubeletStarts(12, "v1.30.14", 90).KubeletPod(15, ready), nil},
		"without a probe nothing has to pass": {outlived().Spec(func(c *evidence.Container) {
			c.Readiness = nil
		}).KubeletPod(401, lost), nil},
		"a startup probe has to pass, too": {outlived().Spec(func(c *evidence.Container) {
			c.Readiness, c.Startup = nil, &evidence.Probe{}
		}).KubeletPod(401, lost), []float64{401}},
		"two starts of the kubelet, two flips": {outlived().KubeletPod(401, lost).KubeletStarts(900,
			"v1.30.14", 3000).KubeletPod(901, lost), []float64{401, 901}},
	} {
		if d := cmp.Diff(c.want, apparent(c.story)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	died := analyzertest.New().KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(400,
		"v1.30.14", 2080).KubeletPod(401, lost)
	died.Spec(func(c *evidence.Container) { c.Readiness = &evidence.Probe{Period: 5} })
	died.Add(evidence.SourceCRI, 402, named("a", analyzertest.OldID, ""),
		exited(0, 10, 402, 1)).Add(evidence.SourceCRI, 403, named("a", analyzertest.NewID, ""), running(1, 403))
	if got := apparent(died); got != nil {
		t.Errorf("a container that ended in that moment: %v", got)
	}
}

func TestAMirrorThatIsMadeAnew(t *testing.T) {
	static := func() *analyzertest.Story {
		s := outlived()
		s.Pod.Mirror, s.Pod.ConfigHash = true, "cfg"
		return s
	}
	byName := evidence.Subject{Namespace: analyzertest.Namespace, Pod: analyzertest.PodName, PodUID: "of-the-old-mirror"}
	line := func(s *analyzertest.Story, at float64, c evidence.MirrorChange) *analyzertest.Story {
		return s.Add(evidence.SourceKubeletLog, at, byName, evidence.MirrorPod{Change: c})
	}
	for name, c := range map[string]struct {
		story func() *analyzertest.Story
		want  []float64
	}{
		"deleted and created": {func() *analyzertest.Story {
			return line(line(static(), 200, evidence.MirrorDeleted), 201, evidence.MirrorCreated)
		}, []float64{200}},
		"twice": {func() *analyzertest.Story {
			return line(line(static(), 200, evidence.MirrorDeleted), 500, evidence.MirrorOutdated)
		}, []float64{200, 500}},
		"created only: the ordinary beginning": {func() *analyzertest.Story {
			return line(static(), 200, evidence.MirrorCreated)
		}, nil},
		"deleted before the container began": {func() *analyzertest.Story {
			return line(static(), 5, evidence.MirrorDeleted)
		}, nil},
		"a pod of the API": {func() *analyzertest.Story { return line(outlived(), 200, evidence.MirrorDeleted) }, nil},
		"younger than its container, on an old node": {func() *analyzertest.Story {
			s := static()
			s.Pod.CreatedAt = at(300)
			return s
		}, []float64{300}},
		"younger than its container, on a new node": {func() *analyzertest.Story {
			s := static()
			s.Pod.CreatedAt, s.NodeInfo.CreatedAt = at(300), at(200)
			return s
		}, nil},
		"as old as its container": {static, nil},
	} {
		if d := cmp.Diff(c.want, apparent(c.story())); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A pod that is later not ready again lost its readiness for another reason.
func TestALaterLossIsNoSignOfTheFlip(t *testing.T) {
	lost, ready := evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness},
		evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness, Status: "ready"}
	tl := history.Build(outlived().KubeletPod(401, lost).KubeletPod(406, ready).KubeletPod(500, lost).Snapshot())
	if len(tl.FalsePositives) != 1 || len(tl.FalsePositives[0].Signs) != 2 {
		t.Errorf("%+v", tl.FalsePositives)
	}
}

// What looked like a restart counts nowhere as one.
func TestApparentRestartsAreNoRestarts(t *testing.T) {
	tl := history.Build(
		outlived().KubeletPod(401, evidence.ProbeResultChanged{Probe: evidence.ProbeReadiness}).Snapshot(),
	)
	if len(tl.Restarts) != 0 || len(tl.FalsePositives) != 1 || tl.FalsePositives[0].Beside != 0 {
		t.Fatalf("%d restarts, %d apparent", len(tl.Restarts), len(tl.FalsePositives))
	}
	r := tl.FalsePositives[0]
	if r.Kind != timeline.KindNone || r.From == nil || r.To != nil || len(r.Signs) != 1 ||
		r.Spec == nil || r.PodUID != analyzertest.PodUID {
		t.Errorf("%+v", r)
	}
}

func TestANodesDeedsAndSettings(t *testing.T) {
	s := analyzertest.New()
	node := evidence.Subject{Node: analyzertest.Node}
	for _, f := range []evidence.Fact{
		evidence.PackageChanged{Package: "kubelet"}, evidence.RestartAsked{By: "needrestart"},
		evidence.PowerChange{Change: "reboot"}, evidence.NodeShutdown{},
		evidence.KubeletExited{}, evidence.RuntimeStopping{}, evidence.UnitChanged{Unit: "kubelet.service", Change: "failed"},
		evidence.UnitChanged{Unit: "kubelet.service", Change: "started"},
		evidence.KubeletSetting{Name: evidence.SettingCgroupDriver}, evidence.RuntimeEndpoint{Name: "containerd"},
		evidence.CgroupPlacement{Path: "/x"},
	} {
		s.Add(evidence.SourceSystemd, 5, node, f)
	}
	n := history.Build(s.Snapshot()).Nodes[analyzertest.Node]
	if len(n.AdminActions) != 7 || len(n.Settings) != 1 || len(n.Runtimes) != 1 || len(n.Placements) != 1 {
		t.Errorf("%d deeds, %d settings, %d runtimes, %d placements", len(n.AdminActions),
			len(n.Settings), len(n.Runtimes), len(n.Placements))
	}
}
