package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func tenantAttacks() []attack {
	return []attack{
		{"tenant's events", "Somebody who may write events writes some that fit in everything he chooses.", tenantEvents},
		{"another past", "The machine was put back to a snapshot: its log has another end of the same instance.", anotherPast},
	}
}

// tenantEvents add the events of a kill for a probe, stored some minutes later, or one of the pod's end.
func tenantEvents(r *rand.Rand, t *target) (*variant, bool) {
	e, name := t.put(t.Machine), t.Truths[t.truth].Container
	if r.IntN(2) == 0 {
		e = t.Entry.At(0)
	}
	less := *e
	e.Files = maps.Clone(e.Files)
	var have struct{ Items []any }
	_ = json.Unmarshal(e.Files["cluster/events.json"], &have) // none is none
	at := t.finish.Add(-time.Duration(1+r.IntN(35)) * time.Second)
	stored := t.finish.Add(time.Duration(6+r.IntN(60)) * time.Minute)
	add := func(at time.Time, reason, message, by, path string) {
		source, involved := story.Object{"component": by}, story.Object{"kind": "Pod", "namespace": t.pod.Metadata.Namespace,
			"name": t.pod.Metadata.Name, "uid": t.pod.Metadata.UID}
		if by == "kubelet" {
			source["host"] = t.Name()
		}
		if path != "" {
			involved["fieldPath"] = path
		}
		have.Items = append(have.Items, story.Object{"kind": "Event", "apiVersion": "v1",
			"metadata": story.Object{"name": t.pod.Metadata.Name + ".1d" + strconv.Itoa(len(have.Items)),
				"namespace": t.pod.Metadata.Namespace, "creationTimestamp": stored.Format(time.RFC3339)},
			"reason": reason, "message": message, "type": "Normal", "count": 1, "involvedObject": involved, "source": source,
			"firstTimestamp": at.Format(time.RFC3339), "lastTimestamp": at.Format(time.RFC3339)})
	}
	how := ""
	if r.IntN(2) == 0 {
		kind := []string{"liveness", "startup"}[r.IntN(2)]
		path := "spec.containers{" + name + "}"
		for i := range 4 {
			add(at.Add(time.Duration(10*i-30)*time.Second), "Unhealthy", strings.ToUpper(kind[:1])+kind[1:]+
				" probe failed: HTTP probe failed with statuscode: 503", "kubelet", path)
		}
		add(at, "Killing", "Container "+name+" failed "+kind+" probe, will be restarted", "kubelet", path)
		how = "a kill for its " + kind + " probe, stored at " + stored.Format(time.TimeOnly)
	} else {
		end := endings[r.IntN(len(endings))]
		stored = at.Add(time.Duration(r.IntN(1000)) * time.Millisecond)
		add(at, end[0], end[1], end[2], "")
		how = end[0] + " by " + end[2]
	}
	e.Files["cluster/events.json"] = story.List(have.Items)
	return &variant{how: how + " at " + at.Format(time.TimeOnly), entry: e, less: &less}, true
}

// anotherPast puts an end, and a kill before it, into the logs, which the snapshot undid.
func anotherPast(r *rand.Rand, t *target) (*variant, bool) {
	lived := t.finish.Sub(t.began)
	if lived < 20*time.Second {
		return nil, false
	}
	m := t.Machine.Clone()
	back := 5*time.Second + time.Duration(r.Int64N(int64(min(lived-15*time.Second, 10*time.Minute))))
	end := t.finish.Add(-back)
	pod, name, uid := t.Truths[t.truth].Pod, t.Truths[t.truth].Container, t.pod.Metadata.UID
	say := func(at time.Time, text string) {
		t.add(m, "kubelet", at, machine.Line{Writer: "kubelet", Unit: "kubelet.service",
			Text: "I" + at.Format("0102 15:04:05.000000") + "      80 " + text})
	}
	code := []int{0, 1, 137, 143}[r.IntN(4)]
	if r.IntN(3) > 0 {
		message := []string{"Container " + name + " failed liveness probe, will be restarted", "Container " + name +
			" definition changed, will be restarted"}[r.IntN(2)]
		of := func(line string) string { return strings.Replace(line, `"app"`, strconv.Quote(name), 1) }
		say(end.Add(-2*time.Second), of(story.DecidedLine(pod, t.id, message)))
		say(end.Add(-1900*time.Millisecond), of(story.KillingLine(uid, pod, t.id, 30)))
	}
	say(end.Add(time.Second), fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID=%q containerID=%q exitCode=%d`,
		uid, t.id, code))
	say(end.Add(time.Second), `kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="`+pod+`" event={"ID":"`+uid+
		`","Type":"ContainerDied","Data":"`+t.id+`"}`)
	e := t.put(m)
	return &variant{how: fmt.Sprintf("an end with %d, %s before", code, back), entry: t.undecided(e)}, true
}
