package exchange

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Extract is what Compare needs of a snapshot: small, so that a watch can keep several.
type Extract struct {
	// At is when the snapshot was collected.
	At    time.Time
	nodes map[string]nodeState
}

// nodeState is one node with the pods that are bound to it.
type nodeState struct {
	version string    // "" when the node was not read
	started time.Time // the newest start of the kubelet in an event; zero without one
	pods    map[podName]podState
}

type podName struct{ namespace, name string }

type podState struct {
	uid string
	// mirror: the pod represents a static one, and is recreated, with another UID, when that changes.
	mirror bool
	// leaving: it is being deleted. failed: its phase is Failed.
	leaving, failed bool
	containers      map[string]instance
}

// instance is the newest instance in a status.
type instance struct {
	id       string // with the runtime's scheme
	restarts int32
	running  bool
	done     bool // it ended with exit code 0
}

// StateOf extracts from a snapshot what Compare needs. Pods that are not from the API server are left out.
func StateOf(s *evidence.Snapshot) Extract {
	st := Extract{At: s.CollectedAt, nodes: map[string]nodeState{}}
	for i := range s.Nodes {
		st.nodes[s.Nodes[i].Name] = nodeState{version: s.Nodes[i].KubeletVersion, pods: map[podName]podState{}}
	}
	for i := range s.Pods {
		p := &s.Pods[i]
		if p.Node == "" || p.Object == nil {
			continue
		}
		if _, known := st.nodes[p.Node]; !known {
			st.nodes[p.Node] = nodeState{pods: map[podName]podState{}}
		}
		st.nodes[p.Node].pods[podName{p.Namespace, p.Name}] = podStateOf(p)
	}
	for i := range s.Observations {
		o := &s.Observations[i]
		if _, ok := o.Fact.(evidence.KubeletStarted); !ok {
			continue
		}
		if n, known := st.nodes[o.Subject.Node]; known && o.Time.After(n.started) {
			n.started = o.Time
			st.nodes[o.Subject.Node] = n
		}
	}
	return st
}

func podStateOf(p *evidence.Pod) podState {
	object := p.Object.Whole()
	status := &object.Status
	out := podState{
		uid: p.UID, mirror: p.Mirror, leaving: object.DeletionTimestamp != nil, failed: status.Phase == corev1.PodFailed,
		containers: map[string]instance{},
	}
	for _, list := range [][]corev1.ContainerStatus{status.InitContainerStatuses,
		status.ContainerStatuses, status.EphemeralContainerStatuses} {
		for i := range list {
			c := &list[i]
			ended := c.State.Terminated
			out.containers[c.Name] = instance{
				id: c.ContainerID, restarts: c.RestartCount, running: c.State.Running != nil, done: ended != nil &&
					ended.ExitCode == 0,
			}
		}
	}
	return out
}
