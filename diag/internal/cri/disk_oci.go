package cri

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
)

// ociSpec holds the fields that are read of a container's OCI spec. Its process, with command and environment, is never
// decoded.
type ociSpec struct {
	Linux struct {
		CgroupsPath string `json:"cgroupsPath"`
	} `json:"linux"`
	Annotations map[string]string `json:"annotations"`
}

// containerd reads the spec of a running task (pkg/cri/annotations; with the pod's UID since 1.6). Tasks that ended
// leave no spec.
func (r *diskReader) containerd(id, dir string, data []byte) error {
	var spec ociSpec
	if err := decode(data, &spec); err != nil {
		return err
	}
	a := func(key string) string { return spec.Annotations["io.kubernetes.cri."+key] }
	pid := 0
	if text, err := readDisk(filepath.Join(dir, "init.pid")); err == nil {
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	running := r.runs(pid, id)
	if !running {
		pid = 0
	}
	switch a("container-type") {
	case "sandbox":
		s := sandbox{ID: id, Namespace: a("sandbox-namespace"), Pod: a("sandbox-name"),
			PodUID: a("sandbox-uid"), State: "SANDBOX_NOTREADY", PID: pid, CgroupsPath: spec.Linux.CgroupsPath}
		if running {
			s.State = stateReady
		}
		r.records.Sandboxes = append(r.records.Sandboxes, s)
	case "container":
		c := container{ID: id, SandboxID: a("sandbox-id"), Namespace: a("sandbox-namespace"),
			Pod: a("sandbox-name"), PodUID: a("sandbox-uid"), Name: a("container-name"),
			State: "CONTAINER_UNKNOWN", Image: a("image-name"), PID: pid, CgroupsPath: spec.Linux.CgroupsPath}
		if running {
			c.State = stateRunning
		}
		r.records.Containers = append(r.records.Containers, c)
	}
	return nil
}

// crioState holds the fields that are read of CRI-O's state.json next to the spec (internal/oci container.go
// ContainerState).
type crioState struct {
	Pid       int    `json:"pid"`
	Status    string `json:"status"`
	Created   when   `json:"created"`
	Started   when   `json:"started"`
	Finished  when   `json:"finished"`
	ExitCode  *int32 `json:"exitCode"`
	OOMKilled bool   `json:"oomKilled"`
	Error     string `json:"error"`
}

// crio reads one container of CRI-O. Podman keeps its containers in the same place, but without CRI-O's annotations
// (pkg/annotations, internal/factory).
func (r *diskReader) crio(id, dir string, data []byte) error {
	var spec ociSpec
	if err := decode(data, &spec); err != nil {
		return err
	}
	a := func(key string) string { return spec.Annotations["io.kubernetes.cri-o."+key] }
	var metadata struct {
		Name    string  `json:"name"`
		Attempt *uint32 `json:"attempt"`
	}
	inner := func(key string) map[string]string {
		var m map[string]string
		_ = json.Unmarshal([]byte(a(key)), &m) // if it is absent, it is unknown
		return m
	}
	labels, annotations := inner("Labels"), inner("Annotations")
	_ = json.Unmarshal([]byte(a("Metadata")), &metadata)
	if metadata.Attempt == nil {
		metadata.Attempt = new(uint32) // an attempt of 0 is left out
	}
	var st crioState
	if text, err := readDisk(filepath.Join(dir, "state.json")); err == nil {
		if err := decode(text, &st); err != nil {
			return err
		}
	}
	running := st.Status != "stopped" && r.runs(st.Pid, id)
	pid := 0
	if running {
		pid = st.Pid
	}
	switch a("ContainerType") {
	case "sandbox":
		s := sandbox{ID: id, Namespace: a("Namespace"), Pod: a("KubeName"), PodUID: labels[labelPodUID],
			Attempt: metadata.Attempt, State: "SANDBOX_NOTREADY",
			CreatedAt: int64(st.Created), PID: pid, CgroupsPath: spec.Linux.CgroupsPath, CgroupParent: a("CgroupParent")}
		if running {
			s.State = stateReady
		}
		keep(&s.Annotations, annotations, sandboxAnnotations)
		r.records.Sandboxes = append(r.records.Sandboxes, s)
	case "container":
		c := container{ID: id, SandboxID: a("SandboxID"), Namespace: labels[labelNamespace],
			Pod: labels[labelPod], PodUID: labels[labelPodUID], Name: labels[labelContainer],
			Attempt: metadata.Attempt, CreatedAt: int64(st.Created), StartedAt: int64(st.Started),
			Image: a("ImageName"), ImageRef: a("ImageRef"),
			PID: pid, CgroupsPath: spec.Linux.CgroupsPath, State: "CONTAINER_UNKNOWN"}
		switch {
		case running:
			c.State = stateRunning
		case st.Status == "stopped" && st.ExitCode != nil:
			c.State, c.FinishedAt, c.ExitCode, c.Reason, c.Message = stateExited,
				int64(st.Finished), st.ExitCode, st.reason(), capped(st.Error)
		}
		keep(&c.Annotations, annotations, annotationsKept)
		r.records.Containers = append(r.records.Containers, c)
	}
	return nil
}

// reason returns the reason that CRI-O reports (server/container_status.go).
func (s crioState) reason() string {
	switch {
	case s.OOMKilled:
		return "OOMKilled"
	case *s.ExitCode == 0:
		return "Completed"
	}
	return "Error"
}
