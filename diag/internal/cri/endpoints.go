package cri

import (
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
)

// usual are the usual sockets below the root directory: those that crictl tries, and those of distributions that ship
// their own containerd.
var usual = []string{
	"/run/containerd/containerd.sock",
	"/run/crio/crio.sock",
	"/run/cri-dockerd.sock",
	"/run/k3s/containerd/containerd.sock",
	"/run/k0s/containerd.sock",
	"/var/snap/microk8s/common/run/containerd.sock",
}

// candidate is a socket that may belong to a runtime.
type candidate struct {
	socket string // its path on this machine
	named  string // how the node spells it: unix:///run/…
	// configured: the kubelet is configured to use it. A failure there is reported.
	configured bool
}

// candidates lists the sockets in order of preference: the kubelet's, crictl's, and the usual ones.
func (s *Source) candidates() []candidate {
	var list []candidate
	add := func(endpoint string, configured bool) {
		p, ok := socketOf(endpoint)
		if !ok || slices.ContainsFunc(list, func(c candidate) bool { return c.named == "unix://"+p }) {
			return
		}
		list = append(list, candidate{socket: hostfiles.Below(s.o.Root, p), named: "unix://" + p, configured: configured})
	}
	add(s.o.Configured, true)
	if text, err := os.ReadFile(hostfiles.Below(s.o.Root, "/etc/crictl.yaml")); err == nil {
		add(crictlEndpoint(text), false)
	}
	for _, e := range usual {
		add(e, false)
	}
	return list
}

// socketOf returns the path of a unix:// endpoint. With systemd, /var/run is always /run.
func socketOf(endpoint string) (string, bool) {
	p := strings.TrimPrefix(endpoint, "unix://")
	if rest, old := strings.CutPrefix(p, "/var/run/"); old {
		p = "/run/" + rest
	}
	return p, strings.HasPrefix(p, "/")
}

// crictlEndpoint returns runtime-endpoint of a crictl.yaml.
func crictlEndpoint(text []byte) string {
	var c struct {
		RuntimeEndpoint string `json:"runtime-endpoint"`
	}
	if yaml.Unmarshal(text, &c) != nil {
		return ""
	}
	return c.RuntimeEndpoint
}
