package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
)

// story is one restart as several commands show it.
type story struct {
	cause string
	tells string            // the part that has the cause, alone or with any of the others
	parts map[string]string // what the commands printed
}

const (
	podsAt   = "$ kubectl get pods -n shop\nNAME                  READY   STATUS    RESTARTS        AGE\n"
	eventsAt = "$ kubectl get events -n shop\nLAST SEEN   TYPE      REASON           OBJECT                    MESSAGE\n"
	// objectAt is a pod that was killed at 09:54:59 and runs again since 09:55:00.
	objectAt = `$ kubectl get pod web-5f69cf9d49-tr24p -n shop -o yaml
apiVersion: v1
kind: Pod
metadata:
  creationTimestamp: "2026-03-01T08:00:00Z"
  name: web-5f69cf9d49-tr24p
  namespace: shop
  uid: 7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001
spec:
  containers:
  - image: registry.example/web:7
    name: web
RULES  nodeName: n1
  restartPolicy: POLICY
status:
  containerStatuses:
  - containerID: containerd://2222222222aa
    lastState:
      terminated:
        containerID: containerd://1111111111aa
        exitCode: CODE
        finishedAt: "2026-03-01T09:54:59Z"
        reason: Error
        startedAt: "2026-03-01T08:00:02Z"
    name: web
    ready: true
    restartCount: 1
    state:
      running:
        startedAt: "2026-03-01T09:55:00Z"
  phase: Running
`
	// runtimeAt is the runtime's log of its container, up to the result of its start.
	runtimeAt = `2026-03-01T09:54:59.500000+0000 n1 containerd[70]: time="2026-03-01T09:54:59.500000000Z" level=info ` +
		`msg="RunPodSandbox for &PodSandboxMetadata{Name:web-5f69cf9d49-tr24p,` +
		`Uid:7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001,Namespace:shop,Attempt:0,} returns sandbox id \"5a5a5a5a0001\""` + "\n" +
		`2026-03-01T09:54:59.900000+0000 n1 containerd[70]: time="2026-03-01T09:54:59.900000000Z" level=info ` +
		`msg="CreateContainer within sandbox \"5a5a5a5a0001\" for &ContainerMetadata{Name:web,Attempt:0,} returns ` +
		`container id \"1111111111aa\""` + "\n" +
		`2026-03-01T09:55:00.000000+0000 n1 containerd[70]: time="2026-03-01T09:55:00.000000000Z" `
	// describedAt is kubectl describe of the same pod.
	describedAt = `$ kubectl describe pod web-5f69cf9d49-tr24p -n shop
Name:         web-5f69cf9d49-tr24p
Namespace:    shop
Node:         n1/10.0.0.1
Status:       Running
Containers:
  web:
    Container ID:   containerd://2222222222aa
    Image:          registry.example/web:7
    State:          Running
      Started:      Sun, 01 Mar 2026 09:55:00 +0000
    Last State:     Terminated
      Reason:       Error
      Exit Code:    CODE
      Started:      Sun, 01 Mar 2026 08:00:02 +0000
      Finished:     Sun, 01 Mar 2026 09:54:59 +0000
    Ready:          True
    Restart Count:  1
QoS Class:          BestEffort
Events:             <none>
`
)

// eventsOf returns events of the pod's only container at 09:55:01, by their reasons and messages.
func eventsOf(texts ...string) string {
	var items []string
	for i := 0; i < len(texts); i += 2 {
		path := `"fieldPath":"spec.containers{web}",`
		if texts[i] == "SandboxChanged" {
			path = ""
		}
		items = append(items, `{"kind":"Event","apiVersion":"v1","metadata":{"name":"web.`+texts[i]+`","namespace":"shop"},`+
			`"involvedObject":{"kind":"Pod","namespace":"shop","name":"web-5f69cf9d49-tr24p",`+path+
			`"uid":"7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001"},"reason":"`+texts[i]+`","message":"`+texts[i+1]+
			`","source":{"component":"kubelet","host":"n1"},"firstTimestamp":"2026-03-01T09:55:01Z",`+
			`"lastTimestamp":"2026-03-01T09:55:01Z","count":1}`)
	}
	return `{"apiVersion":"v1","kind":"List","items":[` + strings.Join(items, ",") + "]}\n"
}

func ended(text, code string) string {
	return strings.NewReplacer("CODE", code, "RULES", "", "POLICY", "Always").Replace(text)
}

// stories are such restarts of pod web-5f69cf9d49-tr24p.
var stories = map[string]story{
	"a sandbox that changed": {"sandbox-died", "events", map[string]string{
		"pods": podsAt + "web-5f69cf9d49-tr24p  1/1     Running   1 (4m59s ago)   120m\n",
		"events": eventsAt +
			"5m          Normal    SandboxChanged   pod/web-5f69cf9d49-tr24p   Pod sandbox changed, it will " +
			"be killed and re-created.\n" +
			"5m          Normal    Killing          pod/web-5f69cf9d49-tr24p   Stopping container web\n",
	}},
	"a sandbox that changed, a count without its age": {"sandbox-died", "events", map[string]string{
		"pods": podsAt + "web-5f69cf9d49-tr24p  1/1     Running   1               120m\n",
		"events": eventsAt +
			"5m11s       Normal    SandboxChanged   pod/web-5f69cf9d49-tr24p   Pod sandbox changed, it will " +
			"be killed and re-created.\n" +
			"5m1s        Normal    Created          pod/web-5f69cf9d49-tr24p   Created container web\n" +
			"5m          Normal    Started          pod/web-5f69cf9d49-tr24p   Started container web\n",
	}},
	"out of memory, in a loop": {"oom-container-limit", "pods", map[string]string{
		"pods": podsAt + "web-5f69cf9d49-tr24p  0/1     OOMKilled   4 (84s ago)   3m24s\n",
		"events": eventsAt +
			"2m35s       Normal    Started          pod/web-5f69cf9d49-tr24p   Started container web\n" +
			"27s         Normal    Started          pod/web-5f69cf9d49-tr24p   Started container web\n" +
			"20s         Warning   BackOff          pod/web-5f69cf9d49-tr24p   Back-off restarting failed " +
			"container web in pod web-5f69cf9d49-tr24p_shop(7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001)\n",
	}},
	"another definition": {"hash-kubelet-upgrade", "events", map[string]string{
		"events": eventsAt + "5m          Normal    Killing          pod/web-5f69cf9d49-tr24p   Container " +
			"web definition changed, will be restarted\n",
		"object": ended(objectAt, "2"), "description": ended(describedAt, "2"),
		"pods": podsAt + "web-5f69cf9d49-tr24p  1/1     Running   1 (5m1s ago)    120m\n",
	}},
	"a resize": {"resize-restart", "events", map[string]string{
		"events": eventsAt + "5m          Normal    Killing          pod/web-5f69cf9d49-tr24p   " +
			"Container web resize requires restart\n",
		"description": ended(describedAt, "143"),
		"pods":        podsAt + "web-5f69cf9d49-tr24p  1/1     Running   1 (5m1s ago)    120m\n",
	}},
	"a rule": {"restart-rule", "object", map[string]string{
		"object": strings.NewReplacer("CODE", "42", "POLICY", "Never", "RULES",
			"    restartPolicy: Never\n    restartPolicyRules:\n    - action: Restart\n      exitCodes: "+
				"{operator: In, values: [42]}\n",
		).Replace(objectAt),
		"description": ended(describedAt, "42"),
	}},
	"another image": {"spec-image-changed", "events", map[string]string{
		"events": eventsAt +
			"10m         Normal    Pulled           pod/web-5f69cf9d49-tr24p   Container image \"r/web:1\" " +
			"already present on machine\n" +
			"8m6s        Normal    Killing          pod/web-5f69cf9d49-tr24p   Container web definition " +
			"changed, will be restarted\n" +
			"7m56s       Normal    Pulled           pod/web-5f69cf9d49-tr24p   Container image \"r/web:2\" " +
			"already present on machine\n" +
			"7m15s       Normal    Started          pod/web-5f69cf9d49-tr24p   Started container web\n",
		"pods": podsAt + "web-5f69cf9d49-tr24p  1/1     Running   1 (8m4s ago)    120m\n",
	}},
	"a kill long after a boot": {"sandbox-died", "events", map[string]string{
		"events": eventsOf("SandboxChanged", "Pod sandbox changed, it will be killed and re-created.",
			"Killing", "Stopping container web"),
		"kernel": "2026-03-01T09:48:40.000000+0000 n1 kernel: Linux version 6.1.0\n",
	}},
	"a loop beside the runtime's log": {"app-exit-error", "events", map[string]string{
		"events": eventsOf("BackOff", "Back-off restarting failed container web in pod "+
			"web-5f69cf9d49-tr24p_shop(7d1f6a52-0b8e-4a57-9f0a-5e2c1b9d0001)"),
		"runtime": runtimeAt + `level=info msg="StartContainer for \"1111111111aa\" returns successfully"` + "\n",
	}},
	"a failed start beside the runtime's log": {"start-error", "events", map[string]string{
		"events": eventsOf("Failed", `Error: failed to create containerd task: failed to create shim task: OCI runtime `+
			`create failed: exec: \"/srv/web\": stat /srv/web: no such file or directory: unknown`),
		"runtime": runtimeAt + `level=error msg="StartContainer for \"1111111111aa\" failed"` + "\n",
	}},
	"a start that failed, of a pod that only the table names": {"start-error", "piece", map[string]string{
		"piece": "  web:\n    Container ID:  containerd://2222222222aa\n    State:          Waiting\n     " +
			" Reason:       CrashLoopBackOff\n" +
			"    Last State:     Terminated\n      Reason:       StartError\n      Message:      failed to " +
			"create containerd task: " +
			"failed to create shim task: OCI runtime create failed: exec: \"/app\": permission denied: " +
			"unknown\n      Exit Code:    128\n" +
			"      Started:      Thu, 01 Jan 1970 00:00:00 +0000\n      Finished:     Sun, 01 Mar 2026 09:55:00 +0000\n" +
			"    Ready:          False\n    Restart Count:  9\n",
		"pods": podsAt + "api-7d8f9c6b5-8xk2m    1/1     Running            0             120m\n" +
			"web-5f69cf9d49-tr24p  0/1     CrashLoopBackOff   9 (5m ago)    120m\n",
	}},
}

// TestMoreEvidenceIsNotWorse reads every choice of a story's parts with the one that tells, as files and as one paste,
// saved when they were printed, and later.
func TestMoreEvidenceIsNotWorse(t *testing.T) {
	for name, s := range stories {
		keys := slices.Sorted(maps.Keys(s.parts))
		for choice := range 1 << len(keys) {
			files, paste, chosen := map[string][]byte{}, "", []string{}
			for i, key := range keys {
				if choice&(1<<i) != 0 {
					files[key+".txt"] = []byte(s.parts[key])
					paste += s.parts[key] + "\n"
					chosen = append(chosen, key)
				}
			}
			if !slices.Contains(chosen, s.tells) {
				continue
			}
			what := name + ", " + strings.Join(chosen, " and ")
			causeOf(t, what, s.cause, files, 0)
			for _, late := range []time.Duration{0, 4 * time.Minute, 50 * time.Hour} {
				causeOf(t, what+" in one paste", s.cause, map[string][]byte{"paste.txt": []byte(paste)}, late)
			}
		}
	}
}

// causeOf reads files that were saved so long after they were printed.
func causeOf(t *testing.T, name, cause string, files map[string][]byte, late time.Duration) {
	t.Helper()
	e := &entry.Entry{Name: name, Files: files, CollectedAt: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC).Add(late)}
	r, err := e.Report()
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for i := range r.Items {
		said = append(said, r.Items[i].Verdict.Cause)
	}
	if !slices.Equal(said, []string{cause}) {
		t.Errorf("%s, saved %s later: %q, want %s", name, late, said, cause)
	}
}
