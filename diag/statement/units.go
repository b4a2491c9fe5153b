package statement

import (
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Writer is who wrote a line, as far as its parser goes.
type Writer int

const (
	writerUnknown Writer = iota
	writerKubelet
	writerRuntime
	writerKernel
	writerSystemd
	writerOther // known, and none of ours
	writerMaybe // of a name that nobody knows, and its lines may be a kubelet's
)

// Kernel is the writer of the kernel's messages.
const Kernel = writerKernel

// docker is what dockerd up to 1.11 (docker daemon) and a kubelet that docker run started call themselves.
const docker = "docker"

// identifiers are what the same programs call themselves in syslog.
var identifiers = map[string]Writer{
	// OpenShift starts the kubelet through the latter two
	"kubelet": writerKubelet, "hyperkube": writerKubelet, "kubenswrapper": writerKubelet,
	"k3s": writerKubelet, "k3s-server": writerKubelet, "k3s-agent": writerKubelet,
	"rke2": writerKubelet, "rke2-server": writerKubelet, "rke2-agent": writerKubelet,
	"kubelite": writerKubelet, "microk8s.daemon-kubelite": writerKubelet,
	"microk8s.daemon-kubelet": writerKubelet, "kubelet.daemon": writerKubelet,
	"containerd": writerRuntime, "crio": writerRuntime, "dockerd": writerRuntime,
	"cri-dockerd": writerRuntime, "microk8s.daemon-containerd": writerRuntime,
	"kernel": writerKernel, "systemd": writerSystemd, "init.scope": writerSystemd,
	"cri-o": writerRuntime,
	// Docker as distributions of Red Hat had it, and before 17.12
	"dockerd-current": writerRuntime, "docker-containerd-current": writerRuntime, "docker-containerd": writerRuntime,
}

// Identifiers are the syslog identifiers of kubelets, runtimes, the kernel and
// systemd: they tell who wrote an entry that names no unit.
func Identifiers() []string { return slices.Sorted(maps.Keys(identifiers)) }

// writerOf tells who wrote a line by its unit or syslog identifier.
func writerOf(unit string) Writer {
	if unit == "" {
		return writerUnknown
	}
	if w, ok := writers[unit]; ok {
		return w
	}
	return writerOther
}

// writers are units and identifiers in one.
var writers = func() map[string]Writer {
	out := maps.Clone(identifiers)
	for _, u := range evidence.KubeletUnits() {
		out[u] = writerKubelet
	}
	for _, u := range evidence.RuntimeUnits() {
		out[u] = writerRuntime
	}
	return out
}()

// ours reports whether a unit is a kubelet's or a runtime's.
func ours(unit string) bool {
	w := writerOf(unit)
	return strings.HasSuffix(unit, ".service") && (w == writerKubelet || w == writerRuntime)
}
