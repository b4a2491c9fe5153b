package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
)

// server answers from a table of "GET /path" and notes what it was asked.
type server struct {
	answers map[string]string
	mu      sync.Mutex
	asked   []string
	bodies  []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what is missing of it the test misses too
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.Method+" "+r.URL.RequestURI())
	s.bodies = append(s.bodies, string(body))
	w.Header().Set("Content-Type", "application/json")
	answer, ok := s.answers[r.Method+" "+r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		answer = `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"not there"}`
	}
	_, _ = io.WriteString(w, answer) // a client that has gone is not the test's concern
}

// serve starts a server and returns a client of it.
func serve(t *testing.T, s *server, change func(*rest.Config)) *REST {
	t.Helper()
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	config := &rest.Config{Host: srv.URL, QPS: -1}
	if change != nil {
		change(config)
	}
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEveryVerbAsksTheRightPath(t *testing.T) {
	s := &server{answers: map[string]string{
		"GET /api/v1/namespaces/shop/pods/web-0":                      `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0"}}`,
		"GET /api/v1/nodes":                                           `{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"n1"}}]}`,
		"GET /apis/apps/v1/namespaces/shop/deployments/web":           `{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"web"}}`,
		"POST /apis/batch/v1/namespaces/shop/jobs":                    `{"kind":"Job","apiVersion":"batch/v1","metadata":{"name":"once","uid":"u"}}`,
		"POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews": `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","status":{"allowed":true}}`,
		"DELETE /apis/batch/v1/namespaces/shop/jobs/once":             `{"kind":"Status","apiVersion":"v1","status":"Success"}`,
	}}
	c := serve(t, s, nil)
	ctx := t.Context()
	pod, err := Get[corev1.Pod](ctx, c, Pods, "shop", "web-0")
	if err != nil || pod.Name != "web-0" {
		t.Errorf("pod %v, %v", pod, err)
	}
	nodes, err := List[corev1.NodeList](ctx, c, Nodes, "",
		metav1.ListOptions{LabelSelector: "a=b", FieldSelector: "metadata.name=n1", Limit: 5})
	if err != nil || len(nodes.Items) != 1 || nodes.Items[0].Name != "n1" {
		t.Errorf("nodes %v, %v", nodes, err)
	}
	if _, err := Get[appsv1.Deployment](ctx, c, Deployments, "shop", "web"); err != nil {
		t.Error(err)
	}
	job, err := Create(ctx, c, Jobs, "shop", &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: "once"}})
	if err != nil || job.UID != "u" {
		t.Errorf("job %v, %v", job, err)
	}
	review, err := Create(ctx, c, SelfReviews, "", &authv1.SelfSubjectAccessReview{})
	if err != nil || !review.Status.Allowed {
		t.Errorf("review %v, %v", review, err)
	}
	background := metav1.DeletePropagationBackground
	if err := c.Delete(ctx, Jobs, "shop", "once", metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		t.Error(err)
	}
	want := []string{
		"GET /api/v1/namespaces/shop/pods/web-0",
		"GET /api/v1/nodes?fieldSelector=metadata.name%3Dn1&labelSelector=a%3Db&limit=5",
		"GET /apis/apps/v1/namespaces/shop/deployments/web", "POST /apis/batch/v1/namespaces/shop/jobs",
		"POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", "DELETE /apis/batch/v1/namespaces/shop/jobs/once",
	}
	if diff := cmp.Diff(want, s.asked); diff != "" {
		t.Errorf("-want +asked:\n%s", diff)
	}
	if !strings.Contains(s.bodies[5], `"propagationPolicy":"Background"`) {
		t.Errorf("deleted with %s", s.bodies[5])
	}
}

func TestARefusalIsTheServers(t *testing.T) {
	c := serve(t, &server{}, nil)
	if _, err := Get[corev1.Pod](t.Context(), c, Pods, "shop", "web-9"); !apierrors.IsNotFound(err) ||
		!strings.Contains(err.Error(), "not there") {
		t.Errorf("get: %v", err)
	}
	if _, err := List[corev1.PodList](t.Context(), c, Pods, "shop", metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("list: %v", err)
	}
	if _, err := Create(t.Context(), c, Pods, "shop", &corev1.Pod{}); !apierrors.IsNotFound(err) {
		t.Errorf("create: %v", err)
	}
	if err := c.Delete(t.Context(), Pods, "shop", "x", metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("delete: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Get[corev1.Pod](ctx, c, Pods, "shop", "web-9"); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestAGroupThatIsNotAskedIsAnError(t *testing.T) {
	c := serve(t, &server{}, nil)
	elsewhere := Resource{Group: "example.org", Version: "v1", Resource: "things"}
	_, names := c.Names(t.Context(), elsewhere, "", 1)
	for verb, err := range map[string]error{
		"get":    c.Get(t.Context(), elsewhere, "", "x", &corev1.Pod{}),
		"list":   c.List(t.Context(), elsewhere, "", metav1.ListOptions{}, &corev1.PodList{}),
		"create": c.Create(t.Context(), elsewhere, "", &corev1.Pod{}, &corev1.Pod{}),
		"delete": c.Delete(t.Context(), elsewhere, "", "x", metav1.DeleteOptions{}), "names": names,
	} {
		if err == nil || !strings.Contains(err.Error(), "no client for its group") {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

// A real API server is asked in protobuf, as client-go's clientset asks.
func TestProtobufIsSpokenWhereItIsAskedFor(t *testing.T) {
	encoder := protobuf.NewSerializer(known, known)
	var accept, sent string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		accept, sent = r.Header.Get("Accept"), r.Header.Get("Content-Type")
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		if err := encoder.Encode(&corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{Name: "web-0"}}, w); err != nil {
			t.Error(err)
		}
	}))
	defer srv.Close()
	c, err := New(&rest.Config{Host: srv.URL, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeProtobuf,
		AcceptContentTypes: runtime.ContentTypeProtobuf + ",application/json"}})
	if err != nil {
		t.Fatal(err)
	}
	pod, err := Create(t.Context(), c, Pods, "shop", &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0"}})
	if err != nil || pod.Name != "web-0" {
		t.Errorf("pod %v, %v", pod, err)
	}
	if !strings.HasPrefix(accept, runtime.ContentTypeProtobuf) || sent != runtime.ContentTypeProtobuf {
		t.Errorf("accepts %q, sends %q", accept, sent)
	}
}

// What a server refuses in protobuf is the same refusal.
func TestARefusalInProtobufIsRead(t *testing.T) {
	encoder := protobuf.NewSerializer(known, known)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		w.WriteHeader(http.StatusForbidden)
		status := &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
			Status: "Failure", Reason: metav1.StatusReasonForbidden, Code: 403, Message: "pods is forbidden: no"}
		if err := encoder.Encode(status, w); err != nil {
			t.Error(err)
		}
	}))
	defer srv.Close()
	c, err := New(&rest.Config{Host: srv.URL, ContentConfig: rest.ContentConfig{ContentType: runtime.ContentTypeProtobuf,
		AcceptContentTypes: runtime.ContentTypeProtobuf}})
	if err != nil {
		t.Fatal(err)
	}
	_, list := List[corev1.PodList](t.Context(), c, Pods, "", metav1.ListOptions{})
	_, apps := Get[appsv1.Deployment](t.Context(), c, Deployments, "shop", "web")
	for _, err := range []error{list, apps, c.Delete(t.Context(), Jobs, "shop", "x", metav1.DeleteOptions{})} {
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "pods is forbidden: no") {
			t.Errorf("%v", err)
		}
	}
}

// Names asks for metadata and reads whole objects too, from servers that send them.
func TestNamesAreReadOfAnyAnswer(t *testing.T) {
	s := &server{answers: map[string]string{
		"GET /api/v1/namespaces/shop/pods": `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","items":[{"metadata":{"name":"web-0"}},{"metadata":{"name":"web-1"}}]}`,
		"GET /apis/batch/v1/cronjobs":      `{"kind":"CronJobList","apiVersion":"batch/v1","items":[{"metadata":{"name":"backup"},"spec":{"schedule":"x"}}]}`,
		"GET /api/v1/nodes":                `not JSON`,
	}}
	c := serve(t, s, nil)
	for _, q := range []struct {
		r    Resource
		in   string
		want []string
	}{{Pods, "shop", []string{"web-0", "web-1"}}, {CronJobs, "", []string{"backup"}}} {
		got, err := c.Names(t.Context(), q.r, q.in, 10)
		if diff := cmp.Diff(q.want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", q.r.Resource, err, diff)
		}
	}
	for _, r := range []Resource{Nodes, Services} {
		if got, err := c.Names(t.Context(), r, "", 10); err == nil {
			t.Errorf("%s: %v and no error", r.Resource, got)
		}
	}
	if s.asked[0] != "GET /api/v1/namespaces/shop/pods?limit=10" {
		t.Errorf("asked %s", s.asked[0])
	}
}

// The groups share one limit: a run must not send five times what is allowed.
func TestAllGroupsShareOneRateLimit(t *testing.T) {
	s := &server{answers: map[string]string{"GET /api/v1/nodes": `{"kind":"NodeList","apiVersion":"v1"}`,
		"GET /apis/batch/v1/jobs": `{"kind":"JobList","apiVersion":"batch/v1"}`}}
	c := serve(t, s, func(c *rest.Config) { c.QPS, c.Burst = 10, 1 })
	elapsed := clock.Stopwatch()
	for range 2 {
		if _, err := List[corev1.NodeList](t.Context(), c, Nodes, "", metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := List[batchv1.JobList](t.Context(), c, Jobs, "", metav1.ListOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if took := elapsed(); took < 250*time.Millisecond {
		t.Errorf("four requests at ten a second took %s", took)
	}
}

func TestAConfigurationThatCannotWorkIsAnError(t *testing.T) {
	for name, config := range map[string]*rest.Config{
		"a certificate that is not there": {Host: "https://127.0.0.1:1",
			TLSClientConfig: rest.TLSClientConfig{CAFile: "none"}},
		"an address that is none": {Host: "http://[::1"},
	} {
		if _, err := New(config); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}

// Every resource has a client, and its kinds are known to the decoder.
func TestEveryResourceHasItsGroup(t *testing.T) {
	c := serve(t, &server{}, nil)
	for _, r := range []Resource{Pods, Events, Nodes, Namespaces, Services,
		Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, CronJobs, SelfReviews} {
		if _, err := c.of(r); err != nil {
			t.Error(err)
		}
	}
	for _, o := range []runtime.Object{&corev1.PodList{}, &corev1.EventList{},
		&corev1.NodeList{}, &corev1.Service{}, &appsv1.DaemonSet{}, &batchv1.CronJob{},
		&authv1.SelfSubjectAccessReview{}, &metav1.Status{}} {
		if _, _, err := known.ObjectKinds(o); err != nil {
			t.Error(err)
		}
	}
	if got := fmt.Sprint(c.Core().APIVersion()); got != "v1" {
		t.Errorf("core is %s", got)
	}
}

func TestAWatchBringsWhatTheServerSends(t *testing.T) {
	s := &server{answers: map[string]string{
		"GET /api/v1/namespaces/shop/pods": `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-0","resourceVersion":"7"}}}
{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"9"}}}
{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}}
`}}
	c := serve(t, s, nil)
	seconds := int64(300)
	w, err := c.Watch(t.Context(), Pods, "shop",
		metav1.ListOptions{ResourceVersion: "5", FieldSelector: "metadata.name=web-0",
			AllowWatchBookmarks: true, TimeoutSeconds: &seconds})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	var got []string
	for e := range w.ResultChan() {
		text := string(e.Type)
		switch o := e.Object.(type) {
		case *corev1.Pod:
			text += " " + o.Name + " " + o.ResourceVersion
		case *metav1.Status:
			text += fmt.Sprint(" ", apierrors.IsResourceExpired(apierrors.FromObject(o)))
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"ADDED web-0 7", "BOOKMARK  9", "ERROR true"}, got); diff != "" {
		t.Error(diff)
	}
	want := "GET /api/v1/namespaces/shop/pods?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dweb-0&resourceVersion=5&timeoutSeconds=300&watch=true"
	if s.asked[0] != want {
		t.Errorf("asked %s", s.asked[0])
	}
	if _, err := c.Watch(t.Context(), Nodes, "", metav1.ListOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("a refusal: %v", err)
	}
	if _, err := c.Watch(t.Context(), Resource{Group: "example.org", Version: "v1", Resource: "things"},
		"", metav1.ListOptions{}); err == nil {
		t.Error("a group that is not asked is watched")
	}
}

// --request-timeout is for requests; a watch lasts.
func TestAWatchHasNoTimeLimit(t *testing.T) {
	const limit = 50 * time.Millisecond
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush() // who has gone is told apart by its context
		select {
		case <-time.After(3 * limit):
		case <-r.Context().Done():
			return
		}
		_, _ = io.WriteString(w, `{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"late"}}}`+"\n")
	}))
	defer srv.Close()
	c, err := New(&rest.Config{Host: srv.URL, QPS: -1, Timeout: limit})
	if err != nil {
		t.Fatal(err)
	}
	w, err := c.Watch(t.Context(), Pods, "", metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	if e := <-w.ResultChan(); e.Type != watch.Added {
		t.Errorf("%+v", e)
	}
	if _, err := List[corev1.PodList](t.Context(), c, Pods, "", metav1.ListOptions{}); err == nil {
		t.Error("a request outlasts its limit")
	}
}
