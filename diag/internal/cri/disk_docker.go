package cri

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// dockerConfig is what is read of /var/lib/docker/containers/<id>/config.v2.json
// (Docker 1.10–28). Config.Env, Path and Args are skipped unread.
type dockerConfig struct {
	Created time.Time
	Name    string
	Image   string
	State   struct {
		Running    bool
		OOMKilled  bool
		Pid        int
		ExitCode   int32
		Error      string
		StartedAt  time.Time
		FinishedAt time.Time
	}
	Config struct {
		Image  string
		Labels map[string]string
	}
}

// docker reads one container of Docker. Those that no kubelet made are left out:
// dockershim and cri-dockerd name theirs k8s_<container>_<pod>_<namespace>_<uid>_
// <attempt>, and keep CRI annotations as labels (kubelet v1.23
// dockershim/naming.go, helpers.go).
func (r *diskReader) docker(id, dir string, data []byte) error {
	var d dockerConfig
	if err := decode(data, &d); err != nil {
		return err
	}
	parts := strings.Split(strings.TrimPrefix(d.Name, "/"), "_")
	if len(parts) < 6 || parts[0] != "k8s" {
		return nil
	}
	number, err := strconv.ParseUint(parts[5], 10, 32)
	attempt := uint32(number)
	var at *uint32
	if err == nil {
		at = &attempt
	}
	var host struct{ CgroupParent string }
	if text, err := readDisk(filepath.Join(dir, "hostconfig.json")); err == nil {
		_ = decode(text, &host) // without it the parent is unknown, no more
	}
	cgroup := ""
	switch {
	case strings.HasSuffix(host.CgroupParent, ".slice"):
		cgroup = host.CgroupParent + ":docker:" + id
	case host.CgroupParent != "":
		cgroup = path.Join(host.CgroupParent, id)
	}
	pid := 0
	running := d.State.Running && r.runs(d.State.Pid, id)
	if running {
		pid = d.State.Pid
	}
	labels := d.Config.Labels
	if labels["io.kubernetes.docker.type"] == "podsandbox" {
		s := sandbox{ID: id, Namespace: parts[3], Pod: parts[2], PodUID: parts[4],
			Attempt: at, State: "SANDBOX_NOTREADY", CreatedAt: unixNano(d.Created),
			PID: pid, CgroupsPath: cgroup, CgroupParent: host.CgroupParent}
		if running {
			s.State = stateReady
		}
		keep(&s.Annotations, unprefixed(labels), sandboxAnnotations)
		r.records.Sandboxes = append(r.records.Sandboxes, s)
		return nil
	}
	c := container{
		ID: id, SandboxID: labels["io.kubernetes.sandbox.id"], Namespace: parts[3],
		Pod: parts[2], PodUID: parts[4], Name: parts[1], Attempt: at,
		CreatedAt: unixNano(d.Created), StartedAt: unixNano(d.State.StartedAt),
		Image: d.Config.Image, ImageRef: d.Image, PID: pid, CgroupsPath: cgroup, State: "CONTAINER_UNKNOWN",
	}
	switch {
	case running:
		c.State = stateRunning
	case !d.State.Running && c.StartedAt == 0:
		c.State = stateCreated
	case !d.State.Running:
		c.State, c.FinishedAt = stateExited, unixNano(d.State.FinishedAt)
		c.ExitCode = new(d.State.ExitCode)
		c.Reason, c.Message = dockerReason(d), capped(d.State.Error)
	}
	keep(&c.Annotations, unprefixed(labels), annotationsKept)
	r.records.Containers = append(r.records.Containers, c)
	return nil
}

// dockerReason is the reason that dockershim tells (docker_container.go
// ContainerStatus).
func dockerReason(d dockerConfig) string {
	switch {
	case d.State.OOMKilled:
		return "OOMKilled"
	case d.State.Error != "":
		return "ContainerCannotRun"
	case d.State.ExitCode == 0:
		return "Completed"
	}
	return "Error"
}

// unprefixed are the CRI annotations among Docker's labels.
func unprefixed(labels map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range labels {
		if name, ok := strings.CutPrefix(k, "annotation."); ok {
			out[name] = v
		}
	}
	return out
}
