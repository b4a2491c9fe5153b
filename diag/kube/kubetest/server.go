package kubetest

import (
	"fmt"
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
	"k8s.io/apimachinery/pkg/runtime"
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

// Object is an object that a Server can hold.
type Object interface {
	metav1.Object
	runtime.Object
}

// Server is a small API server over HTTP: objects with resource versions, lists, watches with bookmarks, and their
// failures. It uses JSON and refuses all changes.
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

// Kubeconfig writes a kubeconfig whose only context is the server and a namespace, and returns its path.
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

// Put adds or replaces objects, each with a new version.
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

// Bookmark sends the current version to all watches.
func (s *Server) Bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range []Object{&corev1.Pod{}, &corev1.Event{}} {
		s.note(watch.Bookmark, resourceOf(o), o)
	}
}

// Forget makes the versions up to now unknown: watches from there get 410 Gone.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgot = s.version
	s.version++
}

// Fail ends the open watches of a resource with an error event of a status code.
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

// Refuse answers a verb and resource, such as "watch pods" or "list events default", with a status code; 0 allows it
// again. Access reviews agree with a 403.
func (s *Server) Refuse(what string, code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse[what] = code
}

// Handle sets a handler for a path, such as the log of a node. Access reviews of subresources are then allowed.
func (s *Server) Handle(path string, h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handle[path] = h
}

// Asked returns the requests so far, as "watch pods shop".
func (s *Server) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// note appends to the history. Callers hold mu.
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
