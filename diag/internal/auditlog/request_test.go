package auditlog

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var at = time.Date(2026, 11, 20, 10, 0, 1, 0, time.UTC)

func TestRequestsNameWhoSentThem(t *testing.T) {
	base := Request{Verb: "delete", Namespace: "prod", Pod: "web-0", User: "ann", Agent: "kubectl/v1.30.2 (linux/amd64)"}
	for _, c := range []struct {
		name   string
		change func(*Request)
		want   string
	}{
		{"a person", func(*Request) {}, "delete pods, requested by ann with kubectl/v1.30.2"},
		{"an eviction", func(r *Request) { r.Verb, r.Subresource = "create", "eviction" },
			"create pods/eviction, requested by ann with kubectl/v1.30.2"},
		{"impersonated", func(r *Request) { r.As = "bob" },
			"delete pods, requested by bob (impersonated by ann) with kubectl/v1.30.2"},
		{"without a program", func(r *Request) { r.Agent = "" }, "delete pods, requested by ann"},
		{"without a pod", func(r *Request) { r.Pod = "" }, ""},
		{"by a kubelet", func(r *Request) { r.User = "system:node:n1" }, ""},
		{"a command in a container", func(r *Request) { r.Verb, r.Subresource = "create", "exec" },
			"create pods/exec, requested by ann with kubectl/v1.30.2"},
		{"a debug container", func(r *Request) { r.Verb, r.Subresource = "patch", "ephemeralcontainers" },
			"patch pods/ephemeralcontainers, requested by ann with kubectl/v1.30.2"},
		{"a look at debug containers", func(r *Request) { r.Verb, r.Subresource = "get", "ephemeralcontainers" }, ""},
		{"another verb", func(r *Request) { r.Verb = "patch" }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := base
			c.change(&r)
			got := ""
			Read(&evidence.Entry{Time: at, Message: r.String()}, func(o evidence.Observation) {
				got = o.Text.String()
				if o.Subject.Pod != "web-0" || o.Subject.Namespace != "prod" || !o.Time.Equal(at) {
					t.Errorf("of %+v at %s", o.Subject, o.Time)
				}
			})
			if got != c.want {
				t.Errorf("= %q, want %q", got, c.want)
			}
		})
	}
}

func TestControllersDeleteForTheirOwnReason(t *testing.T) {
	for user, want := range map[string]string{"ann": "", "system:kube-scheduler": "PreemptionByScheduler",
		"system:serviceaccount:kube-system:node-controller":       "TaintManagerEviction",
		"system:serviceaccount:kube-system:pod-garbage-collector": "DeletionByPodGC",
		"system:serviceaccount:kube-system:replicaset-controller": "",
		"system:serviceaccount:prod:taint-eviction-controller":    "",
	} {
		r := Request{Verb: "delete", Namespace: "prod", Pod: "web-0", User: user}
		Read(&evidence.Entry{Time: at, Message: r.String()}, func(o evidence.Observation) {
			evicted, _ := o.Fact.(evidence.PodEvicted)
			if evicted.Reason != want {
				t.Errorf("%s: %q, want %q", user, evicted.Reason, want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"audit.k8s.io/v1","verb":"delete","objectRef":{"resource":"pods","name":"b"}}`))
	f.Add([]byte(`{"protoPayload":{"methodName":"io.k8s.core.v1.pods.delete","resourceName":"core/v1/namespaces/a"}}`))
	f.Add([]byte(`{"jsonPayload":{"decision":{"scaleDown":{"nodesToBeRemoved":[{"evictedPods":[{"name":"b"}]}]}}}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		all, _, ok := Parse(raw)
		if len(all) > 0 && !ok {
			t.Errorf("%q: requests of what is no record", raw)
		}
		for i := range all {
			Read(&evidence.Entry{Message: all[i].String()}, func(o evidence.Observation) {
				if o.Subject.Pod == "" || o.Subject.Namespace == "" || o.Fact == nil {
					t.Errorf("%q: an end of nobody: %+v", raw, o)
				}
			})
		}
	})
}
