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
