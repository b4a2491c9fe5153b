package hostfiles

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Kind is the source kind of this package's files.
const Kind evidence.SourceKind = "host"

// Host is what a node's files say; it is the content of nodes/<node>/host.json. Fields that could not be read are empty
// or zero.
type Host struct {
	CollectedAt time.Time `json:"collectedAt"`
	// NodeName is the name that the kubelet registers, see NodeName.
	NodeName string `json:"nodeName"`
	Hostname string `json:"hostname,omitempty"`
	BootID   string `json:"bootID,omitempty"`
	// BootTime is when the kernel started (btime of /proc/stat, whole seconds).
	BootTime time.Time `json:"bootTime,omitzero"`
	// InitTime is when process 1 started: on a machine seconds after BootTime, on a node that is itself a container
	// much later.
	InitTime      time.Time `json:"initTime,omitzero"`
	KernelVersion string    `json:"kernelVersion,omitempty"`
	OSImage       string    `json:"osImage,omitempty"`
	// ZoneOffset is the local time zone at CollectedAt, in seconds east of UTC: klog's headers have local time without
	// a zone. Nil when unknown.
	ZoneOffset *int    `json:"zoneOffset,omitempty"`
	Kubelet    Kubelet `json:"kubelet"`
}

// Kubelet holds the running kubelet's settings, from flags or configuration file. A setting that is not set is empty;
// the reader has to know the default.
type Kubelet struct {
	PID              int       `json:"pid,omitempty"`
	Started          time.Time `json:"started,omitzero"`
	HostnameOverride string    `json:"hostnameOverride,omitempty"`
	ConfigFile       string    `json:"configFile,omitempty"`
	RootDir          string    `json:"rootDir,omitempty"`
	// Flags are the names of the flags on its command line, sorted and without values; nil if the command line is
	// another program's.
	Flags []string `json:"flags,omitempty"`
	Settings
}

// NewPiece returns the piece of a stored host.json. It needs no until: a boot has its own time, and without one it is
// not an observation.
func NewPiece(node string, f evidence.File, _ time.Time) evidence.RawEvidence {
	return nodefile.Of(Kind, node, f, func(b nodefile.Observer, h *Host) error {
		b.Node(evidence.Node{
			Name: safetext.Ident(node), HostBoot: safetext.Ident(h.BootID),
			KernelVersion: safetext.Ident(h.KernelVersion), OSImage: safetext.Ident(h.OSImage),
		})
		if at := h.booted(); !at.IsZero() {
			text := "boot " + h.BootID + " began " + at.UTC().Format(time.RFC3339)
			b.Observe(evidence.Observation{Time: at, Fact: evidence.KernelBooted{BootID: safetext.Ident(h.BootID)},
				Text: safetext.Clean(text)})
		}
		if h.Kubelet.PID > 0 && !h.CollectedAt.IsZero() {
			b.Observe(evidence.Observation{Time: h.CollectedAt, Fact: h.Kubelet.fact(),
				Text: safetext.Clean(h.Kubelet.quote())})
		}
		return nil
	})
}

// booted returns when the boot with BootID began. A node that is a container has its own boot id, which began with its
// process 1 and not with the kernel.
func (h Host) booted() time.Time {
	if h.InitTime.After(h.BootTime) {
		return h.InitTime.UTC()
	}
	return h.BootTime.UTC()
}
