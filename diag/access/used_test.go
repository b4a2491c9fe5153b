package access

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// What the API server's source sends is within tier 0.
func TestTheSourceStaysWithinTier0(t *testing.T) {
	owned := func(name, kind, apiVersion string) *corev1.Pod {
		yes := true
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", UID: types.UID("u-" + name)},
			Spec: corev1.PodSpec{NodeName: "n1"}}
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: apiVersion,
			Kind: kind, Name: "of-" + name, UID: types.UID("o-" + name), Controller: &yes}}
		return p
	}
	yes := true
	client := kubetest.NewFake(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}},
		owned("web", "ReplicaSet", "apps/v1"), owned("db", "StatefulSet", "apps/v1"),
		owned("agent", "DaemonSet", "apps/v1"), owned("once", "Job", "batch/v1"),
		&appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: "of-web", Namespace: "shop",
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment",
				Name: "web", UID: "d", Controller: &yes}}}},
		&appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "of-db", Namespace: "shop"}},
		&appsv1.DaemonSet{ObjectMeta: metav1.ObjectMeta{Name: "of-agent", Namespace: "shop"}})
	for _, scope := range []apiserver.Scope{{}, {Namespace: "shop"}, {Namespace: "none"},
		{Names: []apiserver.PodRef{{Namespace: "shop", Name: "web"}}}, {Nodes: []string{"n1"}}} {
		apiserver.NewSource(kubetest.Client(client), scope, apiobject.Hasher{},
			apiserver.Options{History: true}).Collect(t.Context())
	}
	granted := map[string]bool{}
	for _, s := range Steps() {
		for _, r := range s.Rights {
			granted[r.Verb+" "+r.String()] = granted[r.Verb+" "+r.String()] || s.Tier == Tier0
		}
	}
	used := map[string]bool{}
	for _, a := range client.Actions() {
		right := a.GetVerb() + " " + Right{Group: a.GetResource().Group, Resource: a.GetResource().Resource}.String()
		used[right] = true
		if !granted[right] {
			t.Errorf("it needs %s, which tier 0 does not grant", right)
		}
	}
	for _, want := range []string{"list pods", "get pods", "list events", "get nodes", "list nodes",
		"get replicasets.apps", "list replicasets.apps", "get deployments.apps",
		"get statefulsets.apps", "get daemonsets.apps", "list controllerrevisions.apps", "get jobs.batch"} {
		if !used[want] {
			t.Errorf("%s was not used: the test sees too little", want)
		}
	}
}

func TestWhatIsDeniedIsNotAskedFor(t *testing.T) {
	client := kubetest.NewFake(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", UID: "u"},
		Spec: corev1.PodSpec{NodeName: "n1"}})
	_, gaps := apiserver.NewSource(kubetest.Client(client), apiserver.Scope{Namespace: "shop"},
		apiobject.Hasher{}, apiserver.Options{Denied: []string{"events", "nodes"}}).Collect(t.Context())
	for _, a := range client.Actions() {
		if a.GetResource().Resource == "nodes" || a.GetResource().Resource == "events" && a.GetNamespace() == "shop" {
			t.Errorf("%s %s although it is denied", a.GetVerb(), a.GetResource().Resource)
		}
	}
	if len(gaps) != 0 {
		t.Errorf("gaps %+v: the caller has said why", gaps)
	}
}
