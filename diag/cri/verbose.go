package cri

import (
	"encoding/json"
	"fmt"
)

// maxInfo is the longest verbose info that is parsed. It carries the whole OCI
// spec with its environment.
const maxInfo = 4 << 20

// details are what we take out of the verbose info of a container or sandbox.
// All the rest (process, mounts, hooks, the CRI request) is skipped unread.
type details struct {
	PID         int    `json:"pid"`
	SandboxID   string `json:"sandboxID"`
	RuntimeSpec struct {
		Linux struct {
			CgroupsPath string `json:"cgroupsPath"`
		} `json:"linux"`
	} `json:"runtimeSpec"`
}

// parseInfo reads the info map of a verbose status. containerd (1.0+) and CRI-O
// (1.10+) put one JSON document under the key "info"; cri-dockerd gives none,
// which is no error.
func parseInfo(info map[string]string) (details, error) {
	text := info["info"]
	if text == "" {
		return details{}, nil
	}
	if len(text) > maxInfo {
		return details{}, fmt.Errorf("verbose info: longer than %d MiB", maxInfo>>20)
	}
	var d details
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		// The error of a type mismatch names the field, never its value.
		return details{}, fmt.Errorf("verbose info: %w", err)
	}
	return d, nil
}
