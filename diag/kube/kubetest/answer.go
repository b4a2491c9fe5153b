package kubetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	authv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
)

// request is a parsed request.
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

// watch sends history from a version on, and then new changes.
func (s *Server) watch(w http.ResponseWriter, r *http.Request, q request) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	// Before the client hears of its watch: what a test does next must reach it.
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
	_ = flush.Flush() // as below: a client that disconnected does not matter
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
			panic(http.ErrAbortHandler) // the connection breaks in the middle
		case <-r.Context().Done():
			return
		}
	}
}

func write(w http.ResponseWriter, o any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o) // a client that disconnected does not matter
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
