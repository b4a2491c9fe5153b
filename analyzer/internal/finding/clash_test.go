package finding_test

import (
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
		if got := doubted(t, s, "a log has an earlier end of the same container"); got != c.want {
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
