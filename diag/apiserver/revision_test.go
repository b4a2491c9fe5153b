package apiserver

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// controlled makes something the controller's of what it is part of.
func controlled(apiVersion, kind, name, uid string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{Kind: "Other", Name: "o"},
		{APIVersion: apiVersion, Kind: kind, Name: name, UID: types.UID(uid), Controller: &yes}}
}

// template is the spec of a pod template with one container.
func template(image string) corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{Name: "a", Image: image,
		Env: []corev1.EnvVar{{Name: "KEY", Value: hidden}}}}}
}

// set is a ReplicaSet of the Deployment web.
func set(name, number, image string, mutate ...func(*appsv1.ReplicaSet)) appsv1.ReplicaSet {
	s := appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: "shop", UID: types.UID("uid-" + name),
			Labels:          map[string]string{"app": "web", "pod-template-hash": name},
			Annotations:     map[string]string{"deployment.kubernetes.io/revision": number},
			OwnerReferences: controlled("apps/v1", "Deployment", "web", "uid-web"),
		},
		Spec: appsv1.ReplicaSetSpec{Selector: &metav1.LabelSelector{
			MatchLabels: map[string]string{"app": "web", "pod-template-hash": name}},
			Template: corev1.PodTemplateSpec{Spec: template(image)}},
	}
	for _, m := range mutate {
		m(&s)
	}
	return s
}

// kept is a ControllerRevision of a workload, as the StatefulSet controller writes it.
func kept(name string, number int64, image string, owner []metav1.OwnerReference) appsv1.ControllerRevision {
	data := `{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"a","image":"` + image +
		`","env":[{"name":"KEY","value":"` + hidden + `"}],"resources":{"limits":{"memory":"64Mi"}}}]}}}}`
	c := appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", UID: types.UID("uid-" + name),
			Labels: map[string]string{"app": "web"}, OwnerReferences: owner},
		Revision: number,
	}
	c.Data.Raw = []byte(data)
	return c
}

func TestARevisionIsNamedByItsWorkload(t *testing.T) {
	for name, test := range map[string]struct {
		mutate func(*appsv1.ReplicaSet)
		want   string
	}{
		"of a deployment": {func(*appsv1.ReplicaSet) {}, "revision 3 of deployment web"},
		"of a rollout": {func(s *appsv1.ReplicaSet) {
			s.Annotations = map[string]string{"rollout.argoproj.io/revision": "4"}
			s.OwnerReferences = controlled("argoproj.io/v1alpha1", "Rollout", "web", "u")
		}, "revision 4 of rollout web"},
		"of nobody":        {func(s *appsv1.ReplicaSet) { s.OwnerReferences = nil }, "replicaset web-c"},
		"without a number": {func(s *appsv1.ReplicaSet) { s.Annotations = nil }, "replicaset web-c"},
		"with no such number": {func(s *appsv1.ReplicaSet) { s.Annotations["deployment.kubernetes.io/revision"] = "-1" },
			"replicaset web-c"},
		"with another word": {func(s *appsv1.ReplicaSet) { s.Annotations["deployment.kubernetes.io/revision"] = "x" },
			"replicaset web-c"},
	} {
		t.Run(name, func(t *testing.T) {
			s := set("web-c", "3", "web:3", test.mutate)
			if r := ofReplicaSet(&s); r.source != test.want || len(r.images()) != 1 {
				t.Errorf("%q, want %q", r.source, test.want)
			}
		})
	}
}

func TestWhatAControllerRevisionHolds(t *testing.T) {
	owner := controlled("apps/v1", "StatefulSet", "db", "u")
	for name, test := range map[string]struct {
		data string
		want string // of the error, "" for none
	}{
		"a template":     {string(kept("r", 2, "db:1", owner).Data.Raw), ""},
		"something else": {`{"spec":{"replicas":3}}`, errNoTemplate.Error()},
		"nothing":        {``, "its data is no template"},
		"no object":      {`[1]`, "its data is no template"},
		"an absurd quantity": {
			`{"spec":{"template":{"spec":{"containers":[{"name":"a","resources":{"limits":{"memory":"1e-99999999"}}}]}}}}`,
			errQuantity.Error()},
		"a damaged container": {`{"spec":{"template":{"spec":{"containers":[{"name":7}]}}}}`, "its data is no template"},
	} {
		t.Run(name, func(t *testing.T) {
			c := kept("r", 2, "db:1", owner)
			c.Data.Raw = []byte(test.data)
			r, err := ofControllerRevision(&c)
			if test.want == "" {
				if err != nil || r.source != "revision 2 of statefulset db" || r.number != 2 ||
					r.spec.Containers[0].Image != "db:1" {
					t.Errorf("%+v, %v", r, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if r, err := ofControllerRevision(&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "x"}}); err == nil ||
		errors.Is(err, errNoTemplate) {
		t.Errorf("an empty revision: %+v, %v", r, err)
	}
	alone := kept("alone", 1, "db:1", nil)
	if r, err := ofControllerRevision(&alone); err != nil || r.source != "controllerrevision alone" {
		t.Errorf("of nobody: %+v, %v", r, err)
	}
}

// Ten revisions are kept, the newest ones, and the pod's own however old it is.
func TestTheNewestRevisionsAndThePodsOwnAreKept(t *testing.T) {
	var all []revision
	for n := range int64(30) {
		all = append(all, revision{source: "r", number: n + 2})
	}
	got := withOwn(all, revision{source: "own", number: 1})
	if len(got) != maxRevisions || got[0].number != 31 || got[maxRevisions-1].source != "own" ||
		got[maxRevisions-2].number != 31-maxRevisions+2 {
		t.Errorf("%+v", got)
	}
	if got := withOwn(nil, revision{source: "own"}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// A recording of pods with their revisions is as good as the cluster: `kubectl get
// pods,replicasets,controllerrevisions -o json`.
func TestARecordingTellsThePastToo(t *testing.T) {
	pod := basePod(func(p *corev1.Pod) { p.OwnerReferences = controlled("apps/v1", "ReplicaSet", "web-c", "uid-web-c") })
	other := basePod(named("shop", "db-0"), func(p *corev1.Pod) {
		p.Spec.Containers[0].Image = "db:3"
		p.OwnerReferences = controlled("apps/v1", "StatefulSet", "db", "uid-db")
	})
	bare := basePod(named("shop", "bare"))
	list := list{}
	for kind, objects := range map[string][]any{ // the order must not matter
		"Pod": {pod, other, bare},
		"ReplicaSet": {
			set("web-a", "1", "web:1"), set("web-c", "3", "web:3"), set("web-b", "2", "web:2"),
			set("api-a", "1", "api:1", func(s *appsv1.ReplicaSet) {
				s.OwnerReferences = controlled("apps/v1", "Deployment", "api", "uid-api")
			}),
		},
		"ControllerRevision": {
			kept("db-1", 1, "db:1", controlled("apps/v1", "StatefulSet", "db", "uid-db")),
			kept("db-2", 2, "db:2", controlled("apps/v1", "StatefulSet", "db", "uid-db")),
			kept("x", 1, "x:1", controlled("apps/v1", "DaemonSet", "x", "uid-x")), kept("nobody", 1, "x:1", nil),
		},
	} {
		for _, o := range objects {
			list.add(withKind(t, o, kind))
		}
	}
	file := evidence.Bytes("cluster/all.json", list.encode())
	past := map[string][]string{}
	near := func(a Ancestry) []evidence.SpecHash {
		for _, e := range a.Earlier {
			past[a.Spec.Image] = append(past[a.Spec.Image], e.Source+": "+e.Container.Image)
		}
		return []evidence.SpecHash{{Hex: "9", Searched: true, Source: "x"}}
	}
	p := Decode([]evidence.File{file}, Hasher{Present: testHash, Near: near})
	want := map[string][]string{
		"r.example/web:1": {"revision 3 of deployment web: web:3", "revision 2 of deployment web: web:2",
			"revision 1 of deployment web: web:1"},
		"db:3": {"revision 2 of statefulset db: db:2", "revision 1 of statefulset db: db:1"},
	}
	if diff := cmp.Diff(want, past); diff != "" {
		t.Error(diff)
	}
	if len(p.gaps) != 0 || len(p.pods) != 3 {
		t.Errorf("gaps %v, %d pods", p.gaps, len(p.pods))
	}
	for _, f := range p.Files() {
		if strings.Contains(text(t, f), hidden) {
			t.Errorf("%s holds a value of a template", f.Path)
		}
	}
	// Without a search nobody needs them, and a damaged one costs only itself.
	if p := Decode([]evidence.File{file}, Hasher{Present: testHash}); len(p.gaps) != 0 || len(p.hashes) != 3 {
		t.Errorf("gaps %v", p.gaps)
	}
	damaged := evidence.Bytes("cluster/all.json",
		[]byte(
			`{"kind":"List","items":[{"kind":"ReplicaSet","metadata":7},{"kind":"ControllerRevision","spec":1,"metadata":7},
		{"kind":"ControllerRevision","metadata":{"ownerReferences":[{"kind":"DaemonSet","name":"d","controller":true}]},"data":[1]},{"kind":"ControllerRevision","metadata":{},"data":{}}]}`))
	if p := Decode([]evidence.File{damaged}, Hasher{Present: testHash, Near: near}); len(p.gaps) != 3 {
		t.Errorf("gaps %v", p.gaps)
	}
}

// Whatever a revision or an annotation holds, it is a template or an error, and costs no time that matters.
func FuzzRevision(f *testing.F) {
	owner := controlled("apps/v1", "StatefulSet", "db", "u")
	for _, data := range []string{
		string(kept("r", 2, "db:1", owner).Data.Raw), `{"spec":{"containers":[{"name":"a","image":"x"}]}}`,
		`{"spec":{"template":{"spec":null}}}`, `[1]`, ``,
		`{"spec":{"template":{"spec":{"containers":[{"name":"a","resources":{"limits":{"memory":"1e-99999999"}}}]}}}}`,
	} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := kept("r", 2, "db:1", owner)
		c.Data.Raw = data
		r, err := ofControllerRevision(&c)
		if (err == nil) == (r.spec == nil) || err == nil && r.source != "revision 2 of statefulset db" {
			t.Errorf("%+v, %v", r, err)
		}
		if r.spec != nil && len(r.images()) != len(r.spec.InitContainers)+len(r.spec.Containers) {
			t.Errorf("%d images", len(r.images()))
		}
		for _, one := range lastApplied(map[string]string{corev1.LastAppliedConfigAnnotation: string(data)}).images() {
			if len(one.Name)+len(one.Image) > 3*len(data) {
				t.Errorf("%q is longer than what it was read from", one)
			}
		}
	})
}
