package finding_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestABootNearWhatBeganAtAnUnknownTime(t *testing.T) {
	started := evidence.APIEvent{Reason: "Started", Count: 5, First: analyzertest.At(-500)}
	died := func(s *analyzertest.Story) { s.Kubelet(400, analyzertest.OldID, evidence.ContainerDied{}) }
	next := func(s *analyzertest.Story, at float64) {
		s.Add(evidence.SourceRuntimeLog, at, of(analyzertest.NewID), evidence.RuntimeCreated{Attempt: 1})
	}
	for name, c := range map[string]struct {
		boot          float64
		tell          func(s *analyzertest.Story)
		want, perhaps finding.YesNo
	}{
		"nothing tells since when it ran": {100, died, finding.Unknown, finding.Yes},
		"it was started after the boot": {100, func(s *analyzertest.Story) {
			s.Event(300, started)
			died(s)
		}, finding.Unknown, finding.Unknown},
		"its start was delayed after the boot": {100, func(s *analyzertest.Story) {
			s.Event(300, evidence.BackedOff{})
			died(s)
		}, finding.Unknown, finding.Unknown},
		"it was started before the boot": {100, func(s *analyzertest.Story) {
			s.Event(50, started)
			died(s)
		}, finding.Yes, finding.Unknown},
		"the boot came behind its end": {450, died, finding.Yes, finding.Unknown},
		"an earlier boot came before the one behind its end": {100, func(s *analyzertest.Story) {
			s.Add(evidence.SourceKernelLog, 450, evidence.Subject{}, evidence.KernelBooted{BootID: "c"})
			died(s)
		}, finding.Yes, finding.Unknown},
		"two boots came while it may have run": {100, func(s *analyzertest.Story) {
			s.Add(evidence.SourceKernelLog, 250, evidence.Subject{}, evidence.KernelBooted{BootID: "c"})
			died(s)
		}, finding.Unknown, finding.Yes},
		"a later look found its sandbox gone": {100, func(s *analyzertest.Story) {
			died(s)
			s.KubeletPod(401, evidence.SandboxJudged{Reason: evidence.SandboxNotReady})
		}, finding.Yes, finding.Unknown},
		"the first look behind the boot found it dead": {100, func(s *analyzertest.Story) {
			s.KubeletStarts(350, "v1.36.3", 81)
			died(s)
		}, finding.Yes, finding.Unknown},
		"the next one was created before the boot": {3000, func(s *analyzertest.Story) {
			died(s)
			next(s, 402)
		}, finding.Unknown, finding.Unknown},
		"it was being stopped an hour before the boot": {3400, func(s *analyzertest.Story) {
			s.Runtime(400, analyzertest.OldID, evidence.StopRequested{})
			next(s, 402)
		}, finding.Unknown, finding.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			s := analyzertest.New()
			s.Pod.CreatedAt = analyzertest.At(-7200)
			s.Add(evidence.SourceCRI, analyzertest.Never, of(analyzertest.OldID), evidence.ContainerRecord{})
			s.Add(evidence.SourceKernelLog, c.boot, evidence.Subject{}, evidence.KernelBooted{BootID: "b"})
			c.tell(s)
			f := find(t, s)
			if b := f.NodeEvents; b.Boot.Answer != c.want || b.Perhaps.Answer != c.perhaps {
				t.Errorf("a boot: %v, perhaps %v; want %v, %v", b.Boot.Answer, b.Perhaps.Answer, c.want, c.perhaps)
			}
		})
	}
}

// An event of the boot comes after the kubelet has started, perhaps behind the containers: only behind the last start
// may it be late.
func TestAnEventOfABootIsOfOneOfTheEndsBetweenStarts(t *testing.T) {
	for name, c := range map[string]struct {
		starts []float64
		kill   float64 // of the last run, if not 0
		boot   float64
		want   []float64 // when those started that a boot was before
	}{
		"before the last one":               {[]float64{0, 300, 380}, 0, 350, []float64{380}},
		"right behind the last one":         {[]float64{0, 300, 380}, 0, 385, []float64{380}},
		"before the first end":              {[]float64{0, 300, 380}, 0, 250, []float64{300}},
		"between the last start and a kill": {[]float64{0, 300}, 400, 350, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := evidence.NewBuilder(analyzertest.At(3600))
			tell := func(at float64, of evidence.Subject, f evidence.Fact) {
				of.Node = "n1"
				b.Observe(evidence.Observation{Time: analyzertest.At(at), Subject: of, Fact: f,
					Source: evidence.Source{Kind: evidence.SourceAPI, Node: "n1"}})
			}
			web := evidence.Subject{Namespace: "s", Pod: "web-7d9f8-x2k4p", PodUID: "u", Container: "app"}
			for _, at := range c.starts {
				tell(at, web, evidence.APIEvent{Reason: "Started", Count: 1})
			}
			if c.kill > 0 {
				tell(c.kill, web, evidence.KillDecided{Reason: evidence.KillPod, Count: 1})
			}
			tell(c.boot, evidence.Subject{}, evidence.NodeRebooted{BootID: "b"})
			tl := history.Build(b.Build())
			var got []float64
			for _, r := range tl.Restarts {
				if r.To != nil && finding.Derive(tl, r).NodeEvents.Boot.Answer == finding.Yes {
					got = append(got, r.To.Started.Sub(analyzertest.At(0)).Seconds())
				}
			}
			if slices.Sort(got); !slices.Equal(got, c.want) {
				t.Errorf("a boot before the starts at %s, want %s", fmt.Sprint(got), fmt.Sprint(c.want))
			}
		})
	}
}

// A kubelet tells of a boot behind it, and an event is no record of the node. What ended at 42 s ran again at 60.
func TestABootThatAnEventTellsOf(t *testing.T) {
	for name, c := range map[string]struct {
		began, told   float64
		aged          bool  // a table of events tells, which has ages
		code          int32 // 0 for what the runtime lost
		tell          func(s *analyzertest.Story)
		want, perhaps finding.YesNo
	}{
		"it ended when the boot had been told of": {began: -200, told: 30},
		"dockerd dates what it lost late": {began: -200, told: 30, tell: func(s *analyzertest.Story) {
			s.NodeInfo.Runtime = "docker://19.3.1"
		}, want: finding.Yes},
		"it may have ended before, by the age of the event": {began: -200, told: 30, aged: true, want: finding.Yes},
		"it may have been started behind the boot":          {began: 10, told: 44, perhaps: finding.Yes},
		"another kubelet had come": {began: 10, told: 44, tell: func(s *analyzertest.Story) {
			s.Add(evidence.SourceAPI, 43, evidence.Subject{}, evidence.KubeletStarted{})
		}, want: finding.Yes},
		"its sandbox was gone": {began: 10, told: 44, tell: func(s *analyzertest.Story) {
			s.PodEvent(45, evidence.SandboxChanged{Count: 1})
		}, want: finding.Yes},
		"its sandbox had been gone before": {began: 10, told: 44, tell: func(s *analyzertest.Story) {
			s.PodEvent(9, evidence.SandboxChanged{Count: 1})
		}, perhaps: finding.Yes},
		"it ran long before": {began: -200, told: 44, want: finding.Yes},
		"the kernel's log covers the time without a boot": {began: -200, told: 44, tell: func(s *analyzertest.Story) {
			s.Logs()
		}, want: finding.No},
		"the kernel dates that very boot": {began: -200, told: 44, tell: func(s *analyzertest.Story) {
			s.Add(evidence.SourceKernelLog, -300, evidence.Subject{}, evidence.KernelBooted{BootID: "b1"})
		}},
		"the kernel dates another boot": {began: -200, told: 44, tell: func(s *analyzertest.Story) {
			s.Add(evidence.SourceKernelLog, -300, evidence.Subject{}, evidence.KernelBooted{BootID: "a"})
		}, want: finding.Yes},
		"one that was counted back may be another": {began: -200, told: 44, tell: func(s *analyzertest.Story) {
			s.Add(evidence.SourceKernelLog, -3000, evidence.Subject{}, evidence.KernelBooted{BootID: "b1",
				Reckoned: true})
		}, want: finding.Yes},
		"its process ended long behind a boot": {began: -3000, told: 30, code: 137, tell: func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, -1000, evidence.Subject{}, evidence.KernelBooted{BootID: "b1"})
		}},
		"the runtime lost it long before it came back": {began: -3000, told: 30, tell: func(s *analyzertest.Story) {
			s.Add(evidence.SourceCRI, -1000, evidence.Subject{}, evidence.KernelBooted{BootID: "b1"})
		}, want: finding.Yes},
	} {
		t.Run(name, func(t *testing.T) {
			reason := "Error"
			if c.code == 0 {
				c.code, reason = 255, "Unknown"
			}
			s := analyzertest.New().Status(c.began, 42, c.code, reason, 60)
			s.Add(evidence.SourceAPI, c.told, evidence.Subject{}, evidence.NodeRebooted{BootID: "b-1"})
			s.Observations[len(s.Observations)-1].Source.Vouched = !c.aged
			if c.tell != nil {
				c.tell(s)
			}
			if b := find(t, s).NodeEvents; b.Boot.Answer != c.want || b.Perhaps.Answer != c.perhaps {
				t.Errorf("a boot: %v, perhaps %v; want %v, %v", b.Boot.Answer, b.Perhaps.Answer, c.want, c.perhaps)
			}
		})
	}
}
