package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func lookAttacks() []attack {
	return []attack{
		{"late relist", "The kubelet's relist is stuck at the end: it sees that late, with those of others, and kills what is dead.",
			lateRelist},
	}
}

func lateRelist(r *rand.Rand, t *target) (*variant, bool) {
	from := t.finish.Add(-time.Duration(r.IntN(3000)) * time.Millisecond)
	seen := t.finish.Add(time.Duration(12+r.IntN(60)) * time.Second)
	m, late := t.Machine.Clone(), false
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer == "kubelet" && strings.Contains(l.Text, "(PLEG)") && !l.True.Before(from) && l.True.Before(seen) {
			by := seen.Sub(l.True)
			l.True, l.Text = seen, machine.Stamped(l.Text, by)
			late = late || strings.Contains(l.Text, t.id)
		}
	})
	if !late {
		return nil, false
	}
	if r.IntN(2) == 0 { // a log that was rotated has no earlier look
		for _, log := range m.Logs {
			log.Lines = slices.DeleteFunc(log.Lines, func(l machine.Line) bool {
				return strings.Contains(l.Text, "(PLEG)") && l.True.Before(from)
			})
		}
	}
	say := func(at time.Time, text string) {
		t.add(m, "kubelet", at, machine.Line{Writer: "kubelet", Unit: "kubelet.service",
			Text: "I" + at.Format("0102 15:04:05.000000") + "      80 " + text})
	}
	others := r.IntN(4)
	for i := range others {
		uid, id := fmt.Sprintf("aaaa6a52-0b8e-4a57-9f0a-5e2c1b9d000%d", i), strings.Repeat(fmt.Sprintf("%dc", i+3), 32)
		say(seen, fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID=%q containerID=%q exitCode=1`, uid, id))
		say(seen, fmt.Sprintf(`kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="ops/other-%d" event={"ID":%q,`+
			`"Type":"ContainerDied","Data":%q}`, i, uid, id))
	}
	pod, name, how := t.Truths[t.truth].Pod, t.Truths[t.truth].Container, "not killed"
	if kill := t.finish.Add(time.Duration(2500+r.IntN(9000)) * time.Millisecond); r.IntN(4) > 0 {
		of := func(line string) string { return strings.Replace(line, `"app"`, fmt.Sprintf("%q", name), 1) }
		for i := range 3 {
			say(kill.Add(time.Duration(-i)*700*time.Millisecond), of(`prober.go:107] "Probe failed" probeType="Liveness" pod="`+
				pod+`" podUID="`+t.pod.Metadata.UID+`" containerName="app" probeResult="failure" output="connection refused"`))
		}
		say(kill.Add(100*time.Millisecond), of(story.DecidedLine(pod, t.id, "Container "+name+
			" failed liveness probe, will be restarted")))
		say(kill.Add(200*time.Millisecond), of(story.KillingLine(t.pod.Metadata.UID, pod, t.id, 30)))
		how = "killed at " + kill.Format(time.TimeOnly)
	}
	e, _ := story.Objects(t.put(m), func(o story.Object) bool { return o["name"] == name && o["image"] != nil && o["state"] == nil },
		func(o story.Object) {
			if o["livenessProbe"] == nil {
				o["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}, "periodSeconds": 1,
					"failureThreshold": 3}
			}
		})
	e = addPods(e, t, others)
	if r.IntN(2) == 0 { // a run with the rights for logs only
		delete(e.Files, "nodes/"+t.Name()+"/cri.json")
		how += ", no records"
	}
	return &variant{how: fmt.Sprintf("seen at %s with %d others, %s", seen.Format(time.TimeOnly), others, how), entry: e}, true
}

// addPods adds the pods of the others, whose containers ended when the target's did.
func addPods(e *entry.Entry, t *target, others int) *entry.Entry {
	e, _ = story.Objects(e, func(o story.Object) bool { return o["kind"] == "List" || o["kind"] == "PodList" },
		func(o story.Object) {
			items, _ := o["items"].([]any)
			if len(items) == 0 || items[0].(story.Object)["spec"] == nil || items[0].(story.Object)["status"] == nil {
				return
			}
			if k := items[0].(story.Object)["kind"]; k != nil && k != "Pod" {
				return
			}
			for i := range others {
				uid, id := fmt.Sprintf("aaaa6a52-0b8e-4a57-9f0a-5e2c1b9d000%d", i), strings.Repeat(fmt.Sprintf("%dc", i+3), 32)
				items = append(items, story.Object{"kind": "Pod", "apiVersion": "v1",
					"metadata": story.Object{"name": fmt.Sprintf("other-%d", i), "namespace": "ops", "uid": uid,
						"creationTimestamp": t.began.Format(time.RFC3339)},
					"spec": story.Object{"nodeName": t.Name(), "restartPolicy": "Always",
						"containers": []any{story.Object{"name": "app", "image": "x:1"}}},
					"status": story.Object{"phase": "Running", "containerStatuses": []any{story.Object{"name": "app",
						"restartCount": 7, "ready": false, "containerID": "containerd://" + id,
						"state": story.Object{"waiting": story.Object{"reason": "CrashLoopBackOff"}},
						"lastState": story.Object{"terminated": story.Object{"exitCode": 1, "reason": "Error",
							"containerID": "containerd://" + id, "startedAt": t.began.Format(time.RFC3339),
							"finishedAt": t.finish.Format(time.RFC3339)}}}}}})
			}
			o["items"] = items
		})
	return e
}
