package kubeletlog

import (
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestAnOOMHasTheKernelsTime(t *testing.T) {
	at := time.Date(2026, 11, 21, 8, 35, 15, 411173751, time.UTC)
	for name, c := range map[string]struct {
		line string
		want evidence.OOMSeen
	}{
		"1.20": {old +
			`Got sys oom event: &{4388 tail 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.389420288 / / }`,
			evidence.OOMSeen{Process: "tail", PID: 4388}},
		"1.14": {old +
			`Got sys oom event from cadvisor: &{4388 tail 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.389420288 / /}`,
			evidence.OOMSeen{Process: "tail", PID: 4388}},
		"1.27": {now +
			`"Got sys oom event" event=&{Pid:4388 ProcessName:tail TimeOfDeath:2026-11-21 08:35:15.411173751 +0000 UTC m=-409.38 ContainerName:/ VictimContainerName:/ Constraint:}`, evidence.OOMSeen{Process: "tail", PID: 4388}},
		"1.28": {now +
			`"Got sys oom event" event={"Pid":4388,"ProcessName":"tail","TimeOfDeath":"2026-11-21T08:35:15.411173751Z","ContainerName":"/","VictimContainerName":"/"}`, evidence.OOMSeen{Process: "tail", PID: 4388}},
		"a name of blanks": {old +
			`Got sys oom event: &{4388 my own m=1 app 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.38 / /x }`,
			evidence.OOMSeen{Process: "my own m=1 app", PID: 4388}},
	} {
		_, obs := Parse(c.line)
		if len(obs) != 1 || !obs[0].Time.Equal(at) || obs[0].Fact != c.want {
			t.Errorf("%s: %+v", name, obs)
		}
	}
	for _, line := range []string{
		old + `Got sys oom event: &{4388 tail yesterday / / }`, old + `Got sys oom event: &{4388 tail`,
		now + `"Got sys oom event" event={"Pid":4388}`,
		old + `Got sys oom event: &{x tail 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.389420288 / / }`,
	} {
		if _, obs := Parse(line); len(obs) != 0 {
			t.Errorf("%s says %+v", line, obs)
		}
	}
	id := strings.Repeat("ab", 32)
	for name, c := range map[string]struct {
		line string
		want evidence.Fact
		of   string
	}{
		"cAdvisor, the whole node": {old +
			`Created an OOM event in container "/" at 2026-11-21 08:35:15.411173751 +0000 UTC`,
			evidence.OOMSeen{}, ""},
		"cAdvisor, a container": {old + `Created an OOM event in container "/kubepods/burstable/podu1/` +
			id + `" at 2026-11-21 08:35:15.411173751 +0000 UTC m=+3.1`, evidence.TaskOOM{}, id},
		"cAdvisor, what is no pod's": {old +
			`Created an OOM event in container "/system.slice/cron.service" at 2026-11-21 08:35:15.411173751 +0000 UTC`,
			nil, ""},
		"an event, printed": {old +
			`Event(v1.ObjectReference{Kind:"Node", Namespace:"", Name:"n1", UID:"n1", APIVersion:"", ResourceVersion:"", FieldPath:""}): type: 'Warning' reason: 'SystemOOM' System OOM encountered, victim process: my, pid: 4388`, evidence.OOMSeen{Process: "my", PID: 4388}, ""},
		"an event, structured": {now +
			`"Event occurred" object="n1" fieldPath="" kind="Node" apiVersion="" type="Warning" reason="SystemOOM" message="System OOM encountered, victim process: tail, pid: 4388"`, evidence.OOMSeen{Process: "tail", PID: 4388}, ""},
		"the event of an eviction, printed": {old +
			`Event(v1.ObjectReference{Kind:"Pod", Namespace:"s-n5", Name:"p", UID:"u1", APIVersion:"v1", ResourceVersion:"1", FieldPath:"spec.containers{c}"}): type: 'Warning' reason: 'Evicted' The node was low on resource: memory.`,
			evidence.PodEvicted{Reason: "Evicted", Message: text("The node was low on resource: memory.")}, ""},
		"the event of a kill, printed": {old +
			`Event(v1.ObjectReference{Kind:"Pod", Namespace:"s-n5", Name:"p", UID:"u1", APIVersion:"v1", ResourceVersion:"1", FieldPath:"spec.containers{c}"}): type: 'Warning' reason: 'Killing' Container c failed liveness probe, will be restarted`,
			evidence.KillDecided{Reason: evidence.KillLiveness,
				Message: text("Container c failed liveness probe, will be restarted")}, ""},
		"the event of a refusal, structured": {now +
			`"Event occurred" object="s-n5/p" fieldPath="" kind="Pod" type="Warning" reason="OutOfcpu" message="Node didn't have enough resource: cpu"`,
			evidence.PodRejected{Reason: "OutOfcpu", Message: text("Node didn't have enough resource: cpu")}, ""},
		"the event of a refusal, printed": {old +
			`Event(v1.ObjectReference{Kind:"Pod", Namespace:"s-n5", Name:"p", UID:"u1", APIVersion:"v1", ResourceVersion:"1", FieldPath:""}): type: 'Warning' reason: 'UnexpectedAdmissionError' Unexpected error while attempting to recover`,
			evidence.PodRejected{Reason: "UnexpectedAdmissionError",
				Message: text("Unexpected error while attempting to recover")}, ""},
		"the event of a hook, structured": {now +
			`"Event occurred" object="s-n5/p" fieldPath="spec.containers{c}" kind="Pod" type="Warning" reason="FailedPostStartHook" message="exited with 1"`,
			evidence.HookFailed{Hook: "PostStart", Output: text("exited with 1")}, ""},
		"an event of a pod that is read elsewhere": {old + `Event(v1.ObjectReference{Kind:"Pod", Namespace:"s-n5", Name:"p", UID:"u1", APIVersion:"v1", ResourceVersion:"1", FieldPath:"spec.containers{c}"}): type: 'Warning' reason: 'Unhealthy' Liveness probe failed: x`, nil, ""},
		"another event": {now +
			`"Event occurred" object="n1" kind="Node" type="Normal" reason="Starting" message="System OOM encountered"`,
			nil, ""},
		"cAdvisor, a time of no order": {old + `Created an OOM event in container "/" at yesterday`, nil, ""},
	} {
		_, obs := Parse(c.line)
		switch {
		case c.want == nil && len(obs) == 0:
		case len(obs) != 1 || obs[0].Fact != c.want || obs[0].Subject.ContainerID != c.of:
			t.Errorf("%s: %+v", name, obs)
		}
	}
	// The parser leaves the time alone.
	p := Parser{Known: true}
	p.Add(evidence.Entry{Time: at.Add(time.Hour), Message: old +
		`Got sys oom event: &{4388 tail 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.3 / / }`},
		func(o evidence.Observation) {
			if !o.Time.Equal(at) {
				t.Errorf("told for %v", o.Time)
			}
		})
}
