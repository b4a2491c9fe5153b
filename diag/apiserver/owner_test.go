package apiserver

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// A pod that restarted is followed up to what made it; the way is kept in the
// bundle, without anything else of the controllers.
func TestOwnersAreReadAndKept(t *testing.T) {
	set := appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop",
		Name: "web-7c5d9f6b4", UID: "set", OwnerReferences: objecttest.Controlled("apps/v1", "Deployment", "web", "d"),
		Annotations: map[string]string{"secret": "canary"}}}
	set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "a", Env: []corev1.EnvVar{{Name: "E", Value: "canary"}}}}
	f := &fakeAPI{
		pods: []corev1.Pod{
			objecttest.BasePod(
				objecttest.Named("shop", "web-1"),
				objecttest.OwnedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "set"),
			),
			objecttest.BasePod(
				objecttest.Named("shop", "web-2"),
				objecttest.OwnedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "set"),
			),
			objecttest.BasePod(
				objecttest.Named("shop", "calm"),
				objecttest.OwnedBy("apps/v1", "ReplicaSet", "calm-5d6b", "calm"),
				func(p *corev1.Pod) { p.Status.ContainerStatuses = nil },
			),
			objecttest.BasePod(
				objecttest.Named("shop", "night"),
				objecttest.OwnedBy("batch/v1", "Job", "night-28911234", "job"),
			),
			objecttest.BasePod(
				objecttest.Named("shop", "foreign"),
				objecttest.OwnedBy("example.com/v1", "ReplicaSet", "foreign", "x"),
			),
			objecttest.BasePod(
				objecttest.Named("shop", "gone"),
				objecttest.OwnedBy("apps/v1", "ReplicaSet", "gone-5d6b", "gone"),
				objecttest.WithLabel("pod-template-hash", "5d6b"),
			),
		},
		sets: []appsv1.ReplicaSet{set},
		jobs: []batchv1.Job{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop",
			Name: "night-28911234", UID: "job", OwnerReferences: objecttest.Controlled("batch/v1", "CronJob", "night", "c")}}},
	}
	src := NewSource(f.serve(t), Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{})
	pieces, gaps := src.Collect(t.Context())
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "node n1") { // there is no such node here
		t.Errorf("gaps %+v", gaps)
	}
	want := map[string]string{"web-1": "deployment/web owners", "web-2": "deployment/web owners",
		"calm": "replicaset/calm-5d6b owners", "night": "cronjob/night owners",
		"foreign": "replicaset/foreign owners", "gone": "deployment/gone label"}
	files := pieces[0].Files()
	for from, s := range map[string]*evidence.Snapshot{"the cluster": objecttest.Observed(pieces, nil),
		"its files": objecttest.Observed([]evidence.RawEvidence{apiobject.Decode(files, apiobject.Hasher{})}, nil)} {
		got := map[string]string{}
		for _, p := range s.Pods {
			got[p.Name] = fmt.Sprintf("%s/%s %s", p.Workload.Kind, p.Workload.Name, p.Workload.Basis)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("from %s: %s", from, diff)
		}
	}
	if n := strings.Count(f.requests(), "replicasets/web-7c5d9f6b4"); n != 1 {
		t.Errorf("asked %d times: %s", n, f.requests())
	}
	for _, never := range []string{"calm-5d6b", "replicasets/foreign"} {
		if strings.Contains(f.requests(), never) {
			t.Errorf("asked for %s", never)
		}
	}
	for path, text := range filetest.Of(t, pieces[0]) {
		if strings.Contains(text, "canary") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// Many controllers are not asked for one by one: the label names the Deployment.
func TestManyOwnersAreTakenByTheirLabels(t *testing.T) {
	f := &fakeAPI{}
	for i := range eachAtMost + 1 {
		hash := fmt.Sprintf("5d6b%d", i)
		f.pods = append(f.pods, objecttest.BasePod(objecttest.Named("shop", fmt.Sprintf("p%d", i)),
			objecttest.OwnedBy("apps/v1", "ReplicaSet", "web-"+hash, hash), objecttest.WithLabel("pod-template-hash", hash)))
	}
	pieces, _ := NewSource(f.serve(t), Scope{Namespace: "shop"}, apiobject.Hasher{}, Options{}).Collect(t.Context())
	if strings.Contains(f.requests(), "replicasets") {
		t.Error(f.requests())
	}
	for _, p := range objecttest.Observed(pieces, nil).Pods {
		if want := (evidence.Workload{Kind: "deployment", Name: "web", Basis: evidence.WorkloadLabel}); p.Workload != want {
			t.Errorf("%s: %+v", p.Name, p.Workload)
		}
	}
}
