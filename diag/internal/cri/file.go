package cri

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// records is the content of nodes/<node>/cri.json.
type records struct {
	Runtime        string      `json:"runtime"`
	RuntimeVersion string      `json:"runtimeVersion"`
	Endpoint       string      `json:"endpoint"`
	CollectedAt    time.Time   `json:"collectedAt"`
	Settings       settings    `json:"settings,omitzero"`
	Endpoints      []endpoint  `json:"endpoints,omitempty"`
	Sandboxes      []sandbox   `json:"sandboxes"`
	Containers     []container `json:"containers"`
	// KubeletStarted is when the kubelet was started, if the runtime runs it and says so.
	KubeletStarted int64 `json:"kubeletStarted,omitempty"`
	// KubeletEnded is when it ended, if its container is listed as exited.
	KubeletEnded int64 `json:"kubeletEnded,omitempty"`
	// Other is the oldest running container that belongs to no pod.
	Other other `json:"other,omitzero"`
}

// other is a running container that belongs to no pod.
type other struct {
	Name      string `json:"name,omitempty"`
	StartedAt int64  `json:"startedAt,omitempty"`
}

// settings is what the runtime says about itself.
type settings struct {
	CgroupDriver string `json:"cgroupDriver,omitempty"`
	From         string `json:"from,omitempty"`
}

// known drops settings that say nothing.
func (s settings) known() settings {
	if s.CgroupDriver == "" {
		return settings{}
	}
	return s
}

// endpoint is one runtime that answered.
type endpoint struct {
	Endpoint       string `json:"endpoint"`
	Runtime        string `json:"runtime"`
	RuntimeVersion string `json:"runtimeVersion"`
	Sandboxes      int    `json:"sandboxes"`
	Containers     int    `json:"containers"`
	Used           bool   `json:"used,omitempty"`
	Configured     bool   `json:"configured,omitempty"`
}

// container is one container. Times are nanoseconds since the epoch, 0 if the runtime does not report them.
type container struct {
	ID          string            `json:"id"`
	SandboxID   string            `json:"sandboxID,omitempty"`
	Namespace   string            `json:"namespace,omitempty"`
	Pod         string            `json:"pod,omitempty"`
	PodUID      string            `json:"podUID,omitempty"`
	Name        string            `json:"name"`
	Attempt     *uint32           `json:"attempt,omitempty"`
	State       string            `json:"state"` // CONTAINER_RUNNING … as the CRI spells it
	CreatedAt   int64             `json:"createdAt,omitempty"`
	StartedAt   int64             `json:"startedAt,omitempty"`
	FinishedAt  int64             `json:"finishedAt,omitempty"`
	ExitCode    *int32            `json:"exitCode,omitempty"` // of an exited container
	Reason      string            `json:"reason,omitempty"`
	Message     string            `json:"message,omitempty"`
	Image       string            `json:"image,omitempty"`
	ImageRef    string            `json:"imageRef,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	PID         int               `json:"pid,omitempty"`
	CgroupsPath string            `json:"cgroupsPath,omitempty"`
	MemoryLimit int64             `json:"memoryLimit,omitempty"` // in bytes
	// StatusError says why there is only what the list has.
	StatusError string `json:"statusError,omitempty"`
	// Coarse: its times are computed from ages.
	Coarse bool `json:"coarse,omitempty"`
}

// sandbox is one pod sandbox.
type sandbox struct {
	ID          string  `json:"id"`
	Namespace   string  `json:"namespace,omitempty"`
	Pod         string  `json:"pod,omitempty"`
	PodUID      string  `json:"podUID,omitempty"`
	Attempt     *uint32 `json:"attempt,omitempty"`
	State       string  `json:"state"` // SANDBOX_READY, SANDBOX_NOTREADY
	CreatedAt   int64   `json:"createdAt,omitempty"`
	IP          string  `json:"ip,omitempty"`
	HostNetwork bool    `json:"hostNetwork,omitempty"`
	PID         int     `json:"pid,omitempty"`
	CgroupsPath string  `json:"cgroupsPath,omitempty"`
	// CgroupParent is the pod's cgroup as the kubelet requested it.
	CgroupParent string            `json:"cgroupParent,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
	Handler      string            `json:"handler,omitempty"`
	StatusError  string            `json:"statusError,omitempty"`
	Coarse       bool              `json:"coarse,omitempty"`
}

// The labels and annotations that the kubelet sets on containers and sandboxes and that we keep (kubelet v1.5–v1.36
// kuberuntime/labels.go).
const (
	labelPod        = "io.kubernetes.pod.name"
	labelNamespace  = "io.kubernetes.pod.namespace"
	labelPodUID     = "io.kubernetes.pod.uid"
	labelContainer  = "io.kubernetes.container.name"
	annHash         = "io.kubernetes.container.hash"
	annHashNoRes    = "io.kubernetes.container.hashWithoutResources"
	annRestartCount = "io.kubernetes.container.restartCount"
	annMessagePath  = "io.kubernetes.container.terminationMessagePath"
	annMessagePol   = "io.kubernetes.container.terminationMessagePolicy"
	annGracePeriod  = "io.kubernetes.pod.terminationGracePeriod"
)

// The annotations of a sandbox that we keep: where the kubelet got the pod from (kubelet types/pod_update.go).
const (
	annConfigSource = "kubernetes.io/config.source"
	annConfigHash   = "kubernetes.io/config.hash"
	annConfigSeen   = "kubernetes.io/config.seen"
)

var sandboxAnnotations = []string{annConfigSource, annConfigHash, annConfigSeen}

var annotationsKept = []string{annHash, annHashNoRes, annRestartCount, annMessagePath, annMessagePol, annGracePeriod}

// The states of the CRI (cri-api runtime/v1 ContainerState, PodSandboxState).
const (
	stateCreated = "CONTAINER_CREATED"
	stateRunning = "CONTAINER_RUNNING"
	stateExited  = "CONTAINER_EXITED"
	stateReady   = "SANDBOX_READY"
)

// NewPiece returns the piece of a stored cri.json. It needs no until: every record has its own times.
func NewPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.Of(evidence.SourceCRI, node, f, func(b nodefile.Observer, r *struct {
		records
		Sandboxes  []json.RawMessage `json:"sandboxes"`
		Containers []json.RawMessage `json:"containers"`
	}) error {
		if r.Runtime != "" {
			b.Node(evidence.Node{Name: safetext.Ident(node), Runtime: safetext.Ident(r.Runtime + "://" + r.RuntimeVersion)})
		}
		r.observe(b)
		return cmp.Or(
			nodefile.Each(r.Sandboxes, func(s sandbox) {
				if s.ID != "" {
					b.Observe(s.observation())
				}
			}),
			nodefile.Each(r.Containers, func(c container) {
				if c.ID != "" {
					b.Observe(c.observation())
				}
			}))
	})
}
