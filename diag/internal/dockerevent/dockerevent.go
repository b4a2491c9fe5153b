// Package dockerevent reads what docker and podman print of the ends of containers: lines of their events, and the
// state of docker inspect.
//
// It may import the standard library. Who a container belongs to never enters: labels are left out, because a container
// chooses most of them.
package dockerevent

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// End is the exit of a container that an event tells.
type End struct {
	ID, Name string
	At       string // RFC 3339
	Code     any    // nil where it is unknown: podman's lines have none
	OOM      bool   // its runtime saw a kill for memory before
}

// event is a line of docker events or podman events, or podman's own in a journal, with a monotonic clock: time, what
// happened, the container's id, its labels and name.
var event = regexp.MustCompile(
	`^(?:[A-Z][a-z]{2} [ \d]\d [\d:]{8} \S+ podman\[\d+\]: )?` +
		`(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d| [+-]\d{4} [A-Z0-9+-]+))(?: m=\+[\d.]+)? ` +
		`container ([a-z_]+)(?:: .*)? ([0-9a-f]{64}) \((.*)\)\s*$`)

var (
	eventCode = regexp.MustCompile(`(?:^|, )(?:exitCode|containerExitCode)=([^,]*)`)
	eventName = regexp.MustCompile(`(?:^|, )name=([^,]*)`)
)

// Is reports whether a line is an event of a container.
func Is(line string) bool { return event.MatchString(line) }

// Ends returns the ends that lines of events tell, in their order.
func Ends(lines []string) (ends []End) {
	starved := map[string]bool{}
	for _, line := range lines {
		m := event.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		switch m[2] {
		case "oom":
			starved[m[3]] = true
			continue
		case "die", "died":
		default: // it starts, runs a command, is stopped
			continue
		}
		name := only(eventName, m[4])
		e := End{ID: m[3], Name: name, At: asTime(m[1]), OOM: starved[m[3]]}
		code, err := strconv.ParseUint(only(eventCode, m[4]), 10, 8)
		if err == nil {
			e.Code = code
		}
		untold := m[2] == "died" && !eventCode.MatchString(m[4])
		if (err == nil || untold) && name != "" && !strings.ContainsAny(name, " \t") {
			ends = append(ends, e)
		}
	}
	return ends
}

// only returns the single value of an attribute, "" if there are several: an image's labels are next to dockerd's
// attributes, and may contain commas and the same names.
func only(attribute *regexp.Regexp, all string) string {
	found := attribute.FindAllStringSubmatch(all, 2)
	if len(found) != 1 {
		return ""
	}
	return found[0][1]
}

// asTime returns a time of docker events as it is, and one of podman events, as Go prints times, in the same form.
func asTime(s string) string {
	day, rest, ok := strings.Cut(s, " ")
	at, zone, zoned := strings.Cut(rest, " ")
	if !ok || !zoned || len(zone) < len("+0000") {
		return s
	}
	return day + "T" + at + zone[:3] + ":" + zone[3:5]
}

// Plain reports whether a container has a name that a pod may have, too: no kubelet made it, and it is no id.
func Plain(name string) bool { return plain.MatchString(name) && !id.MatchString(name) }

var (
	plain = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$`)
	id    = regexp.MustCompile(`^[0-9a-f]{6,64}$`)
)

// Terminated converts a state of docker inspect into the API's form. One that runs keeps when it last ended, and no
// code.
func Terminated(state map[string]any) map[string]any {
	if state["Running"] == true {
		return map[string]any{"finishedAt": state["FinishedAt"]}
	}
	reason := "Error"
	switch {
	case never(state): // the kubelet's word for it (dockershim/docker_container.go ContainerStatus)
		return map[string]any{"exitCode": state["ExitCode"], "reason": "ContainerCannotRun", "message": state["Error"]}
	case state["OOMKilled"] == true:
		reason = "OOMKilled"
	case state["ExitCode"] == nil:
		return map[string]any{"finishedAt": state["FinishedAt"]}
	case fmt.Sprint(state["ExitCode"]) == "0":
		reason = "Completed"
	}
	end := map[string]any{"exitCode": state["ExitCode"], "reason": reason, "message": state["Error"],
		"startedAt": state["StartedAt"]}
	if !unset(state["FinishedAt"]) {
		end["finishedAt"] = state["FinishedAt"]
	}
	return end
}

// Ended reports whether a state of docker inspect has an end, or one that could not begin.
func Ended(state map[string]any) bool {
	at := state["FinishedAt"]
	return at != nil && at != "" && !(unset(at) && (state["Running"] == true || fmt.Sprint(state["ExitCode"]) == "0"))
}

// never reports whether a container of such a state has neither started nor ended so far.
func never(state map[string]any) bool { return unset(state["StartedAt"]) && unset(state["FinishedAt"]) }

// unset reports whether a time is Go's zero, as docker prints what has not happened.
func unset(at any) bool {
	s, _ := at.(string)
	return strings.HasPrefix(s, "0001-")
}

// Runs reports whether the only container of a pod's status has such a state of one that runs.
func Runs(status map[string]any) bool {
	list, _ := status["containerStatuses"].([]any)
	if len(list) != 1 {
		return false
	}
	c, _ := list[0].(map[string]any)
	last, _ := c["lastState"].(map[string]any)
	end, _ := last["terminated"].(map[string]any)
	return len(end) == 1 && end["finishedAt"] != nil
}
