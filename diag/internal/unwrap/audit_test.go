package unwrap

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// requests returns what is read of the lines of an audit log.
func requests(t *testing.T, lines ...string) (all []string) {
	t.Helper()
	text := strings.Join(lines, "\n") + "\n"
	shape := Sniff([]byte(text))
	if shape == None {
		t.Fatalf("no records in %s", text)
	}
	tally, err := Read(strings.NewReader(text), shape, Sink{
		Record: func(r Record) { all = append(all, r.Time.Format(time.RFC3339)+" "+r.Unit+" "+r.Message) },
		Object: func(kind string, _ []byte) { t.Errorf("a request is no %s", kind) },
	})
	if err != nil || tally.Strange > 0 || tally.Broken > 0 || !tally.Found() {
		t.Errorf("tally %+v, error %v", tally, err)
	}
	return all
}

// change sets fields of a JSON object; a path has dots.
func change(t *testing.T, object string, fields map[string]any) string {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal([]byte(object), &m); err != nil {
		t.Fatal(err)
	}
	for path, value := range fields {
		at, names := m, strings.Split(path, ".")
		for _, name := range names[:len(names)-1] {
			inner, ok := at[name].(map[string]any)
			if !ok {
				inner = map[string]any{}
				at[name] = inner
			}
			at = inner
		}
		at[names[len(names)-1]] = value
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestRequestsOfAnAuditLog(t *testing.T) {
	const base = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a1",` +
		`"stage":"ResponseComplete","requestURI":"/api/v1/namespaces/prod/pods/web-0","verb":"delete",` +
		`"user":{"username":"ann"},"userAgent":"kubectl/v1.30.2 (linux/amd64) kubernetes/39683",` +
		`"objectRef":{"resource":"pods","namespace":"prod","name":"web-0","apiVersion":"v1"},"responseStatus":{"code":200},` +
		`"requestReceivedTimestamp":"2026-11-20T10:00:01.5Z","stageTimestamp":"2026-11-20T10:00:02Z"}`
	const google = `{"insertId":"i","logName":"projects/p/logs/cloudaudit.googleapis.com%2Factivity","timestamp":` +
		`"2026-11-20T10:00:01Z","protoPayload":{"@type":"type.googleapis.com/google.cloud.audit.AuditLog",` +
		`"authenticationInfo":{"principalEmail":"ann@example.com"},"methodName":"io.k8s.core.v1.pods.delete",` +
		`"requestMetadata":{"callerSuppliedUserAgent":"kubectl/v1.30.2"},` +
		`"resourceName":"core/v1/namespaces/prod/pods/web-0"}}`
	const at = "2026-11-20T10:00:01Z kube-apiserver-audit "
	const deleted = at + `{"verb":"delete","namespace":"prod","pod":"web-0","user":"ann",` +
		`"agent":"kubectl/v1.30.2 (linux/amd64) kubernetes/39683"}`
	for _, c := range []struct {
		name   string
		base   string
		change map[string]any
		want   string
	}{
		{name: "a deletion", want: deleted},
		{name: "an eviction", change: map[string]any{"verb": "create", "objectRef.subresource": "eviction",
			"responseStatus.code": 201}, want: at + `{"verb":"create","subresource":"eviction","namespace":"prod",` +
			`"pod":"web-0","user":"ann","agent":"kubectl/v1.30.2 (linux/amd64) kubernetes/39683"}`},
		{name: "with the pod in the answer", change: map[string]any{"responseObject.kind": "Pod",
			"responseObject.metadata.uid": "u1"}, want: strings.Replace(deleted, `"user"`, `"uid":"u1","user"`, 1)},
		{name: "of somebody impersonated", change: map[string]any{"impersonatedUser.username": "bob"},
			want: strings.Replace(deleted, `"agent"`, `"as":"bob","agent"`, 1)},
		{name: "a body is never passed on", change: map[string]any{"requestObject.data": "secret"}, want: deleted},
		{name: "only tried, as the body says", change: map[string]any{"requestObject.dryRun": []string{"All"}}},
		{name: "an eviction that was only tried", change: map[string]any{"verb": "create",
			"objectRef.subresource": "eviction", "requestObject.deleteOptions.dryRun": []string{"All"}}},
		{name: "without an answer", change: map[string]any{"responseStatus": map[string]any{"status": "Failure"}}},
		{name: "refused", change: map[string]any{"responseStatus.code": 403}},
		{name: "refused by a disruption budget", change: map[string]any{"verb": "create",
			"objectRef.subresource": "eviction", "responseStatus.code": 429}},
		{name: "only tried", change: map[string]any{"requestURI": "/api/v1/namespaces/prod/pods/web-0?dryRun=All"}},
		{name: "when it was received", change: map[string]any{"stage": "RequestReceived"}},
		{name: "by the kubelet, of what has ended", change: map[string]any{"user.username": "system:node:n1"}},
		{name: "of something else", change: map[string]any{"objectRef.resource": "secrets"}},
		{name: "a status", change: map[string]any{"verb": "patch", "objectRef.subresource": "status"}},
		{name: "Google Cloud's", base: google, want: at + `{"verb":"delete","namespace":"prod","pod":"web-0",` +
			`"user":"ann@example.com","agent":"kubectl/v1.30.2"}`},
		{name: "Google Cloud's, of an eviction", base: google, change: map[string]any{
			"protoPayload.methodName":   "io.k8s.core.v1.pods.eviction.create",
			"protoPayload.resourceName": "core/v1/namespaces/prod/pods/web-0/eviction"},
			want: at + `{"verb":"create","subresource":"eviction","namespace":"prod","pod":"web-0",` +
				`"user":"ann@example.com","agent":"kubectl/v1.30.2"}`},
		{name: "Google Cloud's, refused", base: google, change: map[string]any{"protoPayload.status.code": 7}},
		{name: "what Google Cloud's autoscaler decided", base: `{"insertId":"i","timestamp":"2026-11-20T10:00:01Z",` +
			`"jsonPayload":{"decision":{"decideTime":"1795168801","scaleDown":{"nodesToBeRemoved":[{"node":{"name":"n1"},` +
			`"evictedPods":[{"controller":{"kind":"StatefulSet","name":"web"},"name":"web-0","namespace":"prod"}]}]}}}}`,
			want: at + `{"verb":"create","subresource":"eviction","namespace":"prod","pod":"web-0",` +
				`"user":"cluster-autoscaler"}`},
		{name: "Google Cloud's, of something else", base: google,
			change: map[string]any{"protoPayload.methodName": "io.k8s.core.v1.pods.get"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.base == "" {
				c.base = base
			}
			var want []string
			if c.want != "" {
				want = []string{c.want}
			}
			line := change(t, c.base, c.change)
			if d := cmp.Diff(want, requests(t, line)); d != "" {
				t.Errorf("alone (-want +got):\n%s", d)
			}
			wrapped := fmt.Sprintf(`{"@timestamp":"2026-11-20T10:00:03Z","message":%q}`, line)
			if d := cmp.Diff(want, requests(t, wrapped, wrapped)[:len(want)]); d != "" {
				t.Errorf("in a log store (-want +got):\n%s", d)
			}
		})
	}
}

// A store puts what a container prints as JSON beside its own fields.
func TestAContainerWritesNoAuditLog(t *testing.T) {
	const line = `{"kubernetes":{"pod_name":"evil-0","namespace_name":"t"},"stream":"stdout","apiVersion":"audit.k8s.io/v1",` +
		`"auditID":"a","verb":"delete","objectRef":{"resource":"pods","namespace":"prod","name":"web-0"},` +
		`"responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-20T10:00:01Z"}` + "\n"
	tally, err := Read(strings.NewReader(line+line), Lines, Sink{
		Record: func(r Record) { t.Errorf("a record of %s: %s", r.Unit, r.Message) }})
	if err != nil || tally.OfContainers != 2 {
		t.Errorf("%+v, %v", tally, err)
	}
}
