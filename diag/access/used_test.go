package access

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube/kubetest"
)

// What the API server's source sends is within tier 0.
func TestTheSourceStaysWithinTier0(t *testing.T) {
	client := fake.NewClientset(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}},
		&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", UID: "u"}, Spec: corev1.PodSpec{NodeName: "n1"}})
	for _, scope := range []apiserver.Scope{{}, {Namespace: "shop"}, {Namespace: "none"}, {Names: []apiserver.PodRef{{Namespace: "shop", Name: "web"}}}, {Nodes: []string{"n1"}}} {
		apiserver.NewSource(kubetest.Client(client), scope, apiserver.Hasher{}, apiserver.Options{}).Collect(t.Context())
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
	for _, want := range []string{"list pods", "get pods", "list events", "get nodes", "list nodes"} {
		if !used[want] {
			t.Errorf("%s was not used: the test sees too little", want)
		}
	}
}

func TestWhatIsDeniedIsNotAskedFor(t *testing.T) {
	client := fake.NewClientset(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", UID: "u"}, Spec: corev1.PodSpec{NodeName: "n1"}})
	_, gaps := apiserver.NewSource(kubetest.Client(client), apiserver.Scope{Namespace: "shop"}, apiserver.Hasher{}, apiserver.Options{Denied: []string{"events", "nodes"}}).Collect(t.Context())
	for _, a := range client.Actions() {
		if a.GetResource().Resource == "nodes" || a.GetResource().Resource == "events" && a.GetNamespace() == "shop" {
			t.Errorf("%s %s although it is denied", a.GetVerb(), a.GetResource().Resource)
		}
	}
	if len(gaps) != 0 {
		t.Errorf("gaps %+v: the caller has said why", gaps)
	}
}
