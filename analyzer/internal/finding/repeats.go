package finding

import (
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/stop"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file compares an end with those before and after it.

// repeats counts the neighbouring ends that are alike. If a container ends again and again at the same age with the
// same code, the reason is inside it.
func (f *Findings) repeats() {
	f.repeated(func(r *timeline.Restart) *timeline.Restart { return r.Prev })
	f.repeated(func(r *timeline.Restart) *timeline.Restart { return r.Next })
}

// repeated counts those in one direction, at most five.
func (f *Findings) repeated(next func(*timeline.Restart) *timeline.Restart) {
	strict := true
	for o, n := next(f.R), 0; o != nil && n < 5 && f.sameEnd(o); o, n = next(o), n+1 {
		f.Alike++
		f.Clockwork = onTheClock(f.R.From, o.From) && (f.Alike == 1 || f.Clockwork)
		if strict = strict && o.From.ExitCode != nil; strict {
			f.Repeats++
			if (basis.Lifetime(f.R.From) - basis.Lifetime(o.From)).Abs() <= tolerance.SameAge {
				f.SameAge++
			}
		}
	}
}

// onTheClock reports whether two ends are whole minutes apart, after lives of minutes: a process that ends at a fixed
// age drifts, because each start takes time.
func onTheClock(a, b *timeline.Instance) bool {
	const period, jitter = tolerance.CronPeriod, time.Second
	apart := a.Finished.Sub(b.Finished).Abs() % period
	return basis.Lifetime(a) >= period && basis.Lifetime(b) >= period && (apart <= jitter || apart >= period-jitter)
}

// sameEnd reports whether another restart of the container ended in the same way, as
// far as that is known.
func (f *Findings) sameEnd(o *timeline.Restart) bool {
	if f.R.From.ExitCode == nil || o.From.ExitCode != nil && *o.From.ExitCode != *f.R.From.ExitCode {
		return false
	}
	for _, m := range o.From.MarksWith(timeline.HasKill | timeline.HasStop | timeline.HasMemory) {
		switch m.Obs.Fact.(type) {
		case evidence.KillStarted, evidence.StopRequested, evidence.OOMKill, evidence.TaskOOM:
			return false
		}
	}
	if stop.OfSandbox(&f.Basis, o.From) != nil || stop.OfUnit(&f.Basis, o.From) != nil {
		return false
	}
	mine, other := basis.Lifetime(f.R.From), basis.Lifetime(o.From)
	return mine >= 0 && other >= 0 && (mine-other).Abs() <= max(tolerance.Slack, max(mine, other)/5)
}
