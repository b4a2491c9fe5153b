package apiobject

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTheStatusSaysHowAPodEnded(t *testing.T) {
	for name, c := range map[string]struct {
		reason, message string
		rejected        bool
	}{
		"evicted":                     {"Evicted", "The node was low on resource: memory. ", false},
		"not admitted under pressure": {"Evicted", "Pod was rejected: The node had condition: [MemoryPressure]. ", true},
		"not admitted, before v1.14":  {"Evicted", "Pod The node was low on resource: [MemoryPressure]. ", true},
		"preempted":                   {"Preempting", "Preempted in order to admit critical pod", false},
		"its deadline": {"DeadlineExceeded",
			"Pod was active on the node longer than the specified deadline", false},
		"shut down":                   {"Terminated", "Pod was terminated in response to imminent node shutdown.", false},
		"not admitted while shutting": {"NodeShutdown", "Pod was rejected as the node is shutting down.", true},
		"shut down, v1.20":            {"Shutdown", "Node is shutting, evicting pods", false},
		"not admitted, v1.20": {"Shutdown", "Node is in progress of shutting down, not admitting any new pods",
			true},
		"no room":                        {"OutOfcpu", "Pod Node didn't have enough resource: cpu", true},
		"a device":                       {"UnexpectedAdmissionError", "Pod was rejected: Allocate failed", true},
		"a reason that nobody knows":     {"Novelty", "Pod was rejected: for a new reason", true},
		"a reason, and it is no refusal": {"NodeLost", "Node x which was running pod y is unresponsive", false},
	} {
		b := evidence.NewBuilder(time.Time{})
		pod := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodFailed, Reason: c.reason, Message: c.message}}
		observeEnd(b, pod, evidence.Subject{PodUID: "u1"}, evidence.Source{Kind: evidence.SourceAPI})
		obs := b.Build().Observations
		if len(obs) != 1 {
			t.Errorf("%s: %d observations", name, len(obs))
			continue
		}
		switch f := obs[0].Fact.(type) {
		case evidence.PodRejected:
			if !c.rejected || f.Reason != c.reason {
				t.Errorf("%s: %+v", name, f)
			}
		case evidence.PodEvicted:
			if c.rejected || f.Reason != c.reason || f.Message.Empty() {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

func TestADeletionIsDatedWhenItWasAskedFor(t *testing.T) {
	until := metav1.NewTime(time.Date(2026, 3, 1, 10, 5, 30, 0, time.UTC))
	grace := int64(30)
	for name, c := range map[string]struct {
		pod  corev1.Pod
		want time.Time
		n    int
	}{
		"with its grace": {corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &until,
			DeletionGracePeriodSeconds: &grace}}, until.Add(-30 * time.Second), 1},
		"without":               {corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &until}}, until.Time, 1},
		"no deletion":           {corev1.Pod{}, time.Time{}, 0},
		"failed, and no reason": {corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodFailed}}, time.Time{}, 0},
		"a reason while it runs": {corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning, Reason: "NodeLost"}},
			time.Time{}, 1},
		"an absurd grace": {corev1.Pod{ObjectMeta: metav1.ObjectMeta{DeletionTimestamp: &until,
			DeletionGracePeriodSeconds: new(int64(-5))}}, until.Time, 1},
	} {
		b := evidence.NewBuilder(time.Time{})
		observeEnd(b, &c.pod, evidence.Subject{PodUID: "u1"}, evidence.Source{Kind: evidence.SourceAPI})
		obs := b.Build().Observations
		if len(obs) != c.n || c.n == 1 && !obs[0].Time.Equal(c.want) {
			t.Errorf("%s: %+v", name, obs)
		}
	}
}
