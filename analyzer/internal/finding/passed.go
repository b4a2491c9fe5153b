package finding

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// StartupPassed returns the kubelet's line that a startup probe passed in the life of the old instance, before a time.
// It names the pod alone (kubelet v1.21 kubelet.go handleProbeSync), so no other container may have such a probe.
func (f *Findings) StartupPassed(before time.Time) (timeline.Occurrence, bool) {
	if p := f.R.Pod; p == nil || slices.ContainsFunc(p.Containers, func(c evidence.Container) bool {
		return c.Startup != nil && c.Name != f.R.Container
	}) {
		return timeline.Occurrence{}, false
	}
	for _, m := range f.R.PodBetween(f.R.From.Started, before) {
		r, ok := m.Obs.Fact.(evidence.ProbeResultChanged)
		if ok && r.Probe == evidence.ProbeStartup && r.Status == "started" && f.inLife(f.R.From, m.At) {
			return m, true
		}
	}
	return timeline.Occurrence{}, false
}
