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

// only is the one value of an attribute, "" where there are several: an image's labels stand beside the attributes of
// dockerd, and may have commas and the same names within.
func only(attribute *regexp.Regexp, all string) string {
	found := attribute.FindAllStringSubmatch(all, 2)
	if len(found) != 1 {
		return ""
	}
	return found[0][1]
}

// dockerEvents are the containers that ended, as docker inspect has them: what dockerd tells of an end is the same
// state. The labels are left out, because a container chooses most of them.
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
