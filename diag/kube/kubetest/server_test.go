package kubetest

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

func TestTheServerListsAndWatchesAsOneDoes(t *testing.T) {
	s := Serve(t)
	c, ctx := s.Client(), t.Context()
	s.Put(pod("shop", "web-0", "web"), pod("other", "db-0", "db"))
	l, err := kube.List[corev1.PodList](ctx, c, kube.Pods, "shop", metav1.ListOptions{})
	if err != nil || len(l.Items) != 1 || l.ResourceVersion == "" {
		t.Fatalf("%+v, %v", l, err)
	}
	w, err := c.Watch(ctx, kube.Pods, "shop", metav1.ListOptions{ResourceVersion: l.ResourceVersion,
		LabelSelector: "app=web"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	s.Put(pod("shop", "db-1", "db"), pod("shop", "web-0", "web"))
	s.Bookmark()
	s.Delete(pod("shop", "web-0", "web"))
	for _, want := range []watch.EventType{watch.Modified, watch.Bookmark, watch.Deleted} {
		e := <-w.ResultChan()
		p, ok := e.Object.(*corev1.Pod)
		if !ok || e.Type != want || p.ResourceVersion <= l.ResourceVersion || want != watch.Bookmark && p.Name != "web-0" {
			t.Fatalf("%s %+v, want %s", e.Type, e.Object, want)
		}
	}
	s.Cut()
	if e, ok := <-w.ResultChan(); ok {
		t.Errorf("a broken connection brings %+v", e)
	}
	s.Forget()
	w, err = c.Watch(ctx, kube.Pods, "shop", metav1.ListOptions{ResourceVersion: l.ResourceVersion})
	if err != nil {
		t.Fatal(err)
	}
	if e := <-w.ResultChan(); e.Type != watch.Error || !apierrors.IsResourceExpired(apierrors.FromObject(e.Object)) {
		t.Errorf("a version that is forgotten brings %+v", e)
	}
	w, err = c.Watch(ctx, kube.Pods, "", metav1.ListOptions{ResourceVersion: "9999"})
	if err != nil {
		t.Fatal(err)
	}
	s.Fail("pods", 500)
	if e := <-w.ResultChan(); e.Type != watch.Error || !apierrors.IsInternalError(apierrors.FromObject(e.Object)) {
		t.Errorf("%+v", e)
	}
	s.Refuse("watch pods", 403)
	if _, err := c.Watch(ctx, kube.Pods, "", metav1.ListOptions{}); !apierrors.IsForbidden(err) {
		t.Errorf("%v", err)
	}
	if _, err := kube.Get[corev1.Node](ctx, c, kube.Nodes, "", "n1"); !apierrors.IsNotFound(err) {
		t.Errorf("%v", err)
	}
	if asked := s.Asked(); asked[0] != "list pods shop" || asked[1] != "watch pods shop" ||
		asked[len(asked)-1] != "get nodes" {
		t.Errorf("%q", asked)
	}
}
