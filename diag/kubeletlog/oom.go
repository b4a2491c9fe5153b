package kubeletlog

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// sysOOM: "Got sys oom event" event=…, ≤v1.20 Got sys oom event: … The event is cAdvisor's OomInstance, whose time is
// that of the kernel's kill. A line without that time is ignored, because a starting kubelet repeats the kernel's old
// lines.
func sysOOM(l *line, emit emitFunc) {
	f, at, ok := oomInstance(l.values.Get("event"))
	if ok {
		l.at = at
		emit(evidence.Subject{}, f)
	}
}

// cadvisorOOM: Created an OOM event in container "/kubepods/burstable/pod…/…" at 2017-10-10 17:41:57.857104 +0000 UTC.
// The path is that of the full cgroup: "/" is the whole machine. The time is the kernel's; an old one may be before the
// kubelet's start.
func cadvisorOOM(l *line, emit emitFunc) {
	_, rest, _ := strings.Cut(l.msg, "\"")
	group, at, ok := strings.Cut(rest, "\" at ")
	at, _, _ = strings.Cut(at, " m=")
	when, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", strings.TrimSpace(at))
	if !ok || err != nil {
		return
	}
	l.at = when
	switch ref, kubelets := cgroup.ParsePath(group); {
	case group == "/":
		emit(evidence.Subject{}, evidence.OOMSeen{})
	case kubelets && ref.ContainerID != "":
		emit(evidence.Subject{PodUID: ref.PodUID, ContainerID: ref.ContainerID}, evidence.TaskOOM{})
	}
}

// eventOOM: Event(v1.ObjectReference{Kind:"Node", …}): type: 'Warning' reason: 'SystemOOM' System OOM encountered,
// victim process: java, pid: 123; since v1.21 "Event occurred" with values. The message up to v1.15 names no process.
func eventOOM(l *line, emit emitFunc) {
	text := l.values.Get("message")
	if !l.structured {
		_, text, _ = strings.Cut(l.msg, "reason: 'SystemOOM' ")
	} else if l.values.Get("reason") != "SystemOOM" {
		return
	}
	rest, ok := strings.CutPrefix(text, "System OOM encountered")
	if !ok {
		return
	}
	var f evidence.OOMSeen
	if rest, ok = strings.CutPrefix(rest, ", victim process: "); ok {
		if end := strings.LastIndex(rest, ", pid: "); end >= 0 {
			f.Process = safetext.Ident(rest[:end])
			f.PID, _ = strconv.Atoi(strings.TrimSpace(rest[end+len(", pid: "):]))
		}
	}
	emit(evidence.Subject{}, f)
}

// oomInstance parses JSON (v1.28+), or Go syntax with or without field names: &{4388 tail 2026-11-21 08:35:15.411173751
// +0000 UTC m=-409.38 / / }
func oomInstance(s string) (evidence.OOMSeen, time.Time, bool) {
	if strings.HasPrefix(s, `{"`) {
		var e struct {
			Pid                              int
			ProcessName, VictimContainerName string
			TimeOfDeath                      time.Time
		}
		err := json.Unmarshal([]byte(s), &e)
		return evidence.OOMSeen{Process: safetext.Ident(e.ProcessName), PID: e.Pid},
			e.TimeOfDeath, err == nil && !e.TimeOfDeath.IsZero()
	}
	s, ok := strings.CutPrefix(s, "&{")
	if !ok || !strings.HasSuffix(s, "}") {
		return evidence.OOMSeen{}, time.Time{}, false
	}
	var f evidence.OOMSeen
	// The process chooses its name, which may hold blanks. It is between the pid and the time, so the time is searched
	// from the end.
	zone := strings.LastIndex(s, " m=")
	if zone < 0 {
		return f, time.Time{}, false
	}
	words := strings.Fields(s[:zone])
	if len(words) < 6 {
		return f, time.Time{}, false
	}
	day := strings.TrimPrefix(words[len(words)-4], "TimeOfDeath:")
	at, err := time.Parse("2006-01-02 15:04:05.999999999 -0700", day+" "+words[len(words)-3]+" "+words[len(words)-2])
	pid, err2 := strconv.Atoi(strings.TrimPrefix(words[0], "Pid:"))
	f.PID, f.Process = pid, safetext.Ident(strings.TrimPrefix(strings.Join(words[1:len(words)-4], " "), "ProcessName:"))
	return f, at, err == nil && err2 == nil
}
