package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
)

// size is the size of the cluster.
type size struct{ nodes, podsPerNode int }

func (s size) pods() int { return s.nodes * s.podsPerNode }

// server answers like an API server: lists in pages, in protobuf. Every object is generated on request, so the server
// needs no memory for the cluster.
type server struct {
	size    size
	encoder runtime.Encoder
	// podJSON counts the bytes of the pods as JSON, for the figure next to the benchmark.
	podJSON int
}

func newServer(s size) (*server, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	one, err := json.Marshal(new(pod(s, 0)))
	if err != nil {
		return nil, err
	}
	return &server{size: s, encoder: protobuf.NewSerializer(scheme, scheme), podJSON: len(one)}, nil
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case discovery[r.URL.Path] != "": // kubectl requests it first
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, discovery[r.URL.Path])
	case strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews"):
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w,
			`{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","spec":{},"status":{"allowed":true}}`)
	case r.URL.Path == "/api/v1/pods":
		list := &corev1.PodList{TypeMeta: metav1.TypeMeta{Kind: "PodList", APIVersion: "v1"}}
		s.page(w, r, s.size.pods(), &list.ListMeta, list, func(i int) { list.Items = append(list.Items, pod(s.size, i)) })
	case r.URL.Path == "/api/v1/nodes":
		list := &corev1.NodeList{TypeMeta: metav1.TypeMeta{Kind: "NodeList", APIVersion: "v1"}}
		s.page(w, r, s.size.nodes, &list.ListMeta, list, func(i int) { list.Items = append(list.Items, node(i)) })
	case r.URL.Path == "/api/v1/events":
		list := &corev1.EventList{TypeMeta: metav1.TypeMeta{Kind: "EventList", APIVersion: "v1"}}
		s.page(w, r, s.size.pods()/restartedOneIn, &list.ListMeta, list,
			func(i int) { list.Items = append(list.Items, event(s.size, i*restartedOneIn)) })
	default:
		http.NotFound(w, r)
	}
}

// discovery is the API server's list of what it serves.
var discovery = map[string]string{
	"/api":  `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`,
	"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[` +
		`{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list","watch"]}]}`,
}

func (s *server) page(w http.ResponseWriter, r *http.Request, n int, meta *metav1.ListMeta,
	list runtime.Object, add func(int)) {
	from, _ := strconv.Atoi(r.URL.Query().Get("continue")) // the first page has none
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit <= 0 {
		limit = n
	}
	to := min(from+limit, n)
	for i := from; i < to; i++ {
		add(i)
	}
	meta.ResourceVersion = "1"
	if to < n {
		meta.Continue = strconv.Itoa(to)
	}
	if !strings.Contains(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(list); err != nil {
			panic(http.ErrAbortHandler)
		}
		return
	}
	w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
	if err := s.encoder.Encode(list, w); err != nil {
		panic(http.ErrAbortHandler) // the client sees that the answer is cut
	}
}

// began is when everything was created; all times are computed from it.
var began = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)

func at(minutes int) metav1.Time {
	return metav1.Time{Time: began.Add(time.Duration(minutes) * time.Minute)}
}
