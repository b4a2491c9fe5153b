package kubeletlog

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// sysOOM: "Got sys oom event" event=…, ≤v1.20 Got sys oom event: … The event is
// cAdvisor's OomInstance, whose time is when the kernel killed: a line without a
// time says nothing, for a kubelet that starts repeats the kernel's old lines.
func sysOOM(l *line, emit emitFunc) {
	event := l.values.get("event")
	if !l.structured {
		_, event, _ = strings.Cut(l.msg, ": ")
	}
	f, at, ok := oomInstance(event)
	if ok {
		l.at = at
		emit(evidence.Subject{}, f)
	}
}

// oomInstance reads JSON (v1.28+), or Go syntax with or without field names:
// &{4388 tail 2026-11-21 08:35:15.411173751 +0000 UTC m=-409.38 / / }
func oomInstance(s string) (evidence.OOMSeen, time.Time, bool) {
	if strings.HasPrefix(s, `{"`) {
		var e struct {
			Pid                              int
			ProcessName, VictimContainerName string
			TimeOfDeath                      time.Time
		}
		err := json.Unmarshal([]byte(s), &e)
		return evidence.OOMSeen{Process: safetext.Ident(e.ProcessName), PID: e.Pid, Victim: safetext.Ident(e.VictimContainerName)},
			e.TimeOfDeath, err == nil && !e.TimeOfDeath.IsZero()
	}
	s, ok := strings.CutPrefix(s, "&{")
	if !ok || !strings.HasSuffix(s, "}") {
		return evidence.OOMSeen{}, time.Time{}, false
	}
	var f evidence.OOMSeen
	// The process has chosen its name, which may hold blanks: it lies between the
	// pid and the time, and the time is found from behind.
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
	_, rest, _ := strings.Cut(s[zone+1:], " ")
	if names := strings.Fields(strings.TrimSuffix(rest, "}")); len(names) >= 2 {
		f.Victim = safetext.Ident(strings.TrimPrefix(names[1], "VictimContainerName:"))
	}
	return f, at, err == nil && err2 == nil
}
