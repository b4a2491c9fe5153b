package probe

import "slices"

// Key names one worker: the probe of a kind of one container.
type Key struct {
	Container string
	Kind      Kind
}

// Probed is one container with the kinds of probes that it has.
type Probed struct {
	Name  string
	Kinds []Kind
}

// Added returns the workers that registering a pod adds to those that it has (prober_manager.go AddPod). The kubelet
// registers a pod at every sync; a worker that has ended is no longer among those that the pod has. The containers are
// the regular ones and behind them, where Rules.Sidecars says so, the sidecars.
func Added(r Rules, pod []Probed, have []Key) []Key {
	var added []Key
	for _, c := range pod {
		for _, kind := range []Kind{Startup, Readiness, Liveness} {
			key := Key{c.Name, kind}
			if !slices.Contains(c.Kinds, kind) || kind == Startup && !r.StartupProbes {
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
