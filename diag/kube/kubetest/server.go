package kubetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	authv1 "k8s.io/api/authorization/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"

	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
)

// known are the kinds that a Server may hold.
var known = func() *runtime.Scheme {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme,
		appsv1.AddToScheme, batchv1.AddToScheme, authv1.AddToScheme} {
		utilruntime.Must(add(s))
	}
	return s
}()

// Object is what a Server holds.
type Object interface {
	metav1.Object
	runtime.Object
}

// Server is a small API server over HTTP: objects with resource versions, lists,
// watches with bookmarks, and what can go wrong with them. It speaks JSON and refuses
// to change anything.
type Server struct {
	URL string

	t       *testing.T
	mu      sync.Mutex
	version int
	objects map[string]stored // by resource, namespace and name
	history []happened
	forgot  int           // versions up to this one are gone
	changed chan struct{} // closed with each change
	cut     chan struct{} // closed to cut the watches off
	refuse  map[string]int
	handle  map[string]http.HandlerFunc
	asked   []string
}

type stored struct {
	resource string
	object   Object
}

type happened struct {
	version  int
	kind     watch.EventType
	resource string
	object   Object
}

// Serve starts a server; it ends with the test.
func Serve(t *testing.T) *Server {
	t.Helper()
	s := &Server{t: t, version: 100, objects: map[string]stored{}, changed: make(chan struct{}),
		cut: make(chan struct{}), refuse: map[string]int{}, handle: map[string]http.HandlerFunc{}}
	srv := httptest.NewServer(s)
	s.URL = srv.URL
	t.Cleanup(func() {
		s.Cut()
		srv.CloseClientConnections()
		srv.Close()
	})
	return s
}

// Client is a client of the server, without any rate limit.
func (s *Server) Client() *kube.REST {
	s.t.Helper()
	c, err := kube.New(&rest.Config{Host: s.URL, QPS: -1})
	if err != nil {
		s.t.Fatal(err)
	}
	return c
}

// Kubeconfig writes a kubeconfig whose only context is the server and a namespace,
// and returns its name.
func (s *Server) Kubeconfig(namespace string) string {
	s.t.Helper()
	name := filepath.Join(s.t.TempDir(), "config")
	config := fmt.Sprintf(
		`{"apiVersion":"v1","kind":"Config","current-context":"here","clusters":[{"name":"c","cluster":{"server":%q}}],
		"contexts":[{"name":"here","context":{"cluster":"c","user":"me","namespace":%q}}],"users":[{"name":"me","user":{}}]}`, s.URL, namespace)
	if err := os.WriteFile(name, []byte(config), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return name
}

// resourceOf is the plural of the kinds that a Server may hold.
func resourceOf(o Object) string {
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", o), "*v1.")) + "s"
}

// Put adds objects or replaces them, each as a version of its own.
func (s *Server) Put(objects ...Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range objects {
		o = o.DeepCopyObject().(Object)
		r := resourceOf(o)
		key := r + "/" + o.GetNamespace() + "/" + o.GetName()
		kind := watch.Added
		if _, ok := s.objects[key]; ok {
			kind = watch.Modified
		}
		s.note(kind, r, o)
		s.objects[key] = stored{r, o}
	}
}

// Delete removes an object.
func (s *Server) Delete(o Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := resourceOf(o)
	delete(s.objects, r+"/"+o.GetNamespace()+"/"+o.GetName())
	s.note(watch.Deleted, r, o.DeepCopyObject().(Object))
}

// Bookmark tells all watches the present version.
func (s *Server) Bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range []Object{&corev1.Pod{}, &corev1.Event{}} {
		s.note(watch.Bookmark, resourceOf(o), o)
	}
}

// Forget makes the versions up to now unknown: watches from there are told 410 Gone.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgot = s.version
	s.version++
}

// Fail ends the open watches of a resource with an error of a status code, as an
// event of theirs.
func (s *Server) Fail(resource string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(watch.Error, resource, nil)
	s.history[len(s.history)-1].version = -code
}

// Cut breaks the connections of all open watches.
func (s *Server) Cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.cut)
	s.cut = make(chan struct{})
}

// Refuse answers a verb and resource, such as "watch pods" or "list events default",
// with a status code; 0 allows it again. Reviews of 403 say so.
func (s *Server) Refuse(what string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse[what] = code
}

// Handle answers a path by other means, such as the log of a node. Reviews of
// subresources say that they are allowed then.
func (s *Server) Handle(path string, h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handle[path] = h
}

// Asked returns what was asked for, as "watch pods shop".
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// note writes history. Callers hold mu.
func (s *Server) note(kind watch.EventType, resource string, o Object) {
	s.version++
	if o != nil {
		o.SetResourceVersion(strconv.Itoa(s.version))
		kinds, _, err := known.ObjectKinds(o)
		if err != nil {
			s.t.Fatal(err)
		}
		o.GetObjectKind().SetGroupVersionKind(kinds[0])
	}
	s.history = append(s.history, happened{s.version, kind, resource, o})
	close(s.changed)
	s.changed = make(chan struct{})
}

// request is a request taken apart.
type request struct {
	verb, resource, namespace, name string
	labels                          labels.Selector
	fields                          fields.Selector
}

func parse(r *http.Request) request {
	path := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	path = path[slices.Index(path, "v1")+1:]
	q := request{verb: "list"}
	if path[0] == "namespaces" && len(path) > 2 {
		q.namespace, path = path[1], path[2:]
	}
	if q.resource = path[0]; len(path) > 1 {
		q.verb, q.name = "get", path[1]
	}
	switch {
	case r.Method != http.MethodGet:
		q.verb = strings.ToLower(r.Method)
	case r.URL.Query().Get("watch") != "":
		q.verb = "watch"
	}
	q.labels, _ = labels.Parse(r.URL.Query().Get("labelSelector"))
	q.fields, _ = fields.ParseSelector(r.URL.Query().Get("fieldSelector"))
	return q
}

func (q request) wants(resource string, o Object) bool {
	set := fields.Set{"metadata.name": o.GetName()}
	switch o := o.(type) {
	case *corev1.Pod:
		set["spec.nodeName"] = o.Spec.NodeName
	case *corev1.Event:
		set["involvedObject.kind"], set["involvedObject.name"] = o.InvolvedObject.Kind, o.InvolvedObject.Name
	}
	return resource == q.resource && (q.namespace == "" || o.GetNamespace() == q.namespace) &&
		q.labels.Matches(labels.Set(o.GetLabels())) && q.fields.Matches(set)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := parse(r)
	s.mu.Lock()
	if q.resource != "selfsubjectaccessreviews" {
		s.asked = append(s.asked, strings.TrimSpace(q.verb+" "+q.resource+" "+q.namespace))
	}
	code, special := cmp.Or(s.refuse[q.verb+" "+q.resource], s.refuse[q.verb+" "+q.resource+" "+q.namespace]),
		s.handle[r.URL.Path]
	s.mu.Unlock()
	switch {
	case special != nil:
		special(w, r)
	case q.resource == "selfsubjectaccessreviews":
		s.review(w, r)
	case code != 0:
		status(w, code)
	case q.verb == "watch":
		s.watch(w, r, q)
	case q.verb == "list":
		s.list(w, q)
	case q.verb == "get":
		s.get(w, q)
	default:
		s.t.Errorf("a request that changes something: %s %s", r.Method, r.URL)
		status(w, http.StatusMethodNotAllowed)
	}
}

func (s *Server) review(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var review authv1.SelfSubjectAccessReview
	if err == nil { // in JSON or in protobuf
		_, _, err = serializer.NewCodecFactory(known).UniversalDeserializer().Decode(body, nil, &review)
	}
	if err != nil {
		s.t.Errorf("a review that cannot be read: %v", err)
		status(w, http.StatusBadRequest)
		return
	}
	review.TypeMeta = metav1.TypeMeta{Kind: "SelfSubjectAccessReview", APIVersion: "authorization.k8s.io/v1"}
	a := review.Spec.ResourceAttributes
	s.mu.Lock()
	review.Status.Allowed = (a.Subresource == "" || len(s.handle) > 0) &&
		s.refuse[a.Verb+" "+a.Resource] != http.StatusForbidden
	s.mu.Unlock()
	write(w, &review)
}

func (s *Server) list(w http.ResponseWriter, q request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	items := []Object{}
	for _, o := range s.objects {
		if q.wants(o.resource, o.object) {
			items = append(items, o.object)
		}
	}
	write(w, map[string]any{"metadata": map[string]any{"resourceVersion": strconv.Itoa(s.version)}, "items": items})
}

func (s *Server) get(w http.ResponseWriter, q request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, ok := s.objects[q.resource+"/"+q.namespace+"/"+q.name]; ok {
		write(w, o.object)
		return
	}
	status(w, http.StatusNotFound)
}

// watch sends history from a version on, and then what happens.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, q request) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	// Before the client hears of its watch: what a test does then has to reach it.
	s.mu.Lock()
	cut, old := s.cut, from <= s.forgot
	at := 0
	for at < len(s.history) && (s.history[at].version <= from) {
		at++
	}
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	out := json.NewEncoder(w)
	flush := http.NewResponseController(w)
	_ = flush.Flush() // as below: who has gone is not the test's concern
	if old {
		_ = out.Encode(map[string]any{"type": watch.Error, "object": statusOf(http.StatusGone)})
		return
	}
	for {
		s.mu.Lock()
		more, changed := slices.Clone(s.history[at:]), s.changed
		s.mu.Unlock()
		for _, h := range more {
			at++
			switch {
			case h.kind == watch.Error && h.resource == q.resource:
				_ = out.Encode(map[string]any{"type": watch.Error, "object": statusOf(-h.version)})
				return
			case h.kind == watch.Error:
			case h.kind == watch.Bookmark && h.resource == q.resource, q.wants(h.resource, h.object):
				_ = out.Encode(map[string]any{"type": h.kind, "object": h.object})
				_ = flush.Flush()
			}
		}
		select {
		case <-changed:
		case <-cut:
			panic(http.ErrAbortHandler) // the connection breaks off in the middle
		case <-r.Context().Done():
			return
		}
	}
}

func write(w http.ResponseWriter, o any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o) // who has gone is not the test's concern
}

func status(w http.ResponseWriter, code int) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(statusOf(code)) // as in write
}

func statusOf(code int) *metav1.Status {
	reason := map[int]metav1.StatusReason{
		403: metav1.StatusReasonForbidden, 404: metav1.StatusReasonNotFound,
		410: metav1.StatusReasonExpired, 429: metav1.StatusReasonTooManyRequests, 500: metav1.StatusReasonInternalError,
	}[code]
	return &metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Reason: reason, Code: int32(code),
		Message: fmt.Sprintf("%s (%d)", strings.ToLower(http.StatusText(code)), code),
	}
}
