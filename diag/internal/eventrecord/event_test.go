package eventrecord

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// written is when the stores wrote the records of these tests.
var written = time.Date(2026, 11, 21, 7, 30, 0, 0, time.UTC)

// events are the events in a record, in short.
func events(t *testing.T, record string) (all []string) {
	t.Helper()
	f, ok := field.Parse([]byte(record))
	if !ok {
		t.Fatalf("no object: %s", record)
	}
	for _, raw := range Of(f, written) {
		var e corev1.Event
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatal(err)
		}
		o := e.InvolvedObject
		all = append(all, fmt.Sprintf("%s %s %s/%s%s %s×%d %s: %s", e.LastTimestamp.UTC().Format("15:04:05"), o.Kind,
			o.Namespace, o.Name, o.FieldPath, e.Reason, e.Count, e.Source.Component, e.Message))
		if o.UID != "" || e.UID != "" {
			t.Errorf("it has a UID: %s", raw)
		}
	}
	return all
}

func TestEventsInRecords(t *testing.T) {
	const killed = "Pod shop/web-0 Killing×0 kubelet: it failed"
	for name, c := range map[string]struct {
		record string
		want   []string
	}{
		"KubeEvents of Azure Monitor": {`{"ObjectKind":"Pod","Namespace":"shop","Name":"web-0","Reason":"Killing",
			"Message":"it failed","SourceComponent":"kubelet","LastSeen":"2026-11-21T07:21:31Z"}`, []string{"07:21:31 " + killed}},
		"OpenTelemetry's k8s_events": {`{"k8s.object.kind":"Pod","k8s.object.name":"web-0","k8s.namespace.name":"shop",
			"k8s.object.fieldpath":"spec.containers{app}","k8s.event.reason":"Killing","k8s.event.count":2,
			"body":{"stringValue":"it failed"}}`,
			[]string{"07:30:00 Pod shop/web-0spec.containers{app} Killing×2 : it failed"}},
		"New Relic's InfrastructureEvent": {`{"event.involvedObject.kind":"Pod","event.involvedObject.name":"web-0",
			"event.involvedObject.namespace":"shop","event.reason":"Killing","event.message":"it failed",
			"event.source.component":"kubelet","event.lastTimestamp":"2026-11-21T07:21:31Z","summary":"it failed"}`,
			[]string{"07:21:31 " + killed}},
		"Dynatrace, which names the pod": {`{"dt.kubernetes.event.involved_object.kind":"Pod",
			"dt.kubernetes.event.involved_object.name":"web-0","dt.kubernetes.event.reason":"Killing","content":"it failed",
			"dt.kubernetes.event.source.component":"kubelet","k8s.namespace.name":"shop","k8s.pod.name":"web-0"}`,
			[]string{"07:30:00 " + killed}},
		"Cloud Logging as a table": {`{"jsonPayload.involvedObject.kind":"Pod","jsonPayload.involvedObject.name":"web-0",
			"jsonPayload.involvedObject.namespace":"shop","jsonPayload.reason":"Killing","jsonPayload.message":"it failed",
			"jsonPayload.source.component":"kubelet","resource.labels.pod_name":"web-0","resource.type":"k8s_pod"}`,
			[]string{"07:30:00 " + killed}},
		"kube-eventer's webhook": {`{"EventKind":"Pod","EventObject":"web-0","EventNamespace":"shop","EventReason":"Evicted",
			"EventMessage":"it was low","EventTime":"2026-11-21 07:21:31 +0000 UTC"}`,
			[]string{"07:30:00 Pod shop/web-0 Evicted×0 : it was low"}},
		"BotKube's index": {`{"Kind":"Pod","Name":"web-0","Namespace":"shop","Reason":"Killing","Messages":["it failed"]}`,
			[]string{"07:30:00 Pod shop/web-0 Killing×0 : it failed"}},
		"columns of Kibana": {`{"kubernetes.event.involved_object.kind":"Pod","kubernetes.event.reason":"Killing",
			"kubernetes.event.involved_object.name":"web-0","kubernetes.event.metadata.namespace":"shop",
			"kubernetes.event.message":"it failed"}`, []string{"07:30:00 Pod shop/web-0 Killing×0 : it failed"}},
		"an exporter's layout": {`{"details":{"kind":"Pod","name":"web-0","namespace":"shop","reason":"Killing",
			"message":"it failed","component":"kubelet"},"createdAt":"1795245691000"}`, []string{"07:30:00 " + killed}},
		"OpenShift's eventrouter": {`{"kubernetes":{"event":{"involvedObject":{"kind":"Pod","name":"web-0","namespace":"shop"},
			"reason":"Killing","source":{"component":"kubelet"}},"container_name":"kube-eventrouter",
			"pod_name":"eventrouter-1"},"message":"it failed"}`, []string{"07:30:00 " + killed}},
		"Datadog, several of one object": {`{"title":"Events from the Pod shop/web-0","date_happened":1,"tags":["pod_name:web-0"],
			"text":"%%% \n1 **Killing**: it failed\n 3 **Unhealthy**: \\~no \n _Events emitted by the kubelet seen at 2026-11-21 07:21:31 +0000 UTC since 2026-11-21 07:20:00 +0000 UTC_ \n\n %%%"}`,
			[]string{"07:21:31 Pod shop/web-0 Killing×1 kubelet: it failed", "07:21:31 Pod shop/web-0 Unhealthy×3 kubelet: ~no"}},
		"Datadog, one by one": {`{"title":"Pod shop/web-0: Killing","text":"it failed"}`,
			[]string{"07:30:00 Pod shop/web-0 Killing×0 : it failed"}},
		"what people read of one": {`{"time":"2026-11-21T07:21:31Z","pod":"web-0","namespace":"shop","reason":"Killing",
			"message":"it failed"}`, []string{"07:30:00 Pod shop/web-0 Killing×0 : it failed"}},
		"a word that programs have": {`{"pod":"web-0","namespace":"shop","reason":"Failed","message":"it failed"}`, nil},
		"a program's line about a pod": {`{"level":"info","pod":"web-0","namespace":"shop","reason":"BackOff",
			"message":"requeued"}`, nil},
		"a container's own words": {`{"pod":"web-0","container":"c","namespace":"shop","reason":"Killing",
			"message":"it failed"}`, nil},
		"a container's own, in OpenTelemetry": {`{"k8s.object.kind":"Pod","k8s.object.name":"web-0","k8s.event.reason":"Killing",
			"k8s.namespace.name":"shop","k8s.container.name":"c","body":"it failed"}`, nil},
		"a container's own, about itself": {`{"kubernetes":{"pod_name":"web-0","container_name":"web-0"},"kind":"Pod",
			"name":"web-0","namespace":"shop","reason":"Killing","message":"it failed"}`, nil},
		"a container's own, about another pod": {`{"pod":"evil-0","kind":"Pod","name":"web-0","namespace":"shop",
			"reason":"Killing","message":"it failed"}`, nil},
		"a container's own, with Datadog's title": {`{"title":"Pod shop/web-0: Killing","text":"it failed",
			"tags":["kube_container_name:c"]}`, nil},
		"another object":    {`{"kind":"Job","name":"a","namespace":"b","reason":"Killing","message":"x"}`, nil},
		"no event's reason": {`{"kind":"Pod","name":"a","namespace":"b","reason":"it failed","message":"x"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, events(t, c.record)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func FuzzEvents(f *testing.F) {
	f.Add(`{"title":"Pod shop/web-0: Killing","text":"1 **A**: b\n"}`)
	f.Add(`{"kind":"Pod","name":"a","namespace":"b","reason":"Killing","message":"x"}`)
	f.Fuzz(func(_ *testing.T, record string) {
		if set, ok := field.Parse([]byte(record)); ok {
			Of(set, written)
		}
		Of(Line(record), written)
	})
}
