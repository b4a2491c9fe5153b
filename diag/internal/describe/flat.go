package describe

import (
	"strconv"
	"strings"
)

// FlatStatuses are statuses of containers in YAML whose blanks are not what they were, so that it is none any more;
// nil for other texts. What stands below what, the keys tell (k8s.io/api core/v1 ContainerStatus).
func FlatStatuses(lines []string) any {
	list, within := "containerStatuses", ""
	var all []any
	var status, state object
	told := false
	for _, line := range lines {
		line = strings.Trim(line, " \t*")
		line, item := strings.CutPrefix(line, "- ")
		key, value, ok := strings.Cut(line, ":")
		key, value = strings.Trim(key, `* "`), strings.Trim(value, `* ",`)
		switch {
		case !ok:
		case key == "containerStatuses" || key == "initContainerStatuses":
			if len(all) > 0 {
				return object{list: all} // of the other kind: one of them has to do
			}
			list = key
		case item && (statusKeys[key] || key == "allocatedResources") || status == nil:
			status, state, within = object{}, nil, ""
			all = append(all, status)
		}
		switch {
		case !ok || status == nil:
		case key == "state" || key == "lastState":
			within, state = key, nil
		case key == "terminated" || key == "waiting" || key == "running":
			if state = (object{}); within == "" {
				within = "lastState"
			}
			status[within], told = object{key: state}, true
		case state != nil && stateKeys[key] && state[key] == nil && value != "":
			state[key] = flatValue(value)
		case statusKeys[key] && value != "":
			status[key], state = flatValue(value), nil
		}
	}
	if !told {
		return nil
	}
	return object{list: all}
}

var (
	stateKeys = map[string]bool{"containerID": true, "exitCode": true, "finishedAt": true, "startedAt": true,
		"reason": true, "message": true, "signal": true}
	statusKeys = map[string]bool{"containerID": true, "image": true, "imageID": true, "name": true, "ready": true,
		"restartCount": true, "started": true}
)

func flatValue(s string) any {
	if n, err := strconv.ParseInt(s, 10, 32); err == nil {
		return n
	}
	if s == "true" || s == "false" {
		return s == "true"
	}
	return s
}
