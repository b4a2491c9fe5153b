package apiserver

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// fakeAPI serves pods, events, nodes and namespaces over HTTP, in pages and with
// field selectors, and refuses what a read-only tool must never send.
type fakeAPI struct {
	pods       []corev1.Pod
	events     []corev1.Event
	nodes      []corev1.Node
	namespaces []string
	sets       []appsv1.ReplicaSet
	deploys    []appsv1.Deployment
	states     []appsv1.StatefulSet
	daemons    []appsv1.DaemonSet
	revisions  []appsv1.ControllerRevision
	jobs       []batchv1.Job
	refuse     map[string]int // "list events" → status
	hang       map[string]bool
	expire     map[string]int // "list pods" → how many continue tokens have expired

	t    *testing.T
	mu   sync.Mutex
	seen []string
}

// serve starts the server and returns a client for it.
func (f *fakeAPI) serve(t *testing.T) kube.Client {
	t.Helper()
	f.t = t
	srv := httptest.NewServer(f)
	t.Cleanup(srv.Close)
	client, err := kube.New(&rest.Config{Host: srv.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if req.Method != http.MethodGet {
		f.t.Errorf("a request that is not read-only: %s %s", req.Method, req.URL)
	}
	path := req.URL.Path
	for _, group := range []string{"/api/v1/", "/apis/apps/v1/", "/apis/batch/v1/"} {
		path = strings.TrimPrefix(path, group)
	}
	parts := strings.Split(path, "/")
	namespace, resource, name := "", "", ""
	switch {
	case parts[0] == "namespaces" && len(parts) == 2:
		resource, name = "namespaces", parts[1]
	case parts[0] == "namespaces":
		namespace, parts = parts[1], parts[2:]
		fallthrough
	default:
		if resource = parts[0]; len(parts) > 1 {
			name = parts[1]
		}
	}
	verb := "list"
	if name != "" {
		verb = "get"
	}
	what := verb + " " + resource
	f.mu.Lock()
	f.seen = append(f.seen, strings.TrimPrefix(req.URL.RequestURI(), "/api/v1/"))
	expired := false
	if req.URL.Query().Get("continue") != "" && f.expire[what] > 0 {
		f.expire[what]--
		expired = true
	}
	f.mu.Unlock()
	switch {
	case f.hang[what]:
		<-req.Context().Done()
	case f.refuse[what] != 0:
		fail(w, f.refuse[what], what+" is refused")
	case expired:
		fail(w, http.StatusGone, "the continue token has expired")
	case resource == "namespaces":
		for _, n := range f.namespaces {
			if n == name {
				answer(w, corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: n}})
				return
			}
		}
		fail(w, http.StatusNotFound, what+" not found")
	case resource == "pods":
		serveObjects(w, req, namespace, name, f.pods, func(p *corev1.Pod) fields.Set {
			return fields.Set{"spec.nodeName": p.Spec.NodeName}
		})
	case resource == "events":
		serveObjects(w, req, namespace, name, f.events, func(e *corev1.Event) fields.Set {
			return fields.Set{"involvedObject.kind": e.InvolvedObject.Kind, "involvedObject.name": e.InvolvedObject.Name}
		})
	case resource == "replicasets":
		serveObjects(w, req, namespace, name, f.sets, func(*appsv1.ReplicaSet) fields.Set { return nil })
	case resource == "jobs":
		serveObjects(w, req, namespace, name, f.jobs, func(*batchv1.Job) fields.Set { return nil })
	case resource == "nodes":
		serveObjects(w, req, "", name, f.nodes, func(*corev1.Node) fields.Set { return nil })
	case resource == "replicasets":
		serveObjects(w, req, namespace, name, f.sets, func(*appsv1.ReplicaSet) fields.Set { return nil })
	case resource == "deployments":
		serveObjects(w, req, namespace, name, f.deploys, func(*appsv1.Deployment) fields.Set { return nil })
	case resource == "statefulsets":
		serveObjects(w, req, namespace, name, f.states, func(*appsv1.StatefulSet) fields.Set { return nil })
	case resource == "daemonsets":
		serveObjects(w, req, namespace, name, f.daemons, func(*appsv1.DaemonSet) fields.Set { return nil })
	case resource == "controllerrevisions":
		serveObjects(w, req, namespace, name, f.revisions, func(*appsv1.ControllerRevision) fields.Set { return nil })
	case resource == "jobs":
		serveObjects(w, req, namespace, name, f.jobs, func(*batchv1.Job) fields.Set { return nil })
	default:
		f.t.Errorf("unexpected request %s", req.URL)
	}
}

func serveObjects[T any, P interface {
	*T
	metav1.Object
}](w http.ResponseWriter, req *http.Request, namespace, name string, all []T, of func(*T) fields.Set) {
	q := req.URL.Query()
	byField, _ := fields.ParseSelector(q.Get("fieldSelector"))
	byLabel, _ := labels.Parse(q.Get("labelSelector"))
	chosen := []T{}
	for i := range all {
		o := P(&all[i])
		if namespace != "" && o.GetNamespace() != namespace || !byField.Matches(of(&all[i])) ||
			!byLabel.Matches(labels.Set(o.GetLabels())) {
			continue
		}
		if name != "" && o.GetName() == name {
			answer(w, all[i])
			return
		}
		chosen = append(chosen, all[i])
	}
	if name != "" {
		fail(w, http.StatusNotFound, name+" not found")
		return
	}
	from, _ := strconv.Atoi(q.Get("continue"))
	limit, _ := strconv.Atoi(q.Get("limit"))
	next := ""
	if limit > 0 && from+limit < len(chosen) {
		next, chosen = strconv.Itoa(from+limit), chosen[:from+limit]
	}
	answer(w, map[string]any{"metadata": map[string]any{"continue": next}, "items": chosen[from:]})
}

func answer(w http.ResponseWriter, o any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o) // a client that has gone is not the test's concern
}

func fail(w http.ResponseWriter, code int, message string) {
	reason := map[int]metav1.StatusReason{403: metav1.StatusReasonForbidden,
		404: metav1.StatusReasonNotFound, 410: metav1.StatusReasonExpired, 401: metav1.StatusReasonUnauthorized,
		400: metav1.StatusReasonBadRequest}[code]
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status: "Failure", Reason: reason, Code: int32(code), Message: message})
}

// requests returns what was asked for.
func (f *fakeAPI) requests() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return strings.Join(f.seen, "\n")
}
