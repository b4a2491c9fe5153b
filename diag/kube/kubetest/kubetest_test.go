package kubetest

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

func pod(namespace, name, app string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace,
		Name: name, Labels: map[string]string{"app": app}}}
}

func TestTheFakeAnswersAsAServerDoes(t *testing.T) {
	f := NewFake(pod("shop", "web-0", "web"), pod("shop", "db-0", "db"), pod("other", "web-1", "web"))
	c, ctx := Client(f), t.Context()
	for name, q := range map[string]struct {
		namespace, selector string
		want                int
	}{"one namespace": {"shop", "", 2}, "all namespaces": {"", "", 3}, "a selector": {"shop", "app=web", 1}} {
		l, err := kube.List[corev1.PodList](ctx, c, kube.Pods, q.namespace, metav1.ListOptions{LabelSelector: q.selector})
		if err != nil || len(l.Items) != q.want {
			t.Errorf("%s: %v, %v", name, l, err)
		}
	}
	if _, err := kube.List[corev1.PodList](ctx, c, kube.Pods, "shop",
		metav1.ListOptions{LabelSelector: "=="}); err == nil {
		t.Error("a selector that is none was accepted")
	}
	made, err := kube.Create(ctx, c, kube.Pods, "shop", pod("shop", "new", "x"))
	if err != nil || made.Name != "new" {
		t.Errorf("made %v, %v", made, err)
	}
	if got, err := kube.Get[corev1.Pod](ctx, c, kube.Pods, "shop", "new"); err != nil || got.Labels["app"] != "x" {
		t.Errorf("got %v, %v", got, err)
	}
	if err := c.Delete(ctx, kube.Pods, "shop", "new", metav1.DeleteOptions{}); err != nil {
		t.Error(err)
	}
	if _, err := kube.Get[corev1.Pod](ctx, c, kube.Pods, "shop", "new"); !apierrors.IsNotFound(err) {
		t.Errorf("after its deletion: %v", err)
	}
	if n := len(f.Actions()); n != 7 {
		t.Errorf("%d actions were noted", n)
	}
}

func TestReactorsAreHeard(t *testing.T) {
	f := NewFake()
	refused := errors.New("refused")
	f.PrependReactor("get", "pods", func(clienttesting.Action) (bool, runtime.Object, error) { return true, nil, refused })
	f.PrependReactor("get", "nodes", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, &corev1.Pod{}, nil
	})
	if _, err := kube.Get[corev1.Pod](t.Context(), Client(f), kube.Pods, "shop", "x"); !errors.Is(err, refused) {
		t.Errorf("%v", err)
	}
	if _, err := kube.Get[corev1.Node](t.Context(), Client(f), kube.Nodes, "", "x"); err == nil {
		t.Error("a pod was taken for a node")
	}
}
