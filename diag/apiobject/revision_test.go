package apiobject

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/quantity"
)

func TestARevisionIsNamedByItsWorkload(t *testing.T) {
	for name, test := range map[string]struct {
		mutate func(*appsv1.ReplicaSet)
		want   string
	}{
		"of a deployment": {func(*appsv1.ReplicaSet) {}, "revision 3 of deployment web"},
		"of a rollout": {func(s *appsv1.ReplicaSet) {
			s.Annotations = map[string]string{"rollout.argoproj.io/revision": "4"}
			s.OwnerReferences = objecttest.Controlled("argoproj.io/v1alpha1", "Rollout", "web", "u")
		}, "revision 4 of rollout web"},
		"of nobody":        {func(s *appsv1.ReplicaSet) { s.OwnerReferences = nil }, "replicaset web-c"},
		"without a number": {func(s *appsv1.ReplicaSet) { s.Annotations = nil }, "replicaset web-c"},
		"with no such number": {func(s *appsv1.ReplicaSet) { s.Annotations["deployment.kubernetes.io/revision"] = "-1" },
			"replicaset web-c"},
		"with another word": {func(s *appsv1.ReplicaSet) { s.Annotations["deployment.kubernetes.io/revision"] = "x" },
			"replicaset web-c"},
	} {
		t.Run(name, func(t *testing.T) {
			s := objecttest.Set("web-c", "3", "web:3", test.mutate)
			if r := OfReplicaSet(&s); r.Source != test.want || len(r.images()) != 1 {
				t.Errorf("%q, want %q", r.Source, test.want)
			}
		})
	}
}

func TestWhatAControllerRevisionHolds(t *testing.T) {
	owner := objecttest.Controlled("apps/v1", "StatefulSet", "db", "u")
	for name, test := range map[string]struct {
		data string
		want string // of the error, "" for none
	}{
		"a template":     {string(objecttest.Kept("r", 2, "db:1", owner).Data.Raw), ""},
		"something else": {`{"spec":{"replicas":3}}`, ErrNoTemplate.Error()},
		"nothing":        {``, "its data is no template"},
		"no object":      {`[1]`, "its data is no template"},
		"an absurd quantity": {
			`{"spec":{"template":{"spec":{"containers":[{"name":"a","resources":{"limits":{"memory":"1e-99999999"}}}]}}}}`,
			quantity.ErrDigits.Error()},
		"a damaged container": {`{"spec":{"template":{"spec":{"containers":[{"name":7}]}}}}`, "its data is no template"},
	} {
		t.Run(name, func(t *testing.T) {
			c := objecttest.Kept("r", 2, "db:1", owner)
			c.Data.Raw = []byte(test.data)
			r, err := OfControllerRevision(&c)
			if test.want == "" {
				if err != nil || r.Source != "revision 2 of statefulset db" || r.number != 2 ||
					r.Spec.Containers[0].Image != "db:1" {
					t.Errorf("%+v, %v", r, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if r, err := OfControllerRevision(&appsv1.ControllerRevision{ObjectMeta: metav1.ObjectMeta{Name: "x"}}); err == nil ||
		errors.Is(err, ErrNoTemplate) {
		t.Errorf("an empty revision: %+v, %v", r, err)
	}
	alone := objecttest.Kept("alone", 1, "db:1", nil)
	if r, err := OfControllerRevision(&alone); err != nil || r.Source != "controllerrevision alone" {
		t.Errorf("of nobody: %+v, %v", r, err)
	}
}

// Ten revisions are kept, the newest ones, and the pod's own however old it is.
func TestTheNewestRevisionsAndThePodsOwnAreKept(t *testing.T) {
	var all []Revision
	for n := range int64(30) {
		all = append(all, Revision{Source: "r", number: n + 2})
	}
	got := WithOwn(all, Revision{Source: "own", number: 1})
	if len(got) != maxRevisions || got[0].number != 31 || got[maxRevisions-1].Source != "own" ||
		got[maxRevisions-2].number != 31-maxRevisions+2 {
		t.Errorf("%+v", got)
	}
	if got := WithOwn(nil, Revision{Source: "own"}); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

// A recording of pods with their revisions is as good as the cluster: `kubectl get
// pods,replicasets,controllerrevisions -o json`.
func TestARecordingTellsThePastToo(t *testing.T) {
	pod := objecttest.BasePod(func(p *corev1.Pod) {
		p.OwnerReferences = objecttest.Controlled("apps/v1", "ReplicaSet", "web-c", "uid-web-c")
	})
	other := objecttest.BasePod(objecttest.Named("shop", "db-0"), func(p *corev1.Pod) {
		p.Spec.Containers[0].Image = "db:3"
		p.OwnerReferences = objecttest.Controlled("apps/v1", "StatefulSet", "db", "uid-db")
	})
	bare := objecttest.BasePod(objecttest.Named("shop", "bare"))
	list := list{}
	for kind, objects := range map[string][]any{ // the order must not matter
		"Pod": {pod, other, bare},
		"ReplicaSet": {
			objecttest.Set("web-a", "1", "web:1"), objecttest.Set("web-c", "3", "web:3"), objecttest.Set("web-b", "2", "web:2"),
			objecttest.Set("api-a", "1", "api:1", func(s *appsv1.ReplicaSet) {
				s.OwnerReferences = objecttest.Controlled("apps/v1", "Deployment", "api", "uid-api")
			}),
		},
		"ControllerRevision": {
			objecttest.Kept("db-1", 1, "db:1", objecttest.Controlled("apps/v1", "StatefulSet", "db", "uid-db")),
			objecttest.Kept("db-2", 2, "db:2", objecttest.Controlled("apps/v1", "StatefulSet", "db", "uid-db")),
			objecttest.Kept("x", 1, "x:1", objecttest.Controlled("apps/v1", "DaemonSet", "x", "uid-x")),
			objecttest.Kept("nobody", 1, "x:1", nil),
		},
	} {
		for _, o := range objects {
			list.add(objecttest.WithKind(t, o, kind))
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
	p := Decode([]evidence.File{file}, Hasher{Present: objecttest.TestHash, Near: near})
	want := map[string][]string{
		"r.example/web:1": {"revision 3 of deployment web: web:3", "revision 2 of deployment web: web:2",
			"revision 1 of deployment web: web:1"},
		"db:3": {"revision 2 of statefulset db: db:2", "revision 1 of statefulset db: db:1"},
	}
	if diff := cmp.Diff(want, past); diff != "" {
		t.Error(diff)
	}
	if len(p.gaps) != 0 || len(p.Pods) != 3 {
		t.Errorf("gaps %v, %d pods", p.gaps, len(p.Pods))
	}
	for _, f := range p.Files() {
		if strings.Contains(objecttest.Text(t, f), objecttest.Hidden) {
			t.Errorf("%s holds a value of a template", f.Path)
		}
	}
	// Without a search nobody needs them, and a damaged one costs only itself.
	if p := Decode([]evidence.File{file}, Hasher{Present: objecttest.TestHash}); len(p.gaps) != 0 || len(p.Hashes) != 3 {
		t.Errorf("gaps %v", p.gaps)
	}
	damaged := evidence.Bytes("cluster/all.json",
		[]byte(
			`{"kind":"List","items":[{"kind":"ReplicaSet","metadata":7},{"kind":"ControllerRevision","spec":1,"metadata":7},
		{"kind":"ControllerRevision","metadata":{"ownerReferences":[{"kind":"DaemonSet","name":"d","controller":true}]},"data":[1]},{"kind":"ControllerRevision","metadata":{},"data":{}}]}`))
	if p := Decode([]evidence.File{damaged}, Hasher{Present: objecttest.TestHash, Near: near}); len(p.gaps) != 3 {
		t.Errorf("gaps %v", p.gaps)
	}
}

// Whatever a revision or an annotation holds, it is a template or an error, and costs no time that matters.
func FuzzRevision(f *testing.F) {
	owner := objecttest.Controlled("apps/v1", "StatefulSet", "db", "u")
	for _, data := range []string{
		string(objecttest.Kept("r", 2, "db:1", owner).Data.Raw), `{"spec":{"containers":[{"name":"a","image":"x"}]}}`,
		`{"spec":{"template":{"spec":null}}}`, `[1]`, ``,
		`{"spec":{"template":{"spec":{"containers":[{"name":"a","resources":{"limits":{"memory":"1e-99999999"}}}]}}}}`,
	} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := objecttest.Kept("r", 2, "db:1", owner)
		c.Data.Raw = data
		r, err := OfControllerRevision(&c)
		if (err == nil) == (r.Spec == nil) || err == nil && r.Source != "revision 2 of statefulset db" {
			t.Errorf("%+v, %v", r, err)
		}
		if r.Spec != nil && len(r.images()) != len(r.Spec.InitContainers)+len(r.Spec.Containers) {
			t.Errorf("%d images", len(r.images()))
		}
		for _, one := range LastApplied(map[string]string{corev1.LastAppliedConfigAnnotation: string(data)}).Images() {
			if len(one.Name)+len(one.Image) > 3*len(data) {
				t.Errorf("%q is longer than what it was read from", one)
			}
		}
	})
}
