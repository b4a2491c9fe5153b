package apiserver

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

func TestTheObjectOfThePodIsSafeToShow(t *testing.T) {
	const evil = "x\u202e\x1b[31m"
	p := basePod(func(p *corev1.Pod) {
		policy := corev1.ContainerRestartPolicy(evil)
		p.Spec.RestartPolicy, p.Status.Phase = evil, evil
		p.Spec.Containers[0].Name, p.Spec.Containers[0].RestartPolicy = evil, &policy
		p.Spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: evil}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: evil, ContainerID: evil,
			State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: evil}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: evil}},
		}}
	})
	got := snapshotOf(p).Pods[0].Object
	eachShown(got, func(s string) string {
		if !safetext.Safe(s) {
			t.Errorf("%q reaches the screen", s)
		}
		return s
	})
	if got.Spec.Containers[0].Name != safetext.Ident(evil) || p.Spec.Containers[0].Name != evil {
		t.Errorf("the name became %q, the piece's own %q", got.Spec.Containers[0].Name, p.Spec.Containers[0].Name)
	}
	if plain := basePod(func(*corev1.Pod) {}); safeObject(&plain) != &plain {
		t.Error("a safe pod was copied")
	}
}
