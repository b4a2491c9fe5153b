package finding_test

import (
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAnEndBeforeTheEndIsDoubted(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*analyzertest.Story)
		want   bool
	}{
		"the kubelet saw it end before": {func(s *analyzertest.Story) {
			s.Kubelet(10, analyzertest.OldID, evidence.ContainerDied{})
		}, true},
		"the runtime saw it end before": {func(s *analyzertest.Story) {
			s.Runtime(10, analyzertest.OldID, evidence.TaskExited{})
		}, true},
		"the kubelet saw it end": {func(s *analyzertest.Story) {
			s.Kubelet(42.9, analyzertest.OldID, evidence.ContainerDied{})
		}, false},
		"a kubelet that was started again sees it once more": {func(s *analyzertest.Story) {
			s.Kubelet(42.9, analyzertest.OldID, evidence.ContainerDied{}).Kubelet(90, analyzertest.OldID,
				evidence.ContainerDied{})
		}, false},
	} {
		s := exact(3)
		c.change(s)
		if got := doubted(t, s, "a log shows an earlier end of the same container"); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

// No sandbox survives a boot, and what is killed right before one may have ended with the machine. The base is a kill
// of which only an event tells, and a boot before the next start.
func TestABootBeforeTheNextStartIsDoubted(t *testing.T) {
	const alike, unseen = "the next container started in the same sandbox", "it was being stopped, its node booted before"
	type set struct{ boots, covered, boxes bool }
	for name, c := range map[string]struct {
		mutate func(*set)
		doubt  string
		want   bool
	}{
		"a log that begins behind the kill":  {func(*set) {}, unseen, true},
		"a log that covers kill and end":     {func(b *set) { b.covered = true }, unseen, false},
		"no boot":                            {func(b *set) { b.boots = false }, unseen, false},
		"sandboxes that are not known":       {func(*set) {}, alike, false},
		"one sandbox":                        {func(b *set) { b.boxes = true }, alike, true},
		"one sandbox, and no boot behind it": {func(b *set) { b.boxes, b.boots = true, false }, alike, false},
	} {
		b := set{boots: true}
		c.mutate(&b)
		s := analyzertest.New().Events().Status(2, 42.2, 143, "Error", 60)
		s.Event(41, evidence.KillDecided{Reason: evidence.KillLiveness, Count: 1})
		s.Kubelet(42.9, analyzertest.OldID, evidence.ContainerDied{})
		if b.boots {
			s.Add(evidence.SourceKernelLog, 50, evidence.Subject{}, evidence.KernelBooted{BootID: "b2"})
		}
		if b.covered {
			s.KubeletLog()
		}
		if b.boxes {
			s.Records(2, 42.2, 143, "Error", 60, nil)
		}
		if got := doubted(t, s, c.doubt); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

// A pod has one container of a name at a time.
func TestContainersOfOneNameAtOneTimeAreDoubted(t *testing.T) {
	for name, c := range map[string]struct {
		from, until float64
		want        bool
	}{"before it": {-600, -510, false}, "within its life": {-300, -200, true}} {
		s, code := exact(3), int32(1)
		s.Add(evidence.SourceCRI, c.until, of(strings.Repeat("77", 32)), evidence.ContainerRecord{
			State: evidence.StateExited, Attempt: -1, Created: analyzertest.At(c.from), Started: analyzertest.At(c.from),
			Finished: analyzertest.At(c.until), ExitCode: &code})
		if got := doubted(t, s, "going by their times, two containers of this name ran at once"); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

// Who may write events in a namespace can give any reason for a pod's end.
func TestThePodsEndOfAnEventAloneIsDoubted(t *testing.T) {
	evicted := evidence.PodEvicted{Reason: "Preempted"}
	announced := evidence.PodEvicted{Reason: "PreemptionByScheduler", Announced: true}
	for name, c := range map[string]struct {
		also evidence.Fact
		want bool
	}{"alone": {nil, true}, "and the pod's condition": {announced, false}} {
		s := exact(143).PodEvent(40, evicted)
		for i := range s.Observations {
			if o := &s.Observations[i]; o.Fact == evidence.Fact(evicted) {
				o.Source.Where = evidence.EventPrefix + "shop/web-0.1"
			}
		}
		if c.also != nil {
			s.PodEvent(40, c.also)
		}
		if got := doubted(t, s, "only an event gives the reason for the pod's end"); got != c.want {
			t.Errorf("%s: a doubt: %v", name, got)
		}
	}
}

// What systemd stops as the machine goes down chooses its exit code, and its log need not say what it stops.
func TestAnEndWhileTheMachineGoesDown(t *testing.T) {
	for name, c := range map[string]struct {
		at   float64
		fact evidence.Fact
		stop float64 // 0 for none
		want bool
	}{
		"right before":           {42, evidence.PowerChange{Change: "shutdown"}, 0, true},
		"long before":            {-100, evidence.PowerChange{Change: "reboot"}, 0, false},
		"behind the end":         {46, evidence.PowerChange{Change: "reboot"}, 0, false},
		"it was stopped anyway":  {42, evidence.PowerChange{Change: "reboot"}, 41, false},
		"the kubelet's shutdown": {42, evidence.NodeShutdown{Phase: evidence.ShutdownDetected}, 0, false},
	} {
		s := exact(1).Add(evidence.SourceHostLog, c.at, evidence.Subject{}, c.fact)
		if c.stop > 0 {
			s.Runtime(c.stop, analyzertest.OldID, evidence.StopRequested{TimeoutSeconds: 30})
		}
		if f := find(t, s); with(f, "was going down") != c.want {
			t.Errorf("%s: doubts %v, want %t", name, f.Doubts, c.want)
		}
	}
}
