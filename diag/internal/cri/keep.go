package cri

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

const (
	maxMounts = 32
	// maxMessage limits how much of a container's message is kept: the runtime puts an error here, and an error can
	// quote a long command line.
	maxMessage = 1 << 10
)

// keep copies the wanted annotations.
func keep(into *map[string]string, from map[string]string, wanted []string) {
	for _, key := range wanted {
		if v, ok := from[key]; ok {
			if *into == nil {
				*into = map[string]string{}
			}
			(*into)[key] = v
		}
	}
}

// keepMount keeps a mount of the node's own files: a container with the runtime's socket or the cgroup tree can stop
// other containers. The kubelet's own mounts (volumes, /etc/hosts, the termination log) say nothing, and their paths
// name secrets.
func (c *container) keepMount(host, path string, readOnly bool) {
	if len(c.HostPaths) >= maxMounts || host == "" || strings.Contains(host, "/pods/") &&
		strings.Contains(host, "kubelet") {
		return
	}
	c.HostPaths = append(c.HostPaths, hostMount{host, path, readOnly})
}

func capped(s string) string { return safetext.Shorten(s, maxMessage) }
