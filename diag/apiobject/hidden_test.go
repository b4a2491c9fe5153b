package apiobject

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Whoever shows objects to strangers puts one word in the place of every id: two pods stay two all the same.
func TestHiddenIDsMakeNoPodOfTwo(t *testing.T) {
	const pods = `apiVersion: v1
kind: List
items:
- {kind: Pod, apiVersion: v1, metadata: {name: web-0, namespace: shop, uid: ID},
   status: {phase: Running, containerStatuses: [
   {name: app, restartCount: 1, containerID: "containerd://CID",
    lastState: {terminated: {exitCode: 1, containerID: "containerd://CID"}}}]}}
- {kind: Pod, apiVersion: v1, metadata: {name: web-1, namespace: shop, uid: ID},
   status: {phase: Running, containerStatuses: [
   {name: app, restartCount: 1, containerID: "containerd://CID",
    lastState: {terminated: {exitCode: 2, containerID: "containerd://CID"}}}]}}
- {kind: Event, apiVersion: v1, metadata: {name: web-1.1, namespace: shop}, reason: Killing,
   message: Stopping container app,
   involvedObject: {kind: Pod, namespace: shop, name: web-1, uid: ID, fieldPath: "spec.containers{app}"}}
`
	for name, id := range map[string]string{"a word": `"<redacted>"`, "stars": `"***"`, "crosses": "xxxxxxxx-xxxx",
		"one that looks so": "7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"} {
		t.Run(name, func(t *testing.T) {
			text := strings.NewReplacer("CID", strings.Trim(id, `"`), "ID", id).Replace(pods)
			b := evidence.NewBuilder(time.Time{})
			Decode([]evidence.File{evidence.Bytes("cluster/pods.yaml", []byte(text))}, Hasher{}).Observe(b)
			s := b.Build()
			if len(s.Pods) != 2 || s.Pods[0].UID == s.Pods[1].UID {
				t.Fatalf("%+v", s.Pods)
			}
			for _, o := range s.Observations {
				if strings.Contains(o.Subject.PodUID, "<") || strings.Contains(o.Subject.ContainerID, "x") {
					t.Errorf("an id is left: %+v", o.Subject)
				}
			}
		})
	}
}
