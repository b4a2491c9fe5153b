package cri

import (
	"cmp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podref"
)

// dockerContainer holds the fields that we need of Docker's data about a container: what `docker inspect` prints, and
// config.v2.json on disk (Docker 1.10–28), with hostconfig.json next to it. Environment, path and arguments are never
// decoded.
type dockerContainer struct {
	ID      string
	Name    string
	Created when
	Image   string // an id
	State   struct {
		Running    bool
		OOMKilled  bool
		PID        int
		ExitCode   int32
		Error      string
		StartedAt  when
		FinishedAt when
	}
	Config struct {
		Image  string
		Labels map[string]string
	}
	HostConfig struct {
		NetworkMode  string
		CgroupParent string
		Memory       int64
	}
}

// The labels that dockershim and cri-dockerd add to the kubelet's own
// (dockershim/docker_service.go; annotations become labels with a prefix).
const (
	dockerSandbox    = "io.kubernetes.sandbox.id"
	dockerType       = "io.kubernetes.docker.type" // container, podsandbox
	dockerAnnotation = "annotation."
)

// dockerPod is the pod's container that a kubelet created a Docker container for.
type dockerPod struct {
	container, pod, namespace, uid string
	attempt                        *uint32
}

// sandbox reports whether the container is the one that holds the pod's namespaces.
func (n dockerPod) sandbox() bool { return n.container == "POD" }

// dockerName reads the name that a kubelet gave a container, or that nerdctl makes of its labels: k8s://shop/web-0/app,
// without the last part for a sandbox (nerdctl v1 pkg/cmd/container/list.go getPrintableContainerName).
func dockerName(name string) (n dockerPod, kubelets bool) {
	if name, nerdctls := strings.CutPrefix(name, "k8s://"); nerdctls {
		parts := strings.Split(name+"/POD", "/")
		if len(parts) < 3 {
			return n, false
		}
		return dockerPod{container: parts[2], pod: parts[1], namespace: parts[0]}, true
	}
	d, ok := podref.Docker(name)
	return dockerPod{d.Container, d.Pod, d.Namespace, d.UID, numbered(d.Attempt)}, ok
}

// whose returns whom the container is for, by its labels or else its name: output may be cut before the labels.
func (d *dockerContainer) whose() (n dockerPod, kubelets bool) {
	n, kubelets = dockerName(d.Name)
	if l := d.Config.Labels; l[labelPod] != "" {
		n.container, n.pod, n.namespace, n.uid, kubelets = l[labelContainer], l[labelPod], l[labelNamespace],
			l[labelPodUID], true
	}
	if d.Config.Labels[dockerType] == "podsandbox" {
		n.container = "POD"
	}
	return n, kubelets
}

// docker adds a container that docker runs for a kubelet. It skips others, because no pod restarts with them.
func (p *printed) docker(d *dockerContainer) {
	n, kubelets := d.whose()
	switch {
	case !kubelets || len(p.containers)+len(p.sandboxes) >= maxPrinted:
	case n.sandbox():
		d.fillSandbox(p.sandbox(d.ID), n, d.State.Running)
	default:
		d.fill(p.container(d.ID), n, d.State.Running)
	}
}

// fillSandbox fills in a record. runs reports whether its process exists.
func (d *dockerContainer) fillSandbox(s *sandbox, n dockerPod, runs bool) {
	s.Namespace, s.Pod, s.PodUID, s.Attempt = n.namespace, n.pod, n.uid, n.attempt
	s.State, s.CreatedAt = "SANDBOX_NOTREADY", int64(d.Created)
	if runs {
		s.State, s.PID = stateReady, d.State.PID
	}
	s.HostNetwork = d.HostConfig.NetworkMode == "host"
	keep(&s.Annotations, unprefixed(d.Config.Labels), sandboxAnnotations)
}

// fill fills in a record. runs reports whether its process exists: a record on disk may be older than the last boot.
func (d *dockerContainer) fill(c *container, n dockerPod, runs bool) {
	st := &d.State
	c.Namespace, c.Pod, c.PodUID, c.Name, c.Attempt = n.namespace, n.pod, n.uid, n.container, n.attempt
	c.SandboxID, c.Image, c.ImageRef = d.Config.Labels[dockerSandbox], cmp.Or(d.Config.Image, c.Image), d.Image
	c.CreatedAt, c.StartedAt, c.MemoryLimit = int64(d.Created), int64(st.StartedAt), d.HostConfig.Memory
	keep(&c.Annotations, unprefixed(d.Config.Labels), annotationsKept)
	// As the kubelet interpreted it (dockershim/docker_container.go ContainerStatus).
	switch {
	case runs:
		c.State, c.PID = stateRunning, st.PID
	case st.Running:
		c.State = "CONTAINER_UNKNOWN"
	case st.FinishedAt == 0 && st.ExitCode == 0:
		c.State = stateCreated
	default:
		c.State, c.FinishedAt, c.ExitCode, c.Message = stateExited, int64(st.FinishedAt), new(st.ExitCode), capped(st.Error)
		switch {
		case st.FinishedAt == 0: // it could not be started
			c.StartedAt, c.FinishedAt, c.Reason = c.CreatedAt, c.CreatedAt, "ContainerCannotRun"
		case st.OOMKilled:
			c.Reason = "OOMKilled"
		case st.ExitCode == 0:
			c.Reason = "Completed"
		default:
			c.Reason = "Error"
		}
	}
}

// unprefixed returns the CRI annotations among Docker's labels.
func unprefixed(labels map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range labels {
		if name, ok := strings.CutPrefix(k, dockerAnnotation); ok {
			out[name] = v
		}
	}
	return out
}
