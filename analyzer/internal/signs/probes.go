package signs

import (
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Quickest returns the shortest life of a container that a probe ends: its first run comes after the delay, and
// failures of the previous container may count (see probe-failures-carried-over); fresh is the shortest one where they
// do not.
func Quickest(p *evidence.Probe) (carried, fresh time.Duration) {
	delay := evidence.Seconds(int64(p.InitialDelay))
	return delay, delay + evidence.Seconds(int64(max(1, p.FailureThreshold)-1)*int64(max(1, p.Period)))
}

// TooYoung reports whether a container ended before the probe can have run.
func TooYoung(f *finding.Findings, k finding.ProbeKind) bool {
	return endedBefore(f, k, func(p *evidence.Probe) time.Duration { carried, _ := Quickest(p); return carried })
}

// Young reports whether a container ended before the probe can have failed often enough, without failures of the
// previous one.
func Young(f *finding.Findings, k finding.ProbeKind) bool {
	return endedBefore(f, k, func(p *evidence.Probe) time.Duration { _, fresh := Quickest(p); return fresh })
}

// endedBefore reports whether a container is known to have such a probe, and lived for less than an age.
func endedBefore(f *finding.Findings, k finding.ProbeKind, age func(*evidence.Probe) time.Duration) bool {
	p, lived := f.ProbeOf(k), f.Lived()
	return p != nil && lived >= 0 && lived+tolerance.Slack < age(p)
}

// OnSchedule reports whether a life is as long as the probe takes to kill a container that never passes it.
func OnSchedule(f *finding.Findings, k finding.ProbeKind) bool {
	p, lived := f.ProbeOf(k), f.Lived()
	if p == nil || lived < 0 {
		return false
	}
	_, fresh := Quickest(p)
	if s := f.R.Spec.Startup; k == finding.Liveness && s != nil {
		// held off until the startup probe passed, immediately at the earliest
		fresh += max(0, evidence.Seconds(int64(s.InitialDelay)-int64(p.InitialDelay)))
	}
	grace := evidence.Seconds(30)
	if pod := f.R.Pod; pod != nil && pod.GraceSeconds >= 0 {
		grace = evidence.Seconds(pod.GraceSeconds)
	}
	if f.Exit.Known && f.Exit.Code == 137 {
		fresh += grace - tolerance.Slack // it was killed after its grace period
		grace = tolerance.Slack
	}
	latest := fresh + evidence.Seconds(int64(max(1, p.Period))+int64(max(1, p.Timeout))) + grace + tolerance.Slack
	return lived >= fresh-tolerance.Slack && lived <= latest
}

// Failed returns how many failures of a container's probe were reported, the first one's time, and the evidence: of the
// old instance and of the new one, because a kubelet aggregates them in one event.
func Failed(f *finding.Findings, k finding.ProbeKind) (count int, first time.Time, seen []string) {
	for _, in := range [...]*timeline.Instance{f.R.From, f.R.To} {
		if in == nil {
			continue
		}
		for _, m := range in.MarksWith(timeline.HasProbe) {
			p, ok := m.Obs.Fact.(evidence.ProbeFailed)
			if !ok || !isProbe(p, k) {
				continue
			}
			count = max(count, p.Count, 1)
			if !slices.Contains(seen, m.Obs.ID) {
				seen = append(seen, m.Obs.ID)
			}
			if at := p.First; first.IsZero() || !at.IsZero() && at.Before(first) {
				first = at
			}
			if first.IsZero() || m.At.Before(first) {
				first = m.At
			}
		}
	}
	if t := f.Metrics.Totals; t != nil && k == finding.Liveness {
		count = max(count, t.Liveness)
	} else if t != nil {
		count = max(count, t.Startup)
	}
	return count, first, seen
}

func isProbe(p evidence.ProbeFailed, k finding.ProbeKind) bool {
	return k == finding.Liveness && p.Probe == evidence.ProbeLiveness || k == finding.Startup &&
		p.Probe == evidence.ProbeStartup
}

// SeenFailing reports whether a failure of the probe before the end is known.
func SeenFailing(f *finding.Findings, k finding.ProbeKind) bool {
	count, first, _ := Failed(f, k)
	end := f.R.End()
	return count > 0 && (end.IsZero() || first.IsZero() || !first.After(end.Add(tolerance.Slack)))
}

// PerRestart reports whether the probe failed about as often for each restart as its threshold.
func PerRestart(f *finding.Findings, k finding.ProbeKind) bool {
	p := f.ProbeOf(k)
	if p == nil {
		return false
	}
	restarts := f.R.From.Attempt + 1
	if to := f.R.To; to != nil {
		restarts = max(restarts, to.Attempt)
	}
	count, _, _ := Failed(f, k)
	wanted := float64(max(1, p.FailureThreshold))
	each := float64(count) / float64(max(1, restarts))
	return restarts >= 3 && each > .75*wanted && each < 1.25*wanted
}

// Wordless reports whether every failed run of the probe that the kubelet killed for had no output.
func Wordless(f *finding.Findings) bool {
	kind := finding.Liveness
	if f.Kill.Reason == evidence.KillStartup {
		kind = finding.Startup
	}
	marks := f.FailedRuns(kind)
	return len(marks) > 0 && !slices.ContainsFunc(marks, func(m timeline.Occurrence) bool {
		p, ok := m.Obs.Fact.(evidence.ProbeFailed)
		return !ok || !p.Output.Empty()
	})
}

// Unhealthy reports whether the kubelet considered a probe's result as failed when the container ended. For a container
// that ended by itself no other result may exist.
func Unhealthy(f *finding.Findings, k finding.ProbeKind) bool {
	end := f.R.End()
	for _, marks := range [][]timeline.Occurrence{f.R.From.Marks, f.R.PodMarks} {
		for _, m := range marks {
			r, ok := m.Obs.Fact.(evidence.ProbeResultChanged)
			if !ok || r.Status != "unhealthy" || m.At.Sub(end) > tolerance.Slack {
				continue
			}
			if r.Probe == "" || k == finding.Liveness && r.Probe == evidence.ProbeLiveness ||
				k == finding.Startup && r.Probe == evidence.ProbeStartup {
				return true
			}
		}
	}
	return false
}
