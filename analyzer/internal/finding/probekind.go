package finding

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// ProbeKind is a probe that kills.
type ProbeKind string

// The probes that kill.
const (
	Liveness ProbeKind = "liveness"
	Startup  ProbeKind = "startup"
)

// ProbeOf is the probe in the spec, nil where there is none or it is not known.
func (f *Findings) ProbeOf(k ProbeKind) *evidence.Probe {
	switch s := f.R.Spec; {
	case s == nil:
		return nil
	case k == Startup:
		return s.Startup
	default:
		return s.Liveness
	}
}

// FailedRuns are the failed runs of a probe that were seen.
func (f *Findings) FailedRuns(k ProbeKind) []timeline.Occurrence {
	if k == Startup {
		return f.Probes.Startup
	}
	return f.Probes.Liveness
}
