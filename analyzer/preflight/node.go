package preflight

import (
	"cmp"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/staticpod"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/replay"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// node is one node under the change.
type node struct {
	of     *Stream
	facts  *nodeFacts
	ready  string // the node's Ready condition
	report report.PreflightNode
	// known: both versions are modelled; otherwise whyNot says what is wrong.
	known    bool
	whyNot   string
	from, to kubelet.Version
	change   replay.Exchange
	// unrecorded: the new kubelet finds no record of the resources that the old one allocated.
	unrecorded bool
	// static are the changes of static pods' UIDs between the two versions.
	static []staticpod.UIDChange
	// staticUnknown: it is unknown whether static pods get other UIDs, because a minor in between is not modelled.
	staticUnknown bool
	// texts caches the reasons that are the same for all containers of the node.
	texts map[string]string
	// pods is how many of its pods are in the scope; ended is how many of these have succeeded. probed is how many of
	// their containers run and have a readiness probe.
	pods, ended, probed int
	items               []report.PreflightItem
	// limitedSidecars have a limit on ephemeral storage; podLevel are static pods with pod-level resources.
	limitedSidecars, podLevel int
	// room is the node's capacity for pods, nil when unknown; admitted is what its pods use of it. refusedPods no
	// longer fit, the last one because of shortOf.
	room        *evidence.Allocatable
	admitted    []claim
	refusedPods int
	shortOf     corev1.ResourceName
	// devices are the extended resources that were allocated to its pods.
	devices map[string]bool
}

func newNode(st *Stream, e *evidence.Node) *node {
	n := &node{of: st, facts: st.facts[e.Name], ready: e.Ready, room: e.Allocatable,
		devices: map[string]bool{}, texts: map[string]string{}, report: report.PreflightNode{
			Node: e.Name, To: st.o.To.String(), Runtime: e.Runtime, OS: osOf(e),
		}}
	if n.facts == nil {
		n.facts = &nodeFacts{}
	}
	n.report.From = cmp.Or(e.KubeletVersion, n.facts.version)
	if st.o.To.Major == 0 {
		n.report.To = n.report.From
	}
	from, err := kubelet.ParseVersion(n.report.From)
	if err != nil {
		n.whyNot = "the version of the node's kubelet is not known"
		return n
	}
	n.from, n.to = from, st.o.To
	if st.o.To.Major == 0 {
		n.to = from
	}
	if n.change, err = replay.NewExchange(n.from, n.to); err != nil {
		n.whyNot = "the node's kubelet " + from.String() + " is not modelled (v1.5 and newer are, of Kubernetes 1)"
		n.report.Extrapolated = from.Major != 1
		return n
	}
	n.known = true
	n.report.Extrapolated = n.change.From.Extrapolated || n.change.To.Extrapolated
	for name, on := range n.facts.gates {
		// A gate that affects no decision does not matter here, and a removed one is a finding.
		if p, err := n.change.From.WithGate(name, on); err == nil {
			n.change.From = p
		}
		if p, err := n.change.To.WithGate(name, on); err == nil {
			n.change.To = p
		}
	}
	if n.to.Minor != n.from.Minor {
		n.static = staticpod.Between(min(n.from.Minor, kubelet.NewestMinor), min(n.to.Minor, kubelet.NewestMinor))
		n.staticUnknown = len(n.static) == 0 && n.report.Extrapolated
	}
	n.unrecorded = !n.windows() && n.to.Minor >= actuatedSince && (n.from.Minor < actuatedSince || n.facts.noActuated)
	return n
}

func (n *node) add(p *evidence.Pod) {
	n.pods++
	first := len(n.items)
	var o *corev1.Pod
	if p.Object != nil {
		o = p.Object.Whole()
	}
	n.items = n.pod(n.items, p, o)
	if o == nil {
		return
	}
	n.claims(p, o, first, len(n.items))
	if p.Readmission == nil {
		n.of.uncompared++
	}
	if p.Mirror && o.Spec.Resources != nil {
		n.podLevel++
	}
	for i := range o.Spec.InitContainers {
		c := &o.Spec.InitContainers[i]
		if c.RestartPolicy != nil && !c.Resources.Limits.StorageEphemeral().IsZero() {
			n.limitedSidecars++
		}
	}
	switch o.Status.Phase {
	case corev1.PodSucceeded:
		if !p.Mirror {
			n.ended++
		}
	case corev1.PodRunning:
		for i := range p.Containers {
			if p.Containers[i].Readiness != nil {
				n.probed++
			}
		}
		for _, name := range devicesOf(&o.Spec) {
			n.devices[name] = true
		}
	}
}

// actuatedSince is the first minor with a record of actuated resources (allocation/allocation_manager.go; #130599).
const actuatedSince = 33

func osOf(e *evidence.Node) string {
	if e.OS == "" && strings.HasPrefix(e.OSImage, "Windows") {
		return "windows"
	}
	return e.OS
}

func (n *node) windows() bool { return n.report.OS == "windows" }

// crosses reports whether the change goes upwards past the beginning of a minor.
func (n *node) crosses(minor int) bool { return n.from.Minor < minor && minor <= n.to.Minor }

// runtime splits "containerd://1.6.20~ds1" into name and version.
func (n *node) runtime() (name string, version kubelet.Version, known bool) {
	name, text, _ := strings.Cut(n.report.Runtime, "://")
	text, _, _ = strings.Cut(text, "~")
	v, err := kubelet.ParseVersion(text)
	return name, v, err == nil
}

// dockershim reports whether the containers were created by the part of the kubelet that 1.24 no longer has. From 1.24
// on, docker is cri-dockerd, which stays.
func (n *node) dockershim() bool {
	name, _, _ := n.runtime()
	return name == "docker" && n.crosses(24)
}

// driverDiffers reports whether the kubelet begins to take the cgroup driver from the runtime (on since 1.31, gate
// KubeletCgroupDriverFromCRI), the runtime may report it (CRI's RuntimeConfig: containerd 2.0, CRI-O 1.28), and it is
// not the one that the kubelet has used.
func (n *node) driverDiffers() bool {
	f := n.facts
	if !n.crosses(31) || f.kubeletDriver == "" || f.pathDriver == "" || f.kubeletDriver == f.pathDriver {
		return false
	}
	switch name, v, known := n.runtime(); {
	case !known:
		return true
	case name == "containerd":
		return v.Major >= 2
	case name == "cri-o":
		return v.Major > 1 || v.Minor >= 28
	}
	return false
}

// losesDevices reports whether the new kubelet's patch refuses pods whose devices are not healthy yet at its start
// (1.25.10–13, 1.26.5–8, 1.27.2–5; devicemanager/manager.go devicesToAllocate).
func (n *node) losesDevices() bool {
	between := func(minor, first, last int) bool {
		return n.to.Minor == minor && first <= n.to.Patch && n.to.Patch <= last
	}
	return between(25, 10, 13) || between(26, 5, 8) || between(27, 2, 5)
}

// text caches a reason that is the same for all containers of the node.
func (n *node) text(key string, make func() string) string {
	s, ok := n.texts[key]
	if !ok {
		s = make()
		n.texts[key] = s
	}
	return s
}

// hashWords describe what an algorithm hashes.
var hashWords = map[string]string{
	hash.Adler32Struct:   "the internal container struct (adler32)",
	hash.FNV32aStruct:    "the printed container struct",
	hash.FNV32aJSON:      "the container as JSON",
	hash.FNV32aNameImage: "name and image only",
}

func (n *node) whyHash() string {
	from, to := &n.change.From, &n.change.To
	if from.HashEra.Algorithm != to.HashEra.Algorithm {
		return fmt.Sprintf("kubelet %s hashes %s, %s %s: no stored hash matches",
			n.minor(to), hashWords[to.HashEra.Algorithm], n.minor(from), hashWords[from.HashEra.Algorithm])
	}
	return fmt.Sprintf("kubelet %s hashes the container with a field that %s does not know, or the other way round",
		n.minor(to), n.minor(from))
}

// whyStatic says which minors between the versions give static pods another UID.
func (n *node) whyStatic() string {
	c := n.static[0]
	first := ""
	if n := len(n.static); n > 1 {
		first = fmt.Sprintf("%d times, first in ", n)
	}
	return fmt.Sprintf("between %s and %s, the UID that the kubelet computes for a static pod changes (%sv1.%d: %s)",
		n.from.MinorString(), n.to.MinorString(), first, c.Minor, c.Why())
}

// whyStaticUnknown says why static pods may be recreated.
func (n *node) whyStaticUnknown() string {
	return fmt.Sprintf("it is not known whether the UID that the kubelet computes for a static pod changes between %s "+
		"and %s; it does with nearly every minor version", n.from.MinorString(), n.to.MinorString())
}
