package idnames

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// statusOf matches how a kubelet logs a pod's status at V(3) (status_manager.go syncPod, updateStatusInternal, v1.22+):
// pod="ns/name" podUID="…" patch="{\"status\":…}", or status={…}, both in JSON.
var statusOf = regexp.MustCompile(` pod="` + aLabel + `/` + aName + `"(?: podUID="` + aUID + `")?` +
	`(?: statusVersion=\d+)? (?:status|patch)=("?\{.*)`)

// container is one of them, or how it ended: both have its id.
type container struct {
	Name        string `json:"name"`
	ContainerID string `json:"containerID"`
	State       struct {
		Terminated *container `json:"terminated"`
	} `json:"state"`
	LastState struct {
		Terminated *container `json:"terminated"`
	} `json:"lastState"`
}

// status has the containers of a status, or of a patch that contains one.
type status struct {
	Init      []container `json:"initContainerStatuses"`
	Regular   []container `json:"containerStatuses"`
	Ephemeral []container `json:"ephemeralContainerStatuses"`
	Status    *status     `json:"status"`
}

// inStatus returns the ids of a status and the containers that they are of, each of the line's pod.
func inStatus(line string) (all []Bearer) {
	if !strings.Contains(line, "ontainerStatuses") {
		return nil
	}
	m := statusOf.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	text := m[4]
	if text[0] == '"' {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return nil
		}
		if text, err = strconv.Unquote(quoted); err != nil {
			return nil
		}
	}
	var s status
	if json.NewDecoder(strings.NewReader(text)).Decode(&s) != nil {
		return nil
	}
	if s.Status != nil {
		s = *s.Status
	}
	for _, list := range [][]container{s.Init, s.Regular, s.Ephemeral} {
		for _, c := range list {
			for _, of := range []*container{&c, c.State.Terminated, c.LastState.Terminated} {
				if of == nil {
					continue
				}
				if _, id, ok := strings.Cut(of.ContainerID, "://"); ok && ids.FindString(id) == id && c.Name != "" {
					all = append(all, Bearer{Namespace: m[1], Pod: m[2], UID: m[3], Container: c.Name, ID: id})
				}
			}
		}
	}
	return all
}
