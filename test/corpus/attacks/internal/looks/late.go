package looks

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

// Ended is the container of a node that a story is about.
type Ended struct {
	Pod, UID, Name, ID string
	Began, End         time.Time
}

// Late sticks the relist of a node's kubelet at the end of a container: it sees that late, with those of others, and
// kills what is dead. It returns nil if the log has no such look.
func Late(r *rand.Rand, of *machine.Machine, c Ended) (m *machine.Machine, others int, how string) {
	from := c.End.Add(-time.Duration(r.IntN(3000)) * time.Millisecond)
	seen := c.End.Add(time.Duration(12+r.IntN(60)) * time.Second)
	late, pid := false, 0
	m = of.Clone()
	m.Each(func(_ *machine.Log, l *machine.Line) {
		if l.Writer != "kubelet" {
			return
		}
		if pid = l.PID; strings.Contains(l.Text, "(PLEG)") && !l.True.Before(from) && l.True.Before(seen) {
			by := seen.Sub(l.True)
			l.True, l.Text = seen, machine.Stamped(l.Text, by)
			late = late || strings.Contains(l.Text, c.ID)
		}
	})
	if !late {
		return nil, 0, ""
	}
	log := m.Log("kubelet")
	if r.IntN(2) == 0 { // a log that was rotated has no earlier look
		log.Lines = slices.DeleteFunc(log.Lines, func(l machine.Line) bool {
			return strings.Contains(l.Text, "(PLEG)") && l.True.Before(from)
		})
	}
	boot := 0
	for _, l := range log.Lines {
		if !l.True.After(c.End) {
			boot = max(boot, l.Boot)
		}
	}
	say := func(at time.Time, text string) {
		text = fmt.Sprintf("I%s %7d %s", at.Format("0102 15:04:05.000000"), pid, strings.Replace(text, `"app"`,
			fmt.Sprintf("%q", c.Name), 1))
		log.Lines = append(log.Lines, machine.Line{True: at, Writer: "kubelet", Unit: "kubelet.service", PID: pid, Text: text,
			Boot: boot})
	}
	others = r.IntN(4)
	for i := range others {
		uid, id := other(i)
		say(seen, fmt.Sprintf(`generic.go:334] "Generic (PLEG): container finished" podID=%q containerID=%q exitCode=1`, uid, id))
		say(seen, fmt.Sprintf(`kubelet.go:2450] "SyncLoop (PLEG): event for pod" pod="ops/other-%d" event={"ID":%q,`+
			`"Type":"ContainerDied","Data":%q}`, i, uid, id))
	}
	how = fmt.Sprintf("seen at %s with %d others", seen.Format(time.TimeOnly), others)
	if kill := c.End.Add(time.Duration(2500+r.IntN(9000)) * time.Millisecond); r.IntN(4) > 0 {
		for i := range 3 {
			say(kill.Add(time.Duration(-i)*700*time.Millisecond), `prober.go:107] "Probe failed" probeType="Liveness" pod="`+
				c.Pod+`" podUID="`+c.UID+`" containerName="app" probeResult="failure" output="connection refused"`)
		}
		say(kill.Add(100*time.Millisecond), story.DecidedLine(c.Pod, c.ID, "Container "+c.Name+
			" failed liveness probe, will be restarted"))
		say(kill.Add(200*time.Millisecond), story.KillingLine(c.UID, c.Pod, c.ID, 30))
		how += ", killed at " + kill.Format(time.TimeOnly)
	}
	return m, others, how
}

// Beside adds the pods of others, whose containers ended with this one, and gives it a liveness probe.
func Beside(e *entry.Entry, node string, c Ended, others int) *entry.Entry {
	e, _ = story.Objects(e, func(o story.Object) bool {
		return o["name"] == c.Name && o["image"] != nil && o["state"] == nil && o["livenessProbe"] == nil
	}, func(o story.Object) {
		o["livenessProbe"] = story.Object{"httpGet": story.Object{"path": "/", "port": 8080}, "periodSeconds": 1,
			"failureThreshold": 3}
	})
	e, _ = story.Objects(e, func(o story.Object) bool {
		items, _ := o["items"].([]any)
		return slices.ContainsFunc(items, func(of any) bool {
			pod, _ := of.(story.Object)
			status, _ := pod["status"].(story.Object)
			return status["containerStatuses"] != nil
		})
	}, func(o story.Object) {
		for i := range others {
			o["items"] = append(o["items"].([]any), pod(node, i, c.Began, c.End))
		}
	})
	return e
}

// other returns the ids of another pod and of its container.
func other(i int) (uid, id string) {
	return fmt.Sprintf("aaaa6a52-0b8e-4a57-9f0a-5e2c1b9d000%d", i), strings.Repeat(fmt.Sprintf("%dc", i+3), 32)
}

// pod returns another pod, whose container ended.
func pod(node string, i int, began, end time.Time) story.Object {
	uid, id := other(i)
	return story.Object{"kind": "Pod", "apiVersion": "v1", "metadata": story.Object{"name": fmt.Sprintf("other-%d", i),
		"namespace": "ops", "uid": uid, "creationTimestamp": began.Format(time.RFC3339)},
		"spec": story.Object{"nodeName": node, "restartPolicy": "Always",
			"containers": []any{story.Object{"name": "app", "image": "x:1"}}},
		"status": story.Object{"phase": "Running", "containerStatuses": []any{story.Object{"name": "app", "restartCount": 7,
			"ready": false, "containerID": "containerd://" + id,
			"state": story.Object{"waiting": story.Object{"reason": "CrashLoopBackOff"}},
			"lastState": story.Object{"terminated": story.Object{"exitCode": 1, "reason": "Error",
				"containerID": "containerd://" + id, "startedAt": began.Format(time.RFC3339),
				"finishedAt": end.Format(time.RFC3339)}}}}}}
}
