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
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ownedBy gives a pod a controller, and beside it an owner that is none.
func ownedBy(apiVersion, kind, name, uid string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.OwnerReferences = controlled(apiVersion, kind, name, uid) }
}

func withLabel(key, value string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Labels = map[string]string{key: value} }
}

// theOwners are a Deployment's ReplicaSet, one of nobody, and a CronJob's Job.
func theOwners() owners {
	o := owners{}
	add := func(kind, name, uid string, above []metav1.OwnerReference) {
		o.add(&metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{Kind: kind},
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(uid), OwnerReferences: above}})
	}
	add("ReplicaSet", "web-7c5d9f6b4", "set", controlled("apps/v1", "Deployment", "web", ""))
	add("ReplicaSet", "alone-7c5d9f6b4", "alone", nil)
	add("Job", "night-28911234", "job", controlled("batch/v1", "CronJob", "backup", ""))
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
		"a StatefulSet": {[]func(*corev1.Pod){ownedBy("apps/v1", "StatefulSet", "web", "s")},
			own("statefulset", "web")},
		"somebody's own kind": {[]func(*corev1.Pod){ownedBy("kruise.io/v1", "CloneSet", "web", "s")},
			own("cloneset", "web")},
		"a static pod": {[]func(*corev1.Pod){mirror, ownedBy("v1", "Node", "N1.example", "n")},
			own("static-pod", "etcd")},
		"a static pod of an old kubelet": {[]func(*corev1.Pod){mirror}, own("static-pod", "etcd")},
		"a Deployment's ReplicaSet": {[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "set"),
			withLabel("pod-template-hash", "other")}, own("deployment", "web")},
		"a ReplicaSet of nobody": {
			[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "alone-7c5d9f6b4", "alone"),
				withLabel("pod-template-hash", "7c5d9f6b4")}, own("replicaset", "alone-7c5d9f6b4")},
		"another ReplicaSet of the same name": {
			[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "older")}, own("replicaset", "web-7c5d9f6b4")},
		"a ReplicaSet that was not read": {[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "api-5d6b", "x"),
			withLabel("pod-template-hash", "5d6b")}, evidence.Workload{Kind: "deployment",
			Name: "api", Basis: evidence.WorkloadLabel}},
		"a Rollout's that was not read": {[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "api-5d6b", "x"),
			withLabel("rollouts-pod-template-hash", "5d6b")},
			evidence.Workload{Kind: "rollout", Name: "api", Basis: evidence.WorkloadLabel}},
		"one with another hash": {[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "api-5d6b", "x"),
			withLabel("pod-template-hash", "d6b")}, own("replicaset", "api-5d6b")},
		"one without a label": {[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "api-", "x"),
			withLabel("a", "b")}, own("replicaset", "api-")},
		"one that is called like its hash": {[]func(*corev1.Pod){ownedBy("apps/v1", "ReplicaSet", "-5d6b", "x"),
			withLabel("pod-template-hash", "5d6b")}, own("replicaset", "-5d6b")},
		"a CronJob's Job": {[]func(*corev1.Pod){ownedBy("batch/v1", "Job", "night-28911234", "job")},
			own("cronjob", "backup")},
		"a Job with a time that was not read": {[]func(*corev1.Pod){ownedBy("batch/v1", "Job", "other-28911234", "x")},
			evidence.Workload{Kind: "cronjob", Name: "other", Basis: evidence.WorkloadName}},
		"a Job of a CronJob before v1.21": {[]func(*corev1.Pod){ownedBy("batch/v1", "Job", "other-1600000000", "x")},
			evidence.Workload{Kind: "cronjob", Name: "other", Basis: evidence.WorkloadName}},
		"a Job":               {[]func(*corev1.Pod){ownedBy("batch/v1", "Job", "once", "x")}, own("job", "once")},
		"a Job with a number": {[]func(*corev1.Pod){ownedBy("batch/v1", "Job", "once-2", "x")}, own("job", "once-2")},
		"names that would reorder a terminal": {[]func(*corev1.Pod){ownedBy("x/v1", "K\x1b[31m", "n\u202e", "x")},
			own("k^[[31m", `n\u{202e}`)},
	} {
		t.Run(name, func(t *testing.T) {
			p := basePod(test.pod...)
			if diff := cmp.Diff(test.want, workloadOf(&p, theOwners())); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A pod that restarted is followed up to what made it; the way is kept in the
// bundle, without anything else of the controllers.
func TestOwnersAreReadAndKept(t *testing.T) {
	set := appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop",
		Name: "web-7c5d9f6b4", UID: "set", OwnerReferences: controlled("apps/v1", "Deployment", "web", "d"),
		Annotations: map[string]string{"secret": "canary"}}}
	set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "a", Env: []corev1.EnvVar{{Name: "E", Value: "canary"}}}}
	f := &fakeAPI{
		pods: []corev1.Pod{
			basePod(named("shop", "web-1"), ownedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "set")),
			basePod(named("shop", "web-2"), ownedBy("apps/v1", "ReplicaSet", "web-7c5d9f6b4", "set")),
			basePod(named("shop", "calm"), ownedBy("apps/v1", "ReplicaSet", "calm-5d6b", "calm"),
				func(p *corev1.Pod) { p.Status.ContainerStatuses = nil }),
			basePod(named("shop", "night"), ownedBy("batch/v1", "Job", "night-28911234", "job")),
			basePod(named("shop", "foreign"), ownedBy("example.com/v1", "ReplicaSet", "foreign", "x")),
			basePod(named("shop", "gone"), ownedBy("apps/v1", "ReplicaSet", "gone-5d6b", "gone"),
				withLabel("pod-template-hash", "5d6b")),
		},
		sets: []appsv1.ReplicaSet{set},
		jobs: []batchv1.Job{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop",
			Name: "night-28911234", UID: "job", OwnerReferences: controlled("batch/v1", "CronJob", "night", "c")}}},
	}
	src := NewSource(f.serve(t), Scope{Namespace: "shop"}, Hasher{}, Options{})
	pieces, gaps := src.Collect(t.Context())
	if len(gaps) != 1 || !strings.Contains(gaps[0].Why, "node n1") { // there is no such node here
		t.Errorf("gaps %+v", gaps)
	}
	want := map[string]string{"web-1": "deployment/web owners", "web-2": "deployment/web owners",
		"calm": "replicaset/calm-5d6b owners", "night": "cronjob/night owners",
		"foreign": "replicaset/foreign owners", "gone": "deployment/gone label"}
	files := pieces[0].Files()
	for from, s := range map[string]*evidence.Snapshot{"the cluster": observed(pieces, nil),
		"its files": observed([]evidence.RawEvidence{Decode(files, Hasher{})}, nil)} {
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
	for path, text := range filesOf(t, pieces[0]) {
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
		f.pods = append(f.pods, basePod(named("shop", fmt.Sprintf("p%d", i)),
			ownedBy("apps/v1", "ReplicaSet", "web-"+hash, hash), withLabel("pod-template-hash", hash)))
	}
	pieces, _ := NewSource(f.serve(t), Scope{Namespace: "shop"}, Hasher{}, Options{}).Collect(t.Context())
	if strings.Contains(f.requests(), "replicasets") {
		t.Error(f.requests())
	}
	for _, p := range observed(pieces, nil).Pods {
		if want := (evidence.Workload{Kind: "deployment", Name: "web", Basis: evidence.WorkloadLabel}); p.Workload != want {
			t.Errorf("%s: %+v", p.Name, p.Workload)
		}
	}
}

// Another tool's lists of ReplicaSets and Jobs say the same.
func TestForeignListsOfOwnersAreRead(t *testing.T) {
	const sets = `{"kind":"ReplicaSetList","apiVersion":"apps/v1","items":[{"metadata":{"namespace":"shop","name":"web-1","uid":"set","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"web","controller":true}]},"spec":{}}]}`
	const pods = `{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"namespace":"shop","name":"web-1-x","uid":"u","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"set","controller":true}]}}]}`
	files := []evidence.File{evidence.Bytes("replicasets.json", []byte(sets)), evidence.Bytes("pods.json", []byte(pods))}
	if !Recognises(files[0]) {
		t.Error("a list of ReplicaSets is not recognised")
	}
	got := observed([]evidence.RawEvidence{Decode(files, Hasher{})}, nil).Pods[0].Workload
	if want := (evidence.Workload{Kind: "deployment", Name: "web", Basis: evidence.WorkloadOwners}); got != want {
		t.Errorf("%+v", got)
	}
}
