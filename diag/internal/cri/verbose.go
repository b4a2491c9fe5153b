package cri

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// maxInfo is the longest verbose info that is parsed. It includes the whole OCI spec with its environment.
const maxInfo = 4 << 20

// details holds what we read of the verbose info of a container or sandbox. The rest (process, mounts, hooks, the CRI
// request) is never decoded. containerd's sandbox has the kubelet's request under config; CRI-O's has the parent among
// the annotations of the OCI spec.
type details struct {
	PID         int    `json:"pid"`
	SandboxID   string `json:"sandboxID"`
	RuntimeSpec struct {
		Linux struct {
			CgroupsPath string `json:"cgroupsPath"`
		} `json:"linux"`
		Annotations struct {
			CgroupParent string `json:"io.kubernetes.cri-o.CgroupParent"`
		} `json:"annotations"`
	} `json:"runtimeSpec"`
	Config struct {
		Linux struct {
			CgroupParent string `json:"cgroup_parent"`
		} `json:"linux"`
	} `json:"config"`
}

// parent returns the pod's cgroup as the kubelet requested it.
func (d details) parent() string {
	return cmp.Or(d.Config.Linux.CgroupParent, d.RuntimeSpec.Annotations.CgroupParent)
}

// parseInfo reads the info map of a verbose status. containerd (1.0+) and CRI-O (1.10+) put one JSON document under the
// key "info". cri-dockerd provides none, which is no error.
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

// driverOf reads the cgroup driver of the default runtime from containerd's verbose status:
// config.containerd.runtimes.<name>.options.SystemdCgroup (1.3–2.x). It returns "" for other runtimes. The rest of the
// configuration, with the credentials of registries, is never decoded.
func driverOf(info map[string]string) string {
	text := info["config"]
	if text == "" || len(text) > maxInfo {
		return ""
	}
	var c struct {
		Containerd struct {
			DefaultRuntimeName string `json:"defaultRuntimeName"`
			Runtimes           map[string]struct {
				Options struct {
					SystemdCgroup bool `json:"SystemdCgroup"`
				} `json:"options"`
			} `json:"runtimes"`
		} `json:"containerd"`
		SystemdCgroup bool `json:"systemdCgroup"`
	}
	if json.Unmarshal([]byte(text), &c) != nil {
		return ""
	}
	r, ok := c.Containerd.Runtimes[c.Containerd.DefaultRuntimeName]
	switch {
	case !ok:
		return ""
	case r.Options.SystemdCgroup || c.SystemdCgroup:
		return "systemd"
	}
	return "cgroupfs"
}
