package apiobject

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// said are the facts of one type that a pod gives, with their times.
func said[F evidence.Fact](s *evidence.Snapshot) map[time.Time]F {
	out := map[time.Time]F{}
	for _, o := range s.Observations {
		if f, ok := o.Fact.(F); ok {
			out[o.Time] = f
		}
	}
	return out
}

func TestAConditionThatChangedWhileContainersRanOn(t *testing.T) {
	ready := func(after int, status corev1.ConditionStatus) func(*corev1.Pod) {
		return func(p *corev1.Pod) {
			p.Status.Conditions = []corev1.PodCondition{
				{Type: corev1.PodReady, Status: status, LastTransitionTime: objecttest.At(after)},
			}
		}
	}
	change := func(after int, ready bool) map[time.Time]evidence.ReadinessChanged {
		return map[time.Time]evidence.ReadinessChanged{objecttest.At(after).UTC(): {Ready: ready}}
	}
	for name, c := range map[string]struct {
		mutate []func(*corev1.Pod)
		want   map[time.Time]evidence.ReadinessChanged
	}{
		"ready again long after the start": {[]func(*corev1.Pod){ready(400, corev1.ConditionTrue)}, change(400, true)},
		"not ready any more":               {[]func(*corev1.Pod){ready(400, corev1.ConditionFalse)}, change(400, false)},
		"ready for the first time": {[]func(*corev1.Pod){ready(12, corev1.ConditionTrue)},
			map[time.Time]evidence.ReadinessChanged{}},
		"a time from before the start": {[]func(*corev1.Pod){ready(-50, corev1.ConditionTrue)},
			map[time.Time]evidence.ReadinessChanged{}},
		"a condition without a time": {[]func(*corev1.Pod){ready(400, corev1.ConditionTrue),
			func(p *corev1.Pod) { p.Status.Conditions[0].LastTransitionTime = metav1.Time{} }},
			map[time.Time]evidence.ReadinessChanged{}},
		"another condition": {[]func(*corev1.Pod){ready(400, corev1.ConditionTrue),
			func(p *corev1.Pod) { p.Status.Conditions[0].Type = corev1.PodScheduled }},
			map[time.Time]evidence.ReadinessChanged{}},
		"a container that does not run now": {[]func(*corev1.Pod){ready(400, corev1.ConditionFalse),
			func(p *corev1.Pod) { p.Status.ContainerStatuses[0].State = corev1.ContainerState{} }},
			map[time.Time]evidence.ReadinessChanged{}},
	} {
		if d := cmp.Diff(c.want, said[evidence.ReadinessChanged](snapshotOf(objecttest.BasePod(c.mutate...)))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A status has a reason where the kubelet refused the pod: for good, or at present.
func TestAReasonOfARefusal(t *testing.T) {
	status := func(phase corev1.PodPhase, reason, message string) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Status.Phase, p.Status.Reason, p.Status.Message = phase, reason, message }
	}
	for name, c := range map[string]struct {
		mutate []func(*corev1.Pod)
		want   string // the reason of a refusal
		soft   bool
	}{
		"a handler of somebody's own, at present": {
			[]func(*corev1.Pod){status(corev1.PodRunning, "RestartLimit", "container restart time reaches the limit: 1")},
			"RestartLimit", true},
		"AppArmor before the first start": {
			[]func(*corev1.Pod){status(corev1.PodPending, "AppArmor", "Cannot enforce AppArmor")}, "AppArmor", true},
		"a handler of somebody's own, for good": {
			[]func(*corev1.Pod){status(corev1.PodFailed, "RestartLimit", "Pod container restart time reaches the limit: 1")},
			"RestartLimit", false},
		"since v1.26": {[]func(*corev1.Pod){status(corev1.PodFailed, "MyOwn", "Pod was rejected: no")}, "MyOwn", false},
		"a deadline": {
			[]func(*corev1.Pod){status(corev1.PodFailed, "DeadlineExceeded",
				"Pod was active on the node longer than the specified deadline")}, "", false},
		"a shutdown": {
			[]func(*corev1.Pod){status(corev1.PodFailed, "Terminated",
				"Pod was terminated in response to imminent node shutdown.")}, "", false},
		"a node that was lost": {
			[]func(*corev1.Pod){status(corev1.PodRunning, "NodeLost", "Node n1 which was running pod web-0 is unresponsive")},
			"", false},
		"a pod that is being deleted": {[]func(*corev1.Pod){status(corev1.PodRunning, "AppArmor", "no"),
			func(p *corev1.Pod) { d := objecttest.At(3); p.DeletionTimestamp = &d }}, "", false},
		"an ordinary pod": {nil, "", false},
	} {
		reason, soft := "", false
		for _, f := range said[evidence.PodRejected](snapshotOf(objecttest.BasePod(c.mutate...))) {
			reason, soft = f.Reason, f.Soft
		}
		if reason != c.want || soft != c.soft {
			t.Errorf("%s: refused for %q (soft: %t), want %q (%t)", name, reason, soft, c.want, c.soft)
		}
	}
}
