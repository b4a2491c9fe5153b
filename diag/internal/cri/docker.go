package cri

import (
	"cmp"
	"strconv"
	"strings"
)

// dockerInspected is what `docker inspect` prints of a container, as far as it is
// needed.
type dockerInspected struct {
	ID      string `json:"Id"`
	Name    string `json:"Name"`
	Created when   `json:"Created"`
	Image   string `json:"Image"` // an id
	State   struct {
		Status     string `json:"Status"`
		Running    bool   `json:"Running"`
		OOMKilled  bool   `json:"OOMKilled"`
		PID        int    `json:"Pid"`
		ExitCode   int32  `json:"ExitCode"`
		Error      string `json:"Error"`
		StartedAt  when   `json:"StartedAt"`
		FinishedAt when   `json:"FinishedAt"`
	} `json:"State"`
	Config struct {
		Image  string            `json:"Image"`
		Labels map[string]string `json:"Labels"`
	} `json:"Config"`
	HostConfig struct {
		NetworkMode  string `json:"NetworkMode"`
		CgroupParent string `json:"CgroupParent"`
	} `json:"HostConfig"`
}

// The labels that dockershim and cri-dockerd add to the kubelet's own
// (dockershim/docker_service.go; annotations become labels with a prefix).
const (
	dockerSandbox    = "io.kubernetes.sandbox.id"
	dockerType       = "io.kubernetes.docker.type" // container, podsandbox
	dockerAnnotation = "annotation."
)

// docker takes a container that docker runs for a kubelet. Others are passed over:
// no pod restarts with them.
func (p *printed) docker(d *dockerInspected) {
	labels := d.Config.Labels
	if labels[labelPod] == "" {
		labels = namedLabels(d.Name) // a piece of the output may end before them
	}
	if labels[labelPod] == "" || len(p.containers)+len(p.sandboxes) >= maxPrinted {
		return
	}
	attempt := dockerAttempt(d.Name)
	if labels[dockerType] == "podsandbox" || labels[labelContainer] == "POD" {
		s := p.sandbox(d.ID)
		s.Namespace, s.Pod, s.PodUID, s.Attempt = labels[labelNamespace], labels[labelPod], labels[labelPodUID], attempt
		s.State, s.CreatedAt, s.PID = "SANDBOX_NOTREADY", int64(d.Created), d.State.PID
		if d.State.Running {
			s.State = stateReady
		}
		s.HostNetwork = d.HostConfig.NetworkMode == "host"
		return
	}
	c := p.container(d.ID)
	c.Namespace, c.Pod, c.PodUID, c.Name, c.Attempt = labels[labelNamespace],
		labels[labelPod], labels[labelPodUID], labels[labelContainer], attempt
	c.SandboxID, c.Image, c.ImageRef = labels[dockerSandbox], cmp.Or(d.Config.Image, c.Image), d.Image
	c.CreatedAt, c.StartedAt, c.PID = int64(d.Created), int64(d.State.StartedAt), d.State.PID
	c.annotate(labels, dockerAnnotation)
	switch {
	case d.State.Running:
		c.State = stateRunning
	case d.State.FinishedAt != 0:
		// dockershim/docker_container.go toRuntimeAPIContainerState and ContainerStatus.
		code := d.State.ExitCode
		c.State, c.FinishedAt, c.ExitCode = stateExited, int64(d.State.FinishedAt), &code
		switch {
		case d.State.OOMKilled:
			c.Reason = "OOMKilled"
		case code == 0:
			c.Reason = "Completed"
		default:
			c.Reason = "Error"
		}
	default:
		c.State = stateCreated
	}
	c.Message = capped(d.State.Error)
}

// namedLabels are the labels that a kubelet's container is known to have by its name, nil for any other container.
func namedLabels(name string) map[string]string {
	parts := strings.Split(strings.TrimPrefix(name, "/"), "_")
	if len(parts) < 6 || parts[0] != "k8s" {
		return nil
	}
	container, _, _ := strings.Cut(parts[1], ".") // up to 1.5 its hash followed
	return map[string]string{labelContainer: container, labelPod: parts[2], labelNamespace: parts[3],
		labelPodUID: parts[4]}
}

// dockerAttempt reads the attempt at the end of k8s_<container>_<pod>_<namespace>_
// <uid>_<attempt> (dockershim/naming.go); a sixth underscore came with a clash of
// names.
func dockerAttempt(name string) *uint32 {
	parts := strings.Split(strings.TrimPrefix(name, "/"), "_")
	if len(parts) < 6 || parts[0] != "k8s" {
		return nil
	}
	n, err := strconv.ParseUint(parts[5], 10, 32)
	if err != nil {
		return nil
	}
	return new(uint32(n))
}
