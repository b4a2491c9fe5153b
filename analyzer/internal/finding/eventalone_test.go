package finding_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// A kill that only an event tells, for a probe: the doubt says what does not fit.
func TestWhatDoesNotFitAnEventOfAProbesKill(t *testing.T) {
	const only = "only an event gives the reason for the kill, and "
	kill := evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1}
	failed := evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 3}
	probe := func(c *evidence.Container) { c.Liveness = &evidence.Probe{Period: 10, FailureThreshold: 3} }
	for want, c := range map[string]struct {
		started float64
		spec    func(*evidence.Container)
		failed  bool
	}{
		"the pod's spec has no such probe":                  {started: 0, spec: func(*evidence.Container) {}, failed: true},
		"no event of the failures is left":                  {started: 0, spec: probe},
		"the kill came too soon for the probe":              {started: 30, spec: probe, failed: true},
		"no log shows what else the node did until the end": {started: 0, spec: probe, failed: true},
	} {
		s := analyzertest.New().Status(c.started, 50, 137, "Error", 52).Spec(c.spec).Event(40, kill)
		if c.failed {
			s.Event(39, failed)
		}
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Source.Kind == evidence.SourceAPI {
				o.Source.Vouched, o.Subject.Node = true, analyzertest.Node
			}
		}
		if !doubted(t, s, only+want) {
			t.Errorf("no doubt %q: %+v", want, find(t, s).Doubts)
		}
	}
}

// A kill that only an event tells, beside what the kubelet would not have survived, or for which it would have given
// another reason.
func TestWhatSpeaksAgainstAnEventOfAKill(t *testing.T) {
	const only = "only an event gives the reason for the kill, and "
	const young, boot = "the kill came too soon for the probe", "the node booted while the container ran"
	const pod, hook = "other events show that the whole pod was being stopped", "no event of the failures is left"
	const gone = "the pod was deleted"
	node := evidence.Subject{}
	deleted := func(at float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) { s.PodEvent(at, evidence.PodDeleted{}) }
	}
	deleting := func(s *analyzertest.Story) { s.Pod.DeletedAt = analyzertest.At(730) }
	stopped := func(at float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) { s.Event(at, evidence.KillDecided{Reason: evidence.KillPod, Count: 1}) }
	}
	remade := func(at float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) { s.PodEvent(at, evidence.SandboxChanged{Count: 1}) }
	}
	kubelet := func(at float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) { s.Add(evidence.SourceAPI, at, node, evidence.KubeletStarted{}) }
	}
	booted := func(at float64) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) { s.Add(evidence.SourceAPI, at, node, evidence.NodeRebooted{BootID: "b"}) }
	}
	postStart := func(failed bool) func(*analyzertest.Story) {
		return func(s *analyzertest.Story) {
			if s.Event(400, evidence.KillDecided{Reason: evidence.KillPostStart, Count: 1}); failed {
				s.Event(400, evidence.HookFailed{Hook: "PostStart"})
			}
		}
	}
	for name, c := range map[string]struct {
		add  func(*analyzertest.Story)
		want string
	}{
		"nothing":                                 {func(*analyzertest.Story) {}, ""},
		"a kubelet's start long before":           {kubelet(300), ""},
		"a kubelet's start right before":          {kubelet(390), young},
		"a kubelet's start in that second":        {kubelet(400), young},
		"a report of the boot that it began with": {booted(60), ""},
		"a boot in its life":                      {booted(300), boot},
		"a boot after it":                         {booted(500), ""},
		"a deletion before":                       {deleted(397), gone},
		"a deletion seconds after, another clock": {deleted(403), gone},
		"a deletion of the pod as it is now":      {deleting, gone},
		"another kill":                            {stopped(399), pod},
		"a kill of the next one":                  {stopped(410), ""},
		"a sandbox that was gone":                 {remade(399), pod},
		"a sandbox that was made for it":          {remade(0), ""},
		"a sandbox that went with it":             {remade(402), ""},
		"a hook's kill":                           {postStart(true), ""},
		"a hook's kill without the hook":          {postStart(false), hook},
	} {
		s := analyzertest.New().Status(0, 401, 143, "Error", 403).Spec(func(c *evidence.Container) {
			c.Liveness, c.PostStart = &evidence.Probe{Period: 10, FailureThreshold: 3}, true
		})
		if !strings.Contains(name, "hook") {
			s.Event(400, evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1}).
				Event(399, evidence.ProbeFailed{Probe: evidence.ProbeLiveness, Count: 3})
		}
		c.add(s)
		for i := range s.Observations {
			o := &s.Observations[i]
			if _, state := o.Fact.(evidence.ContainerRecord); !state {
				o.Source.Where, o.Subject.Node = evidence.EventPrefix+name, analyzertest.Node
			}
		}
		got := ""
		for _, d := range find(t, s).Doubts {
			if why, alone := strings.CutPrefix(d.Text, only); alone {
				got = why
			}
		}
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: doubt %q, want %q", name, got, c.want)
		}
	}
}
