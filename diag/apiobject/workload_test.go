package apiobject

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// theOwners are a Deployment's ReplicaSet, one of nobody, and a CronJob's Job.
func theOwners() owners {
	o := owners{}
	add := func(kind, name, uid string, above []metav1.OwnerReference) {
		o.add(&metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: kind},
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(uid), OwnerReferences: above}})
	}
	add("ReplicaSet", "web-7c5d9f6b4", "set", objecttest.Controlled("apps/v1", "Deployment", "web", ""))
	add("ReplicaSet", "alone-7c5d9f6b4", "alone", nil)
	add("Job", "night-28911234", "job", objecttest.Controlled("batch/v1", "CronJob", "backup", ""))
	return o
}

func TestTheWorkloadOfAPod(t *testing.T) {
	mirror := func(p *corev1.Pod) {
		p.Name, p.Spec.NodeName, p.Annotations = "etcd-n1.example", "N1.example",
			map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	}
	own := func(kind, name string) evidence.Workload {
		return evidence.Workload{Kind: kind, Name: name, Basis: evidence.WorkloadOwners}
	}
	for name, test := range map[string]struct {
		pod  []func(*corev1.Pod)
		want evidence.Workload
	}{
		"no controller": {nil, own("pod", "web-0")},
		"an owner that does not control it": {[]func(*corev1.Pod){func(p *corev1.Pod) {
			p.OwnerReferences = []metav1.OwnerReference{{Kind: "Deployment", Name: "d"}}
		}}, own("pod", "web-0")},
		"a StatefulSet": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "StatefulSet", "web", "s")},
			own("statefulset", "web")},
		"somebody's own kind": {[]func(*corev1.Pod){objecttest.OwnedBy("kruise.io/v1", "CloneSet", "web", "s")},
			own("cloneset", "web")},
		"a static pod": {[]func(*corev1.Pod){mirror, objecttest.OwnedBy("v1", "Node", "N1.example", "n")},
			own("static-pod", "etcd")},
		"a static pod of an old kubelet": {[]func(*corev1.Pod){mirror}, own("static-pod", "etcd")},
		"a Deployment's ReplicaSet": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "set"),
			objecttest.WithLabel("pod-template-hash", "other")}, own("deployment", "web")},
		"a ReplicaSet of nobody": {
			[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "alone-7c5d9f6b4", "alone"),
				objecttest.WithLabel("pod-template-hash", "7c5d9f6b4")}, own("replicaset", "alone-7c5d9f6b4")},
		"another ReplicaSet of the same name": {
			[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "older")},
			own("replicaset", "web-7c5d9f6b4")},
		"a ReplicaSet that was not read": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "api-5d6b", "x"),
			objecttest.WithLabel("pod-template-hash", "5d6b")}, evidence.Workload{Kind: "deployment",
			Name: "api", Basis: evidence.WorkloadLabel}},
		"a Rollout's that was not read": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "api-5d6b", "x"),
			objecttest.WithLabel("rollouts-pod-template-hash", "5d6b")},
			evidence.Workload{Kind: "rollout", Name: "api", Basis: evidence.WorkloadLabel}},
		"one with another hash": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "api-5d6b", "x"),
			objecttest.WithLabel("pod-template-hash", "d6b")}, own("replicaset", "api-5d6b")},
		"one without a label": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "api-", "x"),
			objecttest.WithLabel("a", "b")}, own("replicaset", "api-")},
		"one that is called like its hash": {[]func(*corev1.Pod){objecttest.OwnedBy("apps/v1", "ReplicaSet", "-5d6b", "x"),
			objecttest.WithLabel("pod-template-hash", "5d6b")}, own("replicaset", "-5d6b")},
		"a CronJob's Job": {[]func(*corev1.Pod){objecttest.OwnedBy("batch/v1", "Job", "night-28911234", "job")},
			own("cronjob", "backup")},
		"a Job with a time that was not read": {
			[]func(*corev1.Pod){objecttest.OwnedBy("batch/v1", "Job", "other-28911234", "x")},
			evidence.Workload{Kind: "cronjob", Name: "other", Basis: evidence.WorkloadName}},
		"a Job of a CronJob before v1.21": {
			[]func(*corev1.Pod){objecttest.OwnedBy("batch/v1", "Job", "other-1600000000", "x")},
			evidence.Workload{Kind: "cronjob", Name: "other", Basis: evidence.WorkloadName}},
		"a Job": {[]func(*corev1.Pod){objecttest.OwnedBy("batch/v1", "Job", "once", "x")}, own("job", "once")},
		"a Job with a number": {[]func(*corev1.Pod){objecttest.OwnedBy("batch/v1", "Job", "once-2", "x")},
			own("job", "once-2")},
		"names that would reorder a terminal": {[]func(*corev1.Pod){objecttest.OwnedBy("x/v1", "K\x1b[31m", "n\u202e", "x")},
			own("k^[[31m", `n\u{202e}`)},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, workloadOf(new(objecttest.BasePod(test.pod...)), theOwners())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Another tool's lists of ReplicaSets and Jobs say the same.
func TestForeignListsOfOwnersAreRead(t *testing.T) {
	const sets = `{"kind":"ReplicaSetList","apiVersion":"apps/v1","items":[{"metadata":{"namespace":"shop","name":"web-1","uid":"set","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","controller":true}]},"spec":{}}]}`
	const pods = `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"namespace":"shop","name":"web-1-x","uid":"u","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"set","controller":true}]}}]}`
	files := []evidence.File{evidence.Bytes("replicasets.json", []byte(sets)), evidence.Bytes("pods.json", []byte(pods))}
	got := objecttest.Observed([]evidence.RawEvidence{Decode(files, Hasher{})}, nil).Pods[0].Workload
	if want := (evidence.Workload{Kind: "deployment", Name: "web", Basis: evidence.WorkloadOwners}); got != want {
		t.Errorf("%+v", got)
	}
}
