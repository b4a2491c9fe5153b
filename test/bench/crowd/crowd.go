// Package crowd writes evidence with very many containers in one place: in one pod, on one node, under one name, at one
// moment. That is slow for an analysis that joins everything with everything. It imports only the standard library, and
// judges nothing.
package crowd

import (
	"bufio"
	"fmt"
	"io"
	"time"
)

// Shape is what the containers have in common.
type Shape string

// The shapes. All exits are within a few seconds.
const (
	OnePod    Shape = "one pod"      // containers of one pod
	OneNode   Shape = "one node"     // pods of one container each, on one node
	ManyNodes Shape = "many nodes"   // the same on a hundred nodes
	Fleet     Shape = "a fleet"      // the same on three hundred nodes, with an event of each pod
	OneName   Shape = "one name"     // pods of one name, as of a StatefulSet that is recreated
	Events    Shape = "many events"  // containers of one pod, with an event of each and one of the pod
	Static    Shape = "static pods"  // static pods of one name, each under two UIDs
	OneMemory Shape = "one shortage" // pods on one node, all of them killed for memory
)

// Shapes returns all of them.
func Shapes() []Shape {
	return []Shape{OnePod, OneNode, ManyNodes, Fleet, OneName, Events, Static, OneMemory}
}

var (
	begin = time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	end   = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
)

// Write writes a List of n restarted containers, as `kubectl get -o json` does.
func Write(w io.Writer, s Shape, n int) error {
	b := &builder{w: bufio.NewWriterSize(w, 1<<20), shape: s}
	b.text(`{"apiVersion":"v1","kind":"List","items":[`)
	for i := range s.nodes() {
		b.item(
			`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n%d"},"status":{"nodeInfo":{"kubeletVersion":"v1.33.1","containerRuntimeVersion":"containerd://2.0.1"}}}`, i)
	}
	if s == OnePod || s == Events {
		b.pod(0, n)
	} else {
		for i := range n {
			b.pod(i, 1)
		}
	}
	for i := 0; s == Events && i < n; i++ {
		b.event(i, 0, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 500", b.container(i))
		b.event(n+i, 0, "Killing", "Container "+b.container(i)+" failed liveness probe, will be restarted", b.container(i))
		b.event(2*n+i, 0, "SandboxChanged", "Pod sandbox changed, it will be killed and re-created.", "")
	}
	for i := 0; s == Fleet && i < n; i++ {
		b.event(i, i, "Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 500", b.container(0))
	}
	b.text("]}\n")
	return b.w.Flush()
}

func (s Shape) nodes() int {
	switch s {
	case ManyNodes:
		return 100
	case Fleet:
		return 300
	}
	return 1
}

type builder struct {
	w     *bufio.Writer
	shape Shape
	items int
}

func (b *builder) text(format string, args ...any) { fmt.Fprintf(b.w, format, args...) } // Flush returns the error

func (b *builder) item(format string, args ...any) {
	if b.items++; b.items > 1 {
		b.text(",\n")
	}
	b.text(format, args...)
}

func (b *builder) container(i int) string { return fmt.Sprintf("c%d", i) }

func stamp(t time.Time) string { return t.Format(time.RFC3339) }

// pod writes one pod whose containers were all restarted once.
func (b *builder) pod(i, containers int) {
	name, node, annotations := fmt.Sprintf("web-%d", i), i%b.shape.nodes(), "{}"
	switch b.shape {
	case OneName:
		name = "web-0"
	case Static:
		name = "web-n0"
		annotations = fmt.Sprintf(
			`{"kubernetes.io/config.source":"file","kubernetes.io/config.hash":"%032x","kubernetes.io/config.mirror":"%032x"}`,
			i, i)
	}
	b.item(
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":%q,"namespace":"shop","uid":"%s","creationTimestamp":%q,"annotations":%s},`, name, uid(i), stamp(begin), annotations)
	b.text(`"spec":{"nodeName":"n%d","restartPolicy":"Always","terminationGracePeriodSeconds":30,"containers":[`, node)
	for c := range containers {
		b.comma(c)
		b.text(
			`{"name":%q,"image":"registry.example/web:1","livenessProbe":{"httpGet":{"port":80},"periodSeconds":10,"failureThreshold":3}}`, b.container(c))
	}
	b.text(`]},"status":{"phase":"Running","startTime":%q,"containerStatuses":[`, stamp(begin))
	for c := range containers {
		b.comma(c)
		b.status(i+c, c)
	}
	b.text("]}}")
}

func (b *builder) comma(i int) {
	if i > 0 {
		b.text(",\n")
	}
}

func uid(i int) string { return fmt.Sprintf("4b222463-b4cd-48ff-b717-%012x", i) }

func (b *builder) status(i, c int) {
	code, reason := 137, "Error"
	if b.shape == OneMemory {
		reason = "OOMKilled"
	}
	at := end.Add(time.Duration(i%3) * time.Second)
	id := func(n int) string { return fmt.Sprintf("containerd://%064x", uint64(n+1)*0x9e3779b97f4a7c15) }
	b.text(
		`{"name":%q,"image":"registry.example/web:1","imageID":"registry.example/web@sha256:%064x","containerID":%q,"restartCount":1,"ready":true,"state":{"running":{"startedAt":%q}},`,
		b.container(c), 7, id(2*i+1), stamp(at.Add(2*time.Second)))
	b.text(`"lastState":{"terminated":{"exitCode":%d,"reason":%q,"containerID":%q,"startedAt":%q,"finishedAt":%q}}}`,
		code, reason, id(2*i), stamp(begin), stamp(at))
}

func (b *builder) event(i, pod int, reason, message, container string) {
	path := ""
	if container != "" {
		path = "spec.containers{" + container + "}"
	}
	at := stamp(end.Add(-time.Duration(i%3) * time.Second))
	b.item(`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e%d","namespace":"shop","uid":"e%d"},`, i, i)
	b.text(
		`"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-%d","uid":%q,"fieldPath":%q},"reason":%q,"message":%q,`, pod, uid(pod), path, reason, message)
	b.text(
		`"type":"Normal","source":{"component":"kubelet","host":"n%d"},"count":1,"firstTimestamp":%q,"lastTimestamp":%q}`,
		pod%b.shape.nodes(), at, at)
}
