package describe

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Flat is a pod, or only its status, from YAML that is invalid because its indentation was lost.
type Flat map[string]any

// FlatPod returns the pod in such a text; nil for other texts. The keys and their order show the nesting: kubectl sorts
// them (k8s.io/api core/v1 Pod).
func FlatPod(lines []string) any {
	at := slices.IndexFunc(lines, func(l string) bool {
		l = strings.Trim(l, " \t*")
		return strings.HasPrefix(l, "containerStatuses:") || strings.HasPrefix(l, "initContainerStatuses:")
	})
	statuses, of := flatStatuses(lines[max(at, 0):]), ""
	meta, spec, status := object{}, object{}, object{}
	maps.Copy(status, statuses)
	for i, line := range lines {
		key, value, ok := strings.Cut(strings.Trim(line, " \t*"), ":")
		value = strings.Trim(value, ` "`)
		switch {
		case !ok:
		case key == "metadata" && of == "", key == "spec" && of == "metadata", key == "status" && value == "":
			of = key
		case of == "metadata" && key == "namespace" && meta[key] == nil && i > 0:
			meta[key] = value
			if name, ok := strings.CutPrefix(strings.Trim(lines[i-1], " \t*"), "name:"); ok {
				meta["name"] = strings.Trim(name, ` "`)
			}
		case of == "spec" && (key == "nodeName" || key == "restartPolicy"):
			spec[key] = value
		case of != "status":
		case key == "phase", status["phase"] != nil && key == "reason" && len(statuses) == 0:
			status[key] = value
		case key == "message" && len(statuses) == 0:
			status[key] = value
		}
	}
	if status["phase"] == nil && len(statuses) == 0 {
		return nil
	}
	if of == "" || meta["name"] == nil {
		if len(statuses) == 0 {
			return nil
		}
		return statuses
	}
	return Flat{"metadata": meta, "spec": spec, "status": status}
}

// flatStatuses returns the container statuses in such a text.
func flatStatuses(lines []string) object {
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
				return object{list: all} // the other kind begins: only one of them is used
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
