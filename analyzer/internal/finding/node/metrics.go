package node

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Metrics is what a monitoring system counted around the end of the old instance. Its times are only as precise as the
// scrape interval, and it never shows which process: what only metrics show is likely at most (package verdict).
type Metrics struct {
	// Only: the end is known only from metrics.
	Only bool
	// Liveness and Startup count the failures of these probes right before the end.
	Liveness, Startup ProbesCounted
	// OOM is an out-of-memory kill in the container's cgroup, perhaps of a child; Near: its memory was near its limit.
	OOM, Near basis.Point
	// Host is the kernel's own counter of out-of-memory kills, of a cgroup or the whole node: Yes where it increased
	// around the end, No where it was read before and after and did not.
	Host basis.Point
	// NoProbe: the kubelet's counters of failed probes are available, and none increased right before the end.
	NoProbe bool
	// Totals are the kubelet's own counters, if they start before the old instance did; else nil.
	Totals *evidence.ProbeTotals
}

// ProbesCounted counts a probe's failures without a pause, as far as scrapes show it.
type ProbesCounted struct {
	basis.Point
	Failed int
}

// metrics collects what was counted of the container around the end.
func (f *finder) metrics() {
	f.Metrics.Only = f.R.From.OnlyCounted()
	earliest, latest := f.endCounted()
	if latest.IsZero() {
		return
	}
	f.hostCounted(earliest, latest)
	began := f.R.From.Started
	for _, m := range timeline.Since(f.R.Measured, earliest.Add(-tolerance.MeteredStart)) {
		since, at := measured(m)
		if since.After(latest.Add(tolerance.Slack)) {
			break
		}
		if !began.IsZero() && at.Before(began) {
			continue // of the previous instance
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.ProbeTotals:
			if fact.Since.Before(began) || began.IsZero() && fact.Since.Before(earliest.Add(-f.Longest())) {
				f.Metrics.Totals = &fact
			}
		case evidence.MemoryNear:
			if at.After(earliest.Add(-tolerance.Scrapes)) {
				f.Metrics.Near = basis.Found(m.At, m.Obs.ID)
			}
		case evidence.Counted:
			switch fact.Counter {
			case evidence.CountedOOM:
				if !at.Before(earliest.Add(-tolerance.Slack)) {
					f.Metrics.OOM = basis.Found(m.At, append(f.Metrics.OOM.Evidence, m.Obs.ID)...)
				}
			case evidence.CountedLiveness:
				f.probeCounted(&f.Metrics.Liveness, m, fact, basis.Liveness, earliest)
			case evidence.CountedStartup:
				f.probeCounted(&f.Metrics.Startup, m, fact, basis.Startup, earliest)
			}
		}
	}
	covered, tells := f.Node.Covered(evidence.SourceMetrics, earliest, latest, func(*evidence.Origin) bool { return true })
	f.Metrics.NoProbe = covered && tells == evidence.MetricsTellProbes &&
		f.Metrics.Liveness.Failed+f.Metrics.Startup.Failed == 0
	if t := f.Metrics.Totals; t != nil && t.Liveness+t.Startup == 0 {
		f.Metrics.NoProbe = true
	}
}

// hostCounted checks whether the node's kernel killed for memory at the end.
func (f *finder) hostCounted(earliest, latest time.Time) {
	if f.Node == nil {
		return
	}
	for _, m := range f.Node.OOMCounts {
		since := m.Obs.Fact.(evidence.HostOOMKills).Since
		if !since.After(latest.Add(tolerance.Slack)) && !m.At.Before(earliest.Add(-tolerance.Slack)) {
			f.Metrics.Host = basis.Found(m.At, append(f.Metrics.Host.Evidence, m.Obs.ID)...)
		}
	}
	from, until := earliest.Add(-tolerance.Scrapes), latest.Add(tolerance.Scrapes)
	covered, _ := f.Node.Covered(evidence.SourceHostMetrics, from, until,
		func(*evidence.Origin) bool { return true })
	if covered && f.Metrics.Host.Answer != basis.Yes {
		f.Metrics.Host.Answer = basis.No
	}
}

// endCounted returns the bounds of the end; both zero where unknown.
func (f *finder) endCounted() (earliest, latest time.Time) {
	if earliest, latest = f.R.From.EndWithin(); !earliest.IsZero() || f.R.To == nil {
		return earliest, latest
	}
	latest = f.R.To.Started
	if latest.IsZero() {
		return latest, latest
	}
	earliest = latest.Add(-tolerance.MeteredStart)
	if began := f.R.From.Started; began.After(earliest) {
		earliest = began
	}
	return earliest, latest
}

// measured returns the period that a reading covers.
func measured(m timeline.Occurrence) (since, at time.Time) {
	switch fact := m.Obs.Fact.(type) {
	case evidence.Counted:
		return fact.Since, m.At
	case evidence.MemoryNear:
		return fact.Since, m.At
	case evidence.ProbeTotals:
		return fact.Since, m.At
	}
	return m.At, m.At
}

// probeCounted adds an increase to the probe's failures. A pause longer than the probe's period makes the earlier ones
// irrelevant: after a success the probe counts from zero again. Failures that stopped long before the end did not cause
// it.
func (f *finder) probeCounted(
	p *ProbesCounted,
	m timeline.Occurrence,
	fact evidence.Counted,
	kind basis.ProbeKind,
	earliest time.Time,
) {
	if earliest.Sub(m.At) > f.Longest()+tolerance.Scrapes {
		return
	}
	pause := m.At.Sub(fact.Since) + tolerance.ProbePeriod
	if spec := f.ProbeOf(kind); spec != nil {
		pause = m.At.Sub(fact.Since) + evidence.Seconds(spec.Period)
	}
	if p.Answer == basis.Yes && fact.Since.Sub(p.At) > pause {
		*p = ProbesCounted{}
	}
	p.Point, p.Failed = basis.Found(m.At, append(p.Evidence, m.Obs.ID)...), p.Failed+fact.By
}
