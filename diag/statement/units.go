package statement

import (
	"maps"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Writer is the writer of a line, as far as it determines the parser.
type Writer int

const (
	writerUnknown Writer = iota
	writerKubelet
	writerRuntime
	writerKernel
	writerSystemd
	writerOther // known, and irrelevant
	writerMaybe // an unknown name, and its lines may be a kubelet's
)

// Kernel is the writer of the kernel's messages.
const Kernel = writerKernel

// docker is the identifier of dockerd up to 1.11 (docker daemon) and of a kubelet started by docker run.
const docker = "docker"

// identifiers are the syslog identifiers of the same programs.
var identifiers = map[string]Writer{
	// OpenShift starts the kubelet through the latter two
	"kubelet": writerKubelet, "hyperkube": writerKubelet, "kubenswrapper": writerKubelet,
	"k3s": writerKubelet, "k3s-server": writerKubelet, "k3s-agent": writerKubelet,
	"rke2": writerKubelet, "rke2-server": writerKubelet, "rke2-agent": writerKubelet,
	"kubelite": writerKubelet, "microk8s.daemon-kubelite": writerKubelet,
	"microk8s.daemon-kubelet": writerKubelet, "kubelet.daemon": writerKubelet, "k8s.kubelet": writerKubelet,
	"containerd": writerRuntime, "crio": writerRuntime, "dockerd": writerRuntime,
	"cri-dockerd": writerRuntime, "microk8s.daemon-containerd": writerRuntime, "k8s.containerd": writerRuntime,
	"kernel": writerKernel, "systemd": writerSystemd, "init.scope": writerSystemd,
	"cri-o": writerRuntime,
	// Docker in Red Hat's distributions, and before 17.12
	"dockerd-current": writerRuntime, "docker-containerd-current": writerRuntime, "docker-containerd": writerRuntime,
}

// Identifiers returns the syslog identifiers of kubelets, runtimes, the kernel and systemd: they identify the writer of
// an entry without a unit.
func Identifiers() []string { return slices.Sorted(maps.Keys(identifiers)) }

// writerOf returns the writer for a unit or syslog identifier.
func writerOf(unit string) Writer {
	if unit == "" {
		return writerUnknown
	}
	if w, ok := writers[unit]; ok {
		return w
	}
	return writerOther
}

// writers combines units and identifiers.
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
