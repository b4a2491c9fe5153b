package worker

import (
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe"
)

// Key identifies one worker: a container's probe of one kind.
type Key struct {
	Container string
	Kind      probe.Kind
}

// Probed is one container with its kinds of probes.
type Probed struct {
	Name  string
	Kinds []probe.Kind
}

// Added returns the workers that registering a pod adds to its existing ones (prober_manager.go AddPod). The kubelet
// registers a pod at every sync; a worker that has ended no longer exists. The containers are the regular ones and
// after them, if Rules.Sidecars is set, the sidecars.
func Added(r Rules, pod []Probed, have []Key) []Key {
	var added []Key
	for _, c := range pod {
		for _, kind := range []probe.Kind{probe.Startup, probe.Readiness, probe.Liveness} {
			key := Key{c.Name, kind}
			if !slices.Contains(c.Kinds, kind) || kind == probe.Startup && !r.StartupProbes {
				continue
			}
			if slices.Contains(have, key) || slices.Contains(added, key) {
				if r.AddEnds {
					return added
				}
				break
			}
			added = append(added, key)
		}
	}
	return added
}
