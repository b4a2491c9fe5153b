package auditlog

import (
	"encoding/json"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Unit is the writer of the requests in an audit log of the API server.
const Unit = "kube-apiserver-audit"

// Request is a request about a pod that the API server granted, with who sent it.
type Request struct {
	Verb        string `json:"verb"` // of the API: delete, create
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace"`
	Pod         string `json:"pod"`
	Container   string `json:"container,omitempty"` // of those that Enters
	UID         string `json:"uid,omitempty"`       // "" if the log does not have it
	User        string `json:"user"`
	As          string `json:"as,omitempty"` // whom the user impersonated
	Agent       string `json:"agent,omitempty"`
}

// EndsPod reports whether the request deletes or evicts a pod. A kubelet deletes only what has ended, and mirror pods.
func (r *Request) EndsPod() bool {
	return r.Pod != "" && r.Namespace != "" && !strings.HasPrefix(r.User, "system:node:") &&
		(r.Verb == "delete" && r.Subresource == "" || r.Verb == "create" && r.Subresource == "eviction")
}

// Enters reports whether the request runs a command in a container, attaches to it, or adds a container beside it.
func (r *Request) Enters() bool {
	return r.Pod != "" && r.Namespace != "" && (r.Subresource == "exec" || r.Subresource == "attach" ||
		r.Subresource == "ephemeralcontainers" && r.Verb != "get")
}

// String returns the request as the message that Read reads.
func (r *Request) String() string {
	raw, err := json.Marshal(r)
	if err != nil {
		return "" // never: it has only strings
	}
	return string(raw)
}

// controllers maps the users that delete pods for one reason alone to that reason.
var controllers = map[string]string{
	"system:kube-scheduler":                                       "PreemptionByScheduler",
	"system:serviceaccount:kube-system:node-controller":           "TaintManagerEviction", // ≤1.28
	"system:serviceaccount:kube-system:taint-eviction-controller": "TaintManagerEviction",
	"system:serviceaccount:kube-system:pod-garbage-collector":     "DeletionByPodGC",
}

// Read emits what an entry of Unit says about a pod's end, or about who was in its containers.
func Read(e *evidence.Entry, emit func(evidence.Observation)) {
	var r Request
	if json.Unmarshal([]byte(e.Message), &r) != nil || !r.EndsPod() && !r.Enters() {
		return
	}
	pod := evidence.Subject{Namespace: safetext.Ident(r.Namespace), Pod: safetext.Ident(r.Pod),
		PodUID: safetext.Ident(r.UID)}
	if r.Enters() {
		pod.Container = safetext.Ident(r.Container)
		emit(evidence.Observation{Time: e.Time, Fact: evidence.ExecStarted{Attached: r.Subresource == "attach"}, Subject: pod,
			Text: safetext.Clean(r.Verb + " pods/" + r.Subresource + ", requested by " + r.sender())})
		return
	}
	by, what, reason := safetext.Clean(r.sender()), "delete pods", controllers[r.User]
	if r.Subresource != "" {
		what, reason = "create pods/eviction", "EvictionByEvictionAPI"
	}
	var fact evidence.Fact = evidence.PodDeleted{GraceSeconds: -1, By: by}
	if reason != "" {
		fact = evidence.PodEvicted{Reason: reason, Message: safetext.Clean(evidence.RequestedBy + by.String())}
	}
	emit(evidence.Observation{Time: e.Time, Fact: fact, Text: safetext.Clean(what + ", requested by " + by.String()),
		Subject: pod})
}

// sender returns who sent a request, and with which program: its name and version, without its platform and commit.
func (r *Request) sender() string {
	out := r.User
	if r.As != "" {
		out = r.As + " (impersonated by " + r.User + ")"
	}
	if program, _, _ := strings.Cut(r.Agent, " "); program != "" {
		out += " with " + program
	}
	return out
}
