package apiserver

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestTheReplicaSetThatControlsAPod(t *testing.T) {
	yes, no := true, false
	for name, test := range map[string]struct {
		owner metav1.OwnerReference
		want  string
	}{
		"a ReplicaSet":                  {metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1", Controller: &yes}, "web-1"},
		"of an older version":           {metav1.OwnerReference{APIVersion: "apps/v1beta2", Kind: "ReplicaSet", Name: "web-1", Controller: &yes}, "web-1"},
		"that does not control it":      {metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1", Controller: &no}, ""},
		"that does not say":             {metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-1"}, ""},
		"somebody else's kind":          {metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "ReplicaSet", Name: "web-1", Controller: &yes}, ""},
		"a StatefulSet, which moves on": {metav1.OwnerReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web", Controller: &yes}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{{Kind: "Node", Name: "n"}, test.owner}}}
			if got := replicaSetOf(p); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
	if got := replicaSetOf(&corev1.Pod{}); got != "" {
		t.Errorf("a pod of its own belongs to %q", got)
	}
}
