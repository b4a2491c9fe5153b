package excerpt

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// dockerEvent is a line of docker events: time, what happened, the container's id, its labels and name.
var dockerEvent = regexp.MustCompile(
	`^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(?:Z|[+-]\d\d:\d\d)) container (oom|die) ([0-9a-f]{64}) \((.*)\)\s*$`)

var (
	eventCode = regexp.MustCompile(`(?:^|, )exitCode=([^,]*)`)
	eventName = regexp.MustCompile(`(?:^|, )name=([^,]*)`)
)

// only returns the single value of an attribute, "" if there are several: an image's labels are next to dockerd's
// attributes, and may contain commas and the same names.
func only(attribute *regexp.Regexp, all string) string {
	found := attribute.FindAllStringSubmatch(all, 2)
	if len(found) != 1 {
		return ""
	}
	return found[0][1]
}

// dockerEvents returns the exited containers in the form of docker inspect: dockerd's exit event has the same state. It
// leaves out the labels, because a container chooses most of them.
func (p Part) dockerEvents() string {
	starved := map[string]bool{}
	var all []object
	for _, line := range p.Lines {
		m := dockerEvent.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if m[2] == "oom" {
			starved[m[3]] = true
			continue
		}
		name := only(eventName, m[4])
		exit, err := strconv.ParseUint(only(eventCode, m[4]), 10, 8)
		if err != nil || !strings.HasPrefix(name, "k8s_") || strings.ContainsAny(name, " \t") {
			continue
		}
		all = append(all, object{"Id": m[3], "Created": "", "Name": "/" + name, "State": object{"Status": "exited",
			"ExitCode": exit, "OOMKilled": starved[m[3]], "FinishedAt": m[1]}})
	}
	if len(all) == 0 {
		return ""
	}
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(raw))
}
