package auditlog

import (
	"encoding/json"
	"net/url"
	"strings"
)

// auditEvent is the part that matters of a request in an audit log of the API server
// (k8s.io/apiserver pkg/apis/audit/v1 Event), in Google Cloud's form of it (protoPayload), and of what its autoscaler
// decided (jsonPayload, log container.googleapis.com/cluster-autoscaler-visibility).
type auditEvent struct {
	APIVersion       string `json:"apiVersion"`
	Stage            string `json:"stage"`
	RequestURI       string `json:"requestURI"`
	Verb             string `json:"verb"`
	User             user   `json:"user"`
	ImpersonatedUser user   `json:"impersonatedUser"`
	UserAgent        string `json:"userAgent"`
	ObjectRef        struct {
		Resource    string `json:"resource"`
		Subresource string `json:"subresource"`
		Namespace   string `json:"namespace"`
		Name        string `json:"name"`
		UID         string `json:"uid"`
	} `json:"objectRef"`
	ResponseStatus struct {
		Code int `json:"code"`
	} `json:"responseStatus"`
	RequestObject  json.RawMessage `json:"requestObject"` // of a patch it may be a list
	ResponseObject struct {
		Kind     string `json:"kind"`
		Metadata struct {
			UID string `json:"uid"`
		} `json:"metadata"`
	} `json:"responseObject"`
	RequestReceivedTimestamp string `json:"requestReceivedTimestamp"`

	Timestamp    string `json:"timestamp"`
	ProtoPayload *struct {
		MethodName         string `json:"methodName"`
		ResourceName       string `json:"resourceName"`
		AuthenticationInfo struct {
			PrincipalEmail string `json:"principalEmail"`
		} `json:"authenticationInfo"`
		RequestMetadata struct {
			Agent string `json:"callerSuppliedUserAgent"`
		} `json:"requestMetadata"`
		Status struct {
			Code int `json:"code"` // of gRPC: 0 is OK
		} `json:"status"`
	} `json:"protoPayload"`
	JSONPayload struct {
		Decision struct {
			ScaleDown struct {
				Nodes []struct {
					Pods []struct {
						Name      string `json:"name"`
						Namespace string `json:"namespace"`
					} `json:"evictedPods"`
				} `json:"nodesToBeRemoved"`
			} `json:"scaleDown"`
		} `json:"decision"`
	} `json:"jsonPayload"`
}

type user struct {
	Username string `json:"username"`
}

// Parse takes apart a record, and reports whether the object is one. It returns the requests that end pods and were
// granted, mostly none; bodies of requests are never in it. at is when they were received, as it is written.
func Parse(raw []byte) (all []Request, at string, ok bool) {
	var e auditEvent
	if json.Unmarshal(raw, &e) != nil {
		return nil, "", false
	}
	var one Request
	granted := false
	switch p := e.ProtoPayload; {
	case strings.HasPrefix(e.APIVersion, "audit.k8s.io/"):
		one, at = e.request(), e.RequestReceivedTimestamp
		granted = e.granted() || one.Enters() && e.entered()
	case p != nil && strings.HasPrefix(p.MethodName, "io.k8s.core."):
		one, granted, at = googles(p.MethodName, p.ResourceName), p.Status.Code == 0, e.Timestamp
		one.User, one.Agent = p.AuthenticationInfo.PrincipalEmail, p.RequestMetadata.Agent
	default:
		for _, n := range e.JSONPayload.Decision.ScaleDown.Nodes {
			for _, p := range n.Pods {
				all = append(all, Request{Verb: "create", Subresource: "eviction", Namespace: p.Namespace, Pod: p.Name,
					User: "cluster-autoscaler"})
			}
		}
		return all, e.Timestamp, len(all) > 0
	}
	if granted && (one.EndsPod() || one.Enters()) {
		all = append(all, one)
	}
	return all, at, true
}

func (e *auditEvent) request() Request {
	r := Request{Verb: e.Verb, Subresource: e.ObjectRef.Subresource,
		Namespace: e.ObjectRef.Namespace, Pod: e.ObjectRef.Name, UID: e.ObjectRef.UID,
		User: e.User.Username, As: e.ImpersonatedUser.Username, Agent: e.UserAgent}
	if _, query, ok := strings.Cut(e.RequestURI, "?"); ok && r.Enters() {
		if values, err := url.ParseQuery(query); err == nil {
			r.Container = values.Get("container")
		}
	}
	if r.UID == "" && e.ResponseObject.Kind == "Pod" {
		r.UID = e.ResponseObject.Metadata.UID
	}
	return r
}

// granted reports whether the API server did with a pod what was requested. Each request has several records.
func (e *auditEvent) granted() bool {
	return e.ObjectRef.Resource == "pods" && (e.Stage == "" || e.Stage == "ResponseComplete") &&
		e.ResponseStatus.Code >= 200 && e.ResponseStatus.Code < 300 && !strings.Contains(e.RequestURI, "dryRun=") &&
		!e.tried()
}

// entered reports whether a session was opened: 101, the connection's switch to another protocol, stands in the record
// of its start and, hours later, in that of its end. kubectl asks for it with GET where it speaks through a WebSocket.
func (e *auditEvent) entered() bool {
	return e.ObjectRef.Resource == "pods" && e.Stage == "ResponseStarted" && e.ResponseStatus.Code == 101
}

// tried reports whether the body says that nothing is to be done: DeleteOptions, or an Eviction with them.
func (e *auditEvent) tried() bool {
	type options struct {
		DryRun []string `json:"dryRun"`
	}
	var body struct {
		options
		DeleteOptions options `json:"deleteOptions"`
	}
	return json.Unmarshal(e.RequestObject, &body) == nil && len(body.DryRun)+len(body.DeleteOptions.DryRun) > 0
}

// googles reads Google Cloud's names of methods and resources: io.k8s.core.v1.pods.delete,
// io.k8s.core.v1.pods.eviction.create; core/v1/namespaces/prod/pods/web-0, with /eviction behind it for an eviction.
func googles(method, resource string) (r Request) {
	path := strings.Split(resource, "/")
	if len(path) < 6 || path[2] != "namespaces" || path[4] != "pods" {
		return r
	}
	r.Namespace, r.Pod = path[3], path[5]
	switch _, called, _ := strings.Cut(method, ".pods."); called {
	case "delete":
		r.Verb = "delete"
	case "eviction.create":
		r.Verb, r.Subresource = "create", "eviction"
	}
	return r
}
