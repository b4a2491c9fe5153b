package evidence

import (
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ContainerKind distinguishes the containers of a pod, in the contract's terms.
type ContainerKind string

// The kinds of containers.
const (
	KindApp       ContainerKind = "app"
	KindInit      ContainerKind = "init"
	KindSidecar   ContainerKind = "sidecar" // init container with restartPolicy Always
	KindEphemeral ContainerKind = "ephemeral"
)

// Described is the UID prefix of pods known from kubectl's output for people: it has no UID and leaves out most of a
// pod's fields, so an absent field proves nothing.
const Described = "described/"

// Row is the UID prefix of pods known only from a table row.
const Row = Described + "row/"

// Pod is the part of a pod's spec and metadata that restarts depend on. It
// never holds an environment value, a command or an annotation.
type Pod struct {
	Namespace, Name, UID, Node string
	CreatedAt                  time.Time
	DeletedAt                  time.Time // deletionTimestamp; zero when not being deleted
	Phase                      string
	Reason                     string        // status.reason: Evicted, NodeShutdown …
	Message                    safetext.Text // status.message
	RestartPolicy              string        // Always, OnFailure, Never
	QOSClass                   string
	HostPID                    bool
	ShareProcessNamespace      bool
	// Mirror is true for the API object that represents a static pod; ConfigHash is then the UID that the kubelet and
	// the runtime use.
	Mirror     bool
	ConfigHash string
	// MemoryLimit is spec.resources.limits.memory of the pod itself (1.32+) in bytes, 0 when it has none.
	MemoryLimit int64
	// GraceSeconds is spec.terminationGracePeriodSeconds; -1 when absent.
	GraceSeconds int64
	Owner        Owner
	Workload     Workload
	Containers   []Container
	SpecWrites   []SpecWrite
	// Readmission is how the pod compares with its node; nil where the two were not compared.
	Readmission *Readmission
	// OS is the operating system that the pod requests, "linux" or "windows": spec.os, or its node selector.
	OS string
	// RestartsAll: a rule of one of its containers restarts all of them (RestartAllContainers).
	RestartsAll bool
	// Object is the API object that the rest was read from, redacted: what replaying the kubelet's decision needs. Its
	// names, states, reasons and ids are safe to show; nil when the pod is known from elsewhere.
	Object *podobject.Object
}

// Owner is the controller of a pod; empty when there is none.
type Owner struct{ Kind, Name string }

// Workload is what a pod belongs to, as far up as its controllers are known. Kind is in lower case and singular, as
// kubectl accepts it: deployment, statefulset, daemonset, cronjob; pod for a pod without a controller, static-pod for
// one from the kubelet's files, and the lower-case kind of any other controller.
type Workload struct {
	Kind, Name string
	Basis      WorkloadBasis
}

// WorkloadBasis says how a workload is known.
type WorkloadBasis string

// The bases of a workload, the best first.
const (
	WorkloadOwners WorkloadBasis = "owners" // ownerReferences with controller: true, up to the topmost
	WorkloadLabel  WorkloadBasis = "label"  // the ReplicaSet's name without the hash that a pod label holds
	WorkloadName   WorkloadBasis = "name"   // the naming scheme of controllers
)

// Readmission is what the kubelet would find if it admitted the pod again, as it does at each kubelet start, with the
// node as it was when both were read (kubelet pkg/kubelet/lifecycle/predicate.go). The values of labels and taints are
// compared while reading; only the names of mismatches are kept. Both lists are sorted; the pod fits if both are empty.
type Readmission struct {
	// Unmatched are the label keys that the node selector or the required node affinity asks for in vain, and
	// "metadata.name" where it asks for another node. For affinity terms, of which one must match, it holds the keys of
	// all.
	Unmatched []string `json:"unmatched,omitempty"`
	// Untolerated are the keys of the node's NoExecute taints that the pod does not tolerate.
	Untolerated []string `json:"untolerated,omitempty"`
}

// Unnamed is the name of a container that a table for people shows without its name. No container can have it.
const Unnamed = "?"

// UnnamedNode is the node of logs that do not say which node they are from.
const UnnamedNode = "unnamed"

// UsualNamespace guesses the namespace of a pod where nothing gives it. kubeadm and similar tools put the control plane
// in kube-system; network plugins are usually there too; kubectl's own default is default.
func UsualNamespace(pod string) string {
	for _, known := range []string{
		"kube-apiserver-", "kube-controller-manager-", "kube-scheduler-", "etcd-", "kube-proxy-", "coredns-", "calico-",
	} {
		if strings.HasPrefix(pod, known) {
			return "kube-system"
		}
	}
	return "default"
}

// Ended reports whether the pod has ended: none of its containers is started again.
func (p *Pod) Ended() bool { return p.Phase == "Succeeded" || p.Phase == "Failed" }

// Described reports whether the pod is known from such output for people.
func (p *Pod) Described() bool { return strings.HasPrefix(p.UID, Described) }

// Row reports whether the pod is known only from a table row.
func (p *Pod) Row() bool { return strings.HasPrefix(p.UID, Row) }

// Mentioned reports whether the pod is known only from free text.
func (p *Pod) Mentioned() bool { return strings.HasPrefix(p.UID, Mentioned) }

// RuntimeUID is the UID under which kubelet and runtime know the pod: for a mirror pod that is the static pod's, not
// the API object's.
func (p *Pod) RuntimeUID() string {
	if p.Mirror && p.ConfigHash != "" {
		return p.ConfigHash
	}
	return p.UID
}

// Container is one container of a pod's spec.
type Container struct {
	Name  string
	Kind  ContainerKind
	Image string // as the spec spells it
	// MemoryLimit is resources.limits.memory in bytes, 0 when there is none.
	MemoryLimit int64
	Liveness    *Probe
	Readiness   *Probe
	Startup     *Probe
	PostStart   bool
	PreStop     bool
	// Hashes are the container hashes that kubelets would compute from this spec, and from it with another image that
	// was seen.
	Hashes []SpecHash
	// Searched are hashes of similar specs, used to find the origin of a stored hash; mostly empty. No rule reads them:
	// the hash of a similar spec says nothing about what happened.
	Searched []SpecHash
}

// Probe is a probe's schedule, all durations in seconds, defaults filled in.
type Probe struct {
	Handler                                                     string // exec, httpGet, tcpSocket, grpc
	InitialDelay, Period, Timeout, FailureThreshold, GracePause int32
}

// SpecHash is the hash that kubelets of the minors FromMinor…ToMinor compute (kubelet pkg/kubelet/container/helpers.go
// HashContainer). The values come from the collector, because hashing needs environment values, which are not stored.
type SpecHash struct {
	FromMinor int    `json:"fromMinor"`
	ToMinor   int    `json:"toMinor"`
	Algorithm string `json:"algorithm"`
	Hex       string `json:"hex"`
	// Image is the hashed image: the spec's, or another that was seen.
	Image string `json:"image"`
	// Without and With name a field that was left out of the spec, or set, before hashing: one that some API servers
	// set by default and others do not. Both are empty for the spec as it is.
	Without string `json:"without,omitempty"`
	With    string `json:"with,omitempty"`
	// Searched marks the hash of a merely similar spec: Without and With may then name several fields, separated by
	// FieldSeparator, and no API server need ever have made that spec.
	Searched bool `json:"searched,omitempty"`
	// Changed likewise names the fields that were hashed with another value than the spec has now.
	Changed string `json:"changed,omitempty"`
	// Source says where the image comes from, if not from the spec: "an event", "revision 3 of deployment web". For a
	// searched hash it says whose template was hashed.
	Source string `json:"source,omitempty"`
}

// FieldSeparator separates the names of fields in Without, With and Changed.
const FieldSeparator = ", "

// Varied reports whether a field was left out, set or changed before hashing: no kubelet computes this from the present
// spec.
func (h SpecHash) Varied() bool { return h.Without != "" || h.With != "" || h.Changed != "" }

// Covers reports whether kubelets of this minor compute the hash.
func (h SpecHash) Covers(minor int) bool { return h.FromMinor <= minor && minor <= h.ToMinor }

// SpecWrite is one entry of metadata.managedFields that owns pod spec fields: who wrote to the spec last, and when.
type SpecWrite struct {
	Manager string
	Time    time.Time
	// Images are the containers whose image this manager owns.
	Images []string
	// OnlyImages is true when the manager owns nothing else of the spec: its time is that of an image edit.
	OnlyImages bool
}
