package statement

import (
	"slices"
	"strings"
)

// writer is who wrote a line.
type writer int

const (
	writerUnknown writer = iota
	writerKubelet
	writerRuntime
	writerKernel
	writerSystemd
	writerOther // known, and none of ours
)

// KubeletUnits are the systemd units that kubelets run in, by distribution.
// k3s, RKE2 and MicroK8s run the kubelet inside a process of their own.
func KubeletUnits() []string {
	return []string{"kubelet.service", "k3s.service", "k3s-agent.service", "rke2-server.service", "rke2-agent.service",
		"snap.microk8s.daemon-kubelite.service", "snap.microk8s.daemon-kubelet.service", "snap.kubelet.daemon.service"}
}

// RuntimeUnits are the systemd units of container runtimes.
func RuntimeUnits() []string {
	return []string{"containerd.service", "crio.service", "docker.service", "cri-docker.service", "snap.microk8s.daemon-containerd.service"}
}

// identifiers are what the same programs call themselves in syslog.
var identifiers = map[string]writer{
	"kubelet": writerKubelet, "hyperkube": writerKubelet, "kubenswrapper": writerKubelet, // OpenShift starts the kubelet through the latter two
	"k3s": writerKubelet, "k3s-agent": writerKubelet, "rke2": writerKubelet, "microk8s.daemon-kubelite": writerKubelet,
	"containerd": writerRuntime, "crio": writerRuntime, "dockerd": writerRuntime, "cri-dockerd": writerRuntime, "microk8s.daemon-containerd": writerRuntime,
	"kernel": writerKernel, "systemd": writerSystemd, "init.scope": writerSystemd,
}

// writerOf tells who wrote a line by its unit or syslog identifier.
func writerOf(unit string) writer {
	switch {
	case unit == "":
		return writerUnknown
	case slices.Contains(kubeletUnits, unit):
		return writerKubelet
	case slices.Contains(runtimeUnits, unit):
		return writerRuntime
	}
	if w, ok := identifiers[unit]; ok {
		return w
	}
	return writerOther
}

var kubeletUnits, runtimeUnits = KubeletUnits(), RuntimeUnits()

// ours tells whether a unit is a kubelet's or a runtime's.
func ours(unit string) bool {
	w := writerOf(unit)
	return strings.HasSuffix(unit, ".service") && (w == writerKubelet || w == writerRuntime)
}
