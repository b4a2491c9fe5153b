package cri

import (
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
)

// usual are the sockets of runtimes below the root directory: those of crictl,
// and of distributions that bring a containerd of their own.
var usual = []string{
	"/run/containerd/containerd.sock",
	"/run/crio/crio.sock",
	"/run/cri-dockerd.sock",
	"/run/k3s/containerd/containerd.sock",
	"/run/k0s/containerd.sock",
	"/var/snap/microk8s/common/run/containerd.sock",
}

// candidate is a socket that a runtime may serve.
type candidate struct {
	socket string // where it is for us
	named  string // how the node calls it: unix:///run/…
	// configured: the kubelet is told to use it, or crictl is. A failure of it is
	// worth telling, and so is one that the caller asked for.
	configured, asked bool
}

// candidates lists the sockets in the order of preference: the one asked for
// alone, else the kubelet's, crictl's, and the usual ones.
func (s *Source) candidates() []candidate {
	if s.o.Endpoint != "" {
		return []candidate{{socket: strings.TrimPrefix(s.o.Endpoint, "unix://"),
			named: "unix://" + strings.TrimPrefix(s.o.Endpoint, "unix://"), asked: true}}
	}
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

// socketOf is the path of a unix:// endpoint. /var/run is /run wherever there is
// systemd.
func socketOf(endpoint string) (string, bool) {
	p := strings.TrimPrefix(endpoint, "unix://")
	if rest, old := strings.CutPrefix(p, "/var/run/"); old {
		p = "/run/" + rest
	}
	return p, strings.HasPrefix(p, "/")
}

// crictlEndpoint reads runtime-endpoint of a crictl.yaml.
func crictlEndpoint(text []byte) string {
	var c struct {
		RuntimeEndpoint string `json:"runtime-endpoint"`
	}
	if yaml.Unmarshal(text, &c) != nil {
		return ""
	}
	return c.RuntimeEndpoint
}
