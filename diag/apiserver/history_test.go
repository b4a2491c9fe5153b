package apiserver

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// past is what a live collection of one pod learns of its workload.
func past(t *testing.T, f *fakeAPI, pod corev1.Pod) (told []string, gaps []evidence.Gap) {
	t.Helper()
	f.pods = []corev1.Pod{pod}
	near := func(a apiobject.Ancestry) []evidence.SpecHash {
		for _, e := range a.Earlier {
			told = append(told, e.Source+": "+e.Container.Image)
		}
		for _, image := range a.Images {
			told = append(told, "image "+image)
		}
		return nil
	}
	pieces, gaps := NewSource(f.serve(t), Scope{Names: []PodRef{{pod.Namespace, pod.Name}}},
		apiobject.Hasher{Present: objecttest.TestHash, Near: near}, Options{Now: now, History: true}).Collect(t.Context())
	for _, p := range pieces {
		for _, file := range p.Files() {
			if strings.Contains(objecttest.Text(t, file), objecttest.Hidden) {
				t.Errorf("%s holds a value of a template", file.Path)
			}
		}
	}
	return told, gaps
}

func ofWeb(p *corev1.Pod) {
	p.OwnerReferences = objecttest.Controlled("apps/v1", "ReplicaSet", "web-c", "uid-web-c")
	p.Status = corev1.PodStatus{}
}

func deployment(mutate ...func(*appsv1.Deployment)) appsv1.Deployment {
	d := appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", UID: "uid-web"}}
	for _, m := range mutate {
		m(&d)
	}
	return d
}

func TestThePastOfADeploymentIsItsReplicaSets(t *testing.T) {
	sets := []appsv1.ReplicaSet{
		objecttest.Set("web-a", "1", "web:1"), objecttest.Set("web-b", "2", "web:2"), objecttest.Set("web-c", "3", "web:3"),
		objecttest.Set("other", "9", "x:9", func(s *appsv1.ReplicaSet) {
			s.OwnerReferences = objecttest.Controlled("apps/v1", "Deployment", "other", "uid-other")
		}),
		objecttest.Set("elsewhere", "8", "x:8", func(s *appsv1.ReplicaSet) { s.Labels = map[string]string{"app": "api"} }),
	}
	all := []string{
		"revision 3 of deployment web: web:3", "revision 2 of deployment web: web:2",
		"revision 1 of deployment web: web:1", "image web:3", "image web:2", "image web:1",
	}
	own := []string{"revision 3 of deployment web: web:3", "image web:3"}
	for name, test := range map[string]struct {
		change func(*fakeAPI)
		want   []string
		gap    string
	}{
		"all of it": {func(*fakeAPI) {}, all, ""},
		"with what kubectl applied": {func(f *fakeAPI) {
			f.deploys[0].Annotations = map[string]string{
				corev1.LastAppliedConfigAnnotation: `{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"web:0"}]}}}}`}
		}, append(all[:6:6], "image web:0"), ""},
		"the list is forbidden": {func(f *fakeAPI) { f.refuse = map[string]int{"list replicasets": http.StatusForbidden} },
			own,
			"list replicasets in namespace shop: forbidden"},
		"the set is forbidden": {func(f *fakeAPI) { f.refuse = map[string]int{"get replicasets": http.StatusForbidden} },
			nil, "get replicaset shop/web-c: forbidden"},
		"the set is gone": {func(f *fakeAPI) { f.sets = f.sets[:2] }, nil, "get replicaset shop/web-c: not found"},
		"the deployment is forbidden": {func(f *fakeAPI) {
			f.refuse = map[string]int{"get deployments": http.StatusForbidden}
		}, all,
			"get deployment shop/web: forbidden"},
		"a set of its own": {func(f *fakeAPI) { f.sets[2].OwnerReferences = nil },
			[]string{"replicaset web-c: web:3", "image web:3"}, ""},
		"a set of a rollout": {func(f *fakeAPI) { rollout(f.sets) }, all2rollout(all), ""},
		"a set without selector": {func(f *fakeAPI) { f.sets[2].Spec.Selector = nil },
			append([]string{"revision 8 of deployment web: x:8"}, append(append(all[:3:3], "image x:8"), all[3:]...)...), ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fakeAPI{nodes: []corev1.Node{objecttest.BaseNode("n1")}, deploys: []appsv1.Deployment{deployment()}}
			for i := range sets {
				f.sets = append(f.sets, *sets[i].DeepCopy())
			}
			test.change(f)
			got, gaps := past(t, f, objecttest.BasePod(ofWeb))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			switch {
			case test.gap == "" && len(gaps) > 0:
				t.Errorf("gaps %v", gaps)
			case test.gap != "" && (len(gaps) != 1 || !strings.HasPrefix(gaps[0].Why, test.gap) ||
				!strings.Contains(gaps[0].Hint, "docs/rbac/tier0.yaml")):
				t.Errorf("gaps %v, want %q", gaps, test.gap)
			}
			if strings.HasSuffix(test.gap, "forbidden") && !strings.Contains(gaps[0].Hint, "kubectl auth can-i ") {
				t.Errorf("no way to check is told: %q", gaps[0].Hint)
			}
		})
	}
}

// rollout gives sets to a kind that is not Kubernetes' own.
func rollout(sets []appsv1.ReplicaSet) {
	for i := range sets[:3] {
		s := &sets[i]
		s.OwnerReferences = objecttest.Controlled("argoproj.io/v1alpha1", "Rollout", "web", "uid-rollout")
		s.Annotations = map[string]string{"rollout.argoproj.io/revision": s.Annotations["deployment.kubernetes.io/revision"]}
		s.Spec.Selector.MatchLabels["rollouts-pod-template-hash"] = s.Name
	}
}

func all2rollout(in []string) (out []string) {
	for _, s := range in {
		out = append(out, strings.ReplaceAll(s, "deployment", "rollout"))
	}
	return out
}

func TestThePastOfOtherWorkloadsIsTheirControllerRevisions(t *testing.T) {
	state, daemon := objecttest.Controlled("apps/v1", "StatefulSet", "db", "uid-db"),
		objecttest.Controlled("apps/v1", "DaemonSet", "agent", "uid-agent")
	clone := objecttest.Controlled("apps.kruise.io/v1alpha1", "CloneSet", "game", "uid-game")
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	for name, test := range map[string]struct {
		owner  []metav1.OwnerReference
		change func(*fakeAPI, *corev1.Pod)
		want   []string
		gap    string
	}{
		"a StatefulSet": {state, nil, []string{"revision 2 of statefulset db: db:2",
			"revision 1 of statefulset db: db:1", "image db:2", "image db:1"}, ""},
		"a DaemonSet": {daemon, nil, []string{"revision 7 of daemonset agent: agent:7", "image agent:7", "image agent:0"},
			""},
		"somebody else's kind that keeps its history so": {clone, func(_ *fakeAPI, p *corev1.Pod) {
			p.Labels = map[string]string{"controller-revision-hash": "game-1"}
		},
			[]string{"revision 4 of cloneset game: game:4", "image game:4"}, ""},
		"somebody else's kind that does not": {clone, nil, nil, ""},
		"a Job": {objecttest.Controlled("batch/v1", "Job", "once", "uid-once"),
			nil, []string{"job once: once:1", "image once:1"}, ""},
		"a Job that is gone": {objecttest.Controlled("batch/v1", "Job", "none", "uid-none"), nil, nil,
			"get job shop/none: not found"},
		"nobody": {nil, nil, nil, ""},
		"a node": {objecttest.Controlled("v1", "Node", "n1", "uid-n1"), nil, nil, ""},
		"the set is forbidden": {state, func(f *fakeAPI, _ *corev1.Pod) {
			f.refuse = map[string]int{"get statefulsets": http.StatusForbidden}
		}, nil,
			"get statefulset shop/db: forbidden"},
		"the daemon set is forbidden": {daemon, func(f *fakeAPI, _ *corev1.Pod) {
			f.refuse = map[string]int{"get daemonsets": http.StatusForbidden}
		}, nil,
			"get daemonset shop/agent: forbidden"},
		"the revisions are forbidden": {state, func(f *fakeAPI, _ *corev1.Pod) {
			f.refuse = map[string]int{"list controllerrevisions": http.StatusForbidden}
		}, nil, "list controllerrevisions in namespace shop: forbidden"},
		"a revision is damaged": {state, func(f *fakeAPI, _ *corev1.Pod) { f.revisions[0].Data.Raw = []byte(`[1]`) },
			[]string{"revision 2 of statefulset db: db:2", "image db:2"},
			"read controllerrevision shop/db-1: its data is no template"},
		"a revision of something else": {state, func(f *fakeAPI, _ *corev1.Pod) {
			f.revisions[0].Data.Raw = []byte(`{"spec":{}}`)
		},
			[]string{"revision 2 of statefulset db: db:2", "image db:2"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fakeAPI{
				nodes: []corev1.Node{objecttest.BaseNode("n1")},
				states: []appsv1.StatefulSet{{ObjectMeta: metav1.ObjectMeta{Name: "db", Namespace: "shop", UID: "uid-db"},
					Spec: appsv1.StatefulSetSpec{Selector: selector}}},
				daemons: []appsv1.DaemonSet{{ObjectMeta: metav1.ObjectMeta{Name: "agent", Namespace: "shop", UID: "uid-agent",
					Annotations: map[string]string{
						corev1.LastAppliedConfigAnnotation: `{"spec":{"template":{"spec":{"containers":[{"name":"a","image":"agent:0"}]}}}}`}},
					Spec: appsv1.DaemonSetSpec{Selector: selector}}},
				jobs: []batchv1.Job{{ObjectMeta: metav1.ObjectMeta{Name: "once", Namespace: "shop"},
					Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: objecttest.Template("once:1")}}}},
				revisions: []appsv1.ControllerRevision{objecttest.Kept("db-1", 1, "db:1", state),
					objecttest.Kept(
						"db-2",
						2,
						"db:2",
						state,
					), objecttest.Kept("agent-7", 7, "agent:7", daemon), objecttest.Kept("game-1", 4, "game:4", clone)},
			}
			pod := objecttest.BasePod(func(p *corev1.Pod) { p.OwnerReferences, p.Status = test.owner, corev1.PodStatus{} })
			if test.change != nil {
				test.change(f, &pod)
			}
			got, gaps := past(t, f, pod)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
			if test.gap == "" && len(gaps) > 0 || test.gap != "" &&
				(len(gaps) != 1 || !strings.HasPrefix(gaps[0].Why, test.gap)) {
				t.Errorf("gaps %v, want %q", gaps, test.gap)
			}
		})
	}
}

// The pods of one workload are asked about once; those of very many not at all.
func TestTheHistoryOfAWorkloadIsReadOnceAndOfManyNot(t *testing.T) {
	f := &fakeAPI{nodes: []corev1.Node{objecttest.BaseNode("n1")}, deploys: []appsv1.Deployment{deployment()},
		sets: []appsv1.ReplicaSet{objecttest.Set("web-c", "3", "web:3")}}
	f.pods = objecttest.ManyPods(5)
	for i := range f.pods {
		ofWeb(&f.pods[i])
	}
	hasher := apiobject.Hasher{
		Present: objecttest.TestHash,
		Near:    func(apiobject.Ancestry) []evidence.SpecHash { return nil },
	}
	collect := func(o Options) []evidence.Gap {
		o.Now = now
		_, gaps := NewSource(f.serve(t), Scope{Namespace: "shop", Selector: "app=web"}, hasher, o).Collect(t.Context())
		return gaps
	}
	if gaps := collect(Options{History: true}); len(gaps) != 0 || strings.Count(f.requests(), "replicasets") != 2 {
		t.Errorf("gaps %v, asked:\n%s", gaps, f.requests())
	}
	f.seen = nil
	if collect(Options{}); strings.Contains(f.requests(), "replicasets") {
		t.Errorf("nobody wanted it, asked:\n%s", f.requests())
	}
	f.pods = objecttest.ManyPods(maxWorkloads + 9)
	for i := range f.pods {
		name := f.pods[i].Name
		f.pods[i].OwnerReferences = objecttest.Controlled("batch/v1", "Job", name, "uid-"+name)
		f.jobs = append(f.jobs,
			batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", UID: types.UID("uid-" + name)}})
	}
	f.seen = nil
	if gaps := collect(Options{History: true}); len(gaps) != 1 || strings.Count(f.requests(), "jobs") != maxWorkloads ||
		!strings.Contains(gaps[0].Why, "more than 16 workloads") {
		t.Errorf("gaps %v, asked:\n%s", gaps, f.requests())
	}
}

// The byte budget holds for templates, too.
func TestTheHistoryKeepsToTheBudget(t *testing.T) {
	f := &fakeAPI{nodes: []corev1.Node{objecttest.BaseNode("n1")}, deploys: []appsv1.Deployment{deployment()},
		pods: []corev1.Pod{objecttest.BasePod(ofWeb)}}
	f.sets = []appsv1.ReplicaSet{
		objecttest.Set("web-c", "3", strings.Repeat("x", 1<<16)),
		objecttest.Set("web-b", "2", "web:2"),
	}
	_, gaps := NewSource(
		f.serve(t),
		Scope{Names: []PodRef{{"shop", "web-0"}}},
		apiobject.Hasher{
			Present: objecttest.TestHash,
		},
		Options{Now: now, History: true, MaxBytes: 1 << 15},
	).Collect(t.Context())
	if len(gaps) == 0 || !strings.Contains(gaps[0].Why, "stopped after") ||
		!strings.Contains(gaps[0].Hint, "earlier revisions are not tried") {
		t.Errorf("gaps %v", gaps)
	}
}
