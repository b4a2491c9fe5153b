package apiserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
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

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func at(seconds int) metav1.Time {
	return metav1.Time{Time: t0.Add(time.Duration(seconds) * time.Second)}
}

// basePod is a pod with one container that restarted once.
func basePod(mutate ...func(*corev1.Pod)) corev1.Pod {
	grace := int64(30)
	p := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "web-0", Namespace: "shop", UID: "uid-web-0",
			CreationTimestamp: at(-3600), Labels: map[string]string{"app": "web"}},
		Spec: corev1.PodSpec{
			NodeName: "n1", RestartPolicy: corev1.RestartPolicyAlways, TerminationGracePeriodSeconds: &grace,
			Containers: []corev1.Container{{Name: "a", Image: "r.example/web:1"}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, QOSClass: corev1.PodQOSBestEffort,
			ContainerStatuses: []corev1.ContainerStatus{{
				Name: "a", Ready: true, RestartCount: 1, Image: "r.example/web:1",
				ImageID: "r.example/web@sha256:00", ContainerID: "containerd://new",
				State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at(10)}},
				LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
					ExitCode: 137, Reason: "Error", StartedAt: at(-3600), FinishedAt: at(9), ContainerID: "containerd://old",
				}},
			}},
		},
	}
	for _, m := range mutate {
		m(&p)
	}
	return p
}

func named(ns, name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Namespace, p.Name, p.UID = ns, name, types.UID("uid-"+name) }
}

// baseEvent is a kill for a failed liveness probe.
func baseEvent(mutate ...func(*corev1.Event)) corev1.Event {
	e := corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "web-0.1", Namespace: "shop", UID: "uid-event", CreationTimestamp: at(5)},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop",
			Name: "web-0", UID: "uid-web-0", FieldPath: "spec.containers{a}"},
		Reason: "Killing", Message: "Container a failed liveness probe, will be restarted", Type: "Normal",
		Source: corev1.EventSource{Component: "kubelet", Host: "n1"}, Count: 1, FirstTimestamp: at(5), LastTimestamp: at(5),
	}
	for _, m := range mutate {
		m(&e)
	}
	return e
}

func baseNode(name string) corev1.Node {
	return corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, CreationTimestamp: at(-7200)},
		Status: corev1.NodeStatus{
			NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3", BootID: "boot-" + name,
				ContainerRuntimeVersion: "containerd://1.7.1", KernelVersion: "6.1", OSImage: "Debian"},
			Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
		},
	}
}

// observed builds the snapshot of pieces and gaps.
func observed(pieces []evidence.RawEvidence, gaps []evidence.Gap) *evidence.Snapshot {
	b := evidence.NewBuilder(t0.Add(time.Minute))
	for _, p := range pieces {
		p.Observe(b)
	}
	for _, g := range gaps {
		b.Gap(g)
	}
	return b.Build()
}

// manyPods makes pods of one namespace on one node.
func manyPods(n int) []corev1.Pod {
	out := make([]corev1.Pod, 0, n)
	for i := range n {
		out = append(out, basePod(named("shop", fmt.Sprintf("web-%d", i))))
	}
	return out
}
