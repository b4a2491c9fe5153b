package apiobject

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestTheSandboxConditionOfAPodThatGoesOn(t *testing.T) {
	at := time.Date(2026, 11, 22, 7, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		change func(*corev1.Pod, *corev1.PodCondition)
		want   evidence.SandboxReason // "" is nothing
	}{
		"not ready": {nil, evidence.SandboxNotReady},
		"no address": {func(_ *corev1.Pod, c *corev1.PodCondition) { c.Message = "pod sandbox has no IP address" },
			evidence.SandboxNoIP},
		"it is ready":    {func(_ *corev1.Pod, c *corev1.PodCondition) { c.Status = corev1.ConditionTrue }, ""},
		"another text":   {func(_ *corev1.Pod, c *corev1.PodCondition) { c.Message = "pod sandbox is asleep" }, ""},
		"before 1.37":    {func(_ *corev1.Pod, c *corev1.PodCondition) { c.Reason, c.Message = "", "" }, ""},
		"another reason": {func(_ *corev1.Pod, c *corev1.PodCondition) { c.Reason = "Custom" }, ""},
		"the pod failed": {func(p *corev1.Pod, _ *corev1.PodCondition) { p.Status.Phase = corev1.PodFailed }, ""},
		"it is deleted":  {func(p *corev1.Pod, _ *corev1.PodCondition) { p.DeletionTimestamp = &metav1.Time{Time: at} }, ""},
		"without a time": {func(_ *corev1.Pod, c *corev1.PodCondition) { c.LastTransitionTime = metav1.Time{} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			condition := corev1.PodCondition{
				Type: corev1.PodReadyToStartContainers, Status: corev1.ConditionFalse,
				Reason: "PodSandboxNotReady", Message: "pod sandbox is not ready", LastTransitionTime: metav1.Time{Time: at},
			}
			pod := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodRunning}}
			if c.change != nil {
				c.change(pod, &condition)
			}
			pod.Status.Conditions = []corev1.PodCondition{condition}
			b := evidence.NewBuilder(at)
			observeSandbox(b, pod, evidence.Subject{Namespace: "s", Pod: "p", PodUID: "u"},
				evidence.Source{Kind: evidence.SourceAPI})
			var got evidence.SandboxReason
			for _, o := range b.Build().Observations {
				got = o.Fact.(evidence.SandboxUnready).Reason
				if !o.Time.Equal(at) {
					t.Errorf("at %s", o.Time)
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
