package apiobject

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// sandboxUnready is the condition's reason, and sandboxMessages are its messages (kubelet v1.37 types/constants.go, set
// by status/generate.go GeneratePodReadyToStartContainersCondition). Older kubelets give neither.
const sandboxUnready = "PodSandboxNotReady"

var sandboxMessages = map[string]evidence.SandboxReason{
	"no pod sandbox exists": evidence.SandboxNone,
	"multiple pod sandboxes are ready and need to be reconciled":       evidence.SandboxMultiple,
	"pod sandbox is not ready":                                         evidence.SandboxNotReady,
	"network namespace mode changed and sandbox needs to be recreated": evidence.SandboxNetwork,
	"pod sandbox has no IP address":                                    evidence.SandboxNoIP,
}

// observeSandbox reads what the kubelet finds wrong with the sandbox of a pod that continues. The sandbox of a pod that
// ended, or is being deleted, is taken down with it.
func observeSandbox(b *evidence.Builder, pod *corev1.Pod, about evidence.Subject, source evidence.Source) {
	if pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed {
		return
	}
	for _, c := range pod.Status.Conditions {
		reason, known := sandboxMessages[c.Message]
		if c.Type != corev1.PodReadyToStartContainers || c.Status != corev1.ConditionFalse ||
			c.Reason != sandboxUnready || !known || c.LastTransitionTime.IsZero() {
			continue
		}
		b.Observe(evidence.Observation{
			Time: c.LastTransitionTime.UTC(), Subject: about, Source: source, Fact: evidence.SandboxUnready{Reason: reason},
			Text: safetext.Clean(fmt.Sprintf("condition %s: False since %s, %s: %s",
				c.Type, c.LastTransitionTime.UTC().Format(time.RFC3339), c.Reason, c.Message)),
		})
	}
}
