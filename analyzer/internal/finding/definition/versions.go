package definition

import (
	"cmp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/basis"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// versions finds which kubelet decided and which one ran before.
func (f *finder) versions() {
	if f.Node == nil {
		return
	}
	at := cmp.Or(f.Kill.DecidedAt, f.Kill.At, f.R.End())
	v := &f.Versions
	v.At, v.Certain = f.Node.VersionAt(at)
	started := f.R.From.Made() // a kubelet logs the start of whatever it finds running
	run, before := f.Node.KubeletAt(at)
	// A change of version before the old instance's creation is irrelevant to it.
	if first := f.Node.Upgraded(at); first != nil && (started.IsZero() || first.Start.After(started)) {
		v.Before, v.UpgradedAt, v.Evidence = before.Version, first.Start, basis.IDs(first.Obs, before.Obs)
		last, _ := f.Node.KubeletAt(first.Start.Add(-1)) // one of unknown version may lie between
		v.Seen = last == before && f.startsSeen(before.Start, at)
	} else if run != nil {
		v.Evidence = basis.IDs(run.Obs)
	}
	made, started := f.Node.MakerOf(f.R.From)
	counted := made != nil && made.Obs != nil && f.T.Counted(made.Obs.ID)
	// What only a monitoring system knows proves nothing; its readings may still rule things out.
	seen := f.seen(at)
	if logged := f.logged(started, seen); logged || f.T.EventsCovered(started) && !counted ||
		counted && f.R.From.OnlyCounted() && f.metered(started, seen) {
		saw, _ := f.Node.KubeletAt(seen)
		v.SameProcess = made == saw && (made != nil || logged) // and no start between both moments
	}
	v.SameVersion = v.SameProcess ||
		made != nil && !counted && f.startsSeen(made.Start, at) && f.Node.OneVersion(started, at)
	v.Compared = !v.SameVersion && f.comparedBefore(run, at)
	v.Extrapolated = release.Unmodelled(v.At, v.Before)
	if v.Before == "" && run != nil && !v.SameVersion && at.Sub(run.Start) < tolerance.Settle {
		v.UpgradedAt = run.Start // it was restarted; whether with another version is unknown
	}
}

// comparedBefore reports whether the process before this one had the same version and ran long enough to compare the
// hashes of all containers: whatever made this one, that process found it unchanged, or made it, unless it was stuck.
func (f *finder) comparedBefore(run *timeline.KubeletRun, at time.Time) bool {
	if run == nil || run.Version == "" {
		return false
	}
	last, _ := f.Node.KubeletAt(run.Start.Add(-1))
	return last != nil && last.Obs != nil && !f.T.Counted(last.Obs.ID) && last.Version == run.Version &&
		run.Start.Sub(last.Start) > tolerance.FirstSync && f.startsSeen(last.Start, at)
}

// seen returns when the kubelet noticed the end. A runtime dates the end of what it lost by its own start, which may be
// before the kubelet's: so the time of the decision comes first, then that of the kubelet's line, then that of the next
// container.
func (f *finder) seen(end time.Time) time.Time {
	if f.Kill.Answer == basis.Yes {
		return end
	}
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished:
			return evidence.Later(m.At, end)
		}
	}
	if f.R.To != nil {
		return evidence.Later(f.R.To.Started, end)
	}
	return end
}

// metered reports whether a monitoring system scraped its series during the whole time: after a kubelet restart, the
// next scrape shows another start time.
func (f *finder) metered(from, until time.Time) bool {
	ok, _ := f.Node.Covered(evidence.SourceMetrics, from, until, func(*evidence.Origin) bool { return true })
	return ok
}

// logged reports whether the kubelet's log covers the time.
func (f *finder) logged(from, until time.Time) bool {
	if f.Node == nil || from.IsZero() {
		return false
	}
	ok, _ := f.Node.Covered(evidence.SourceKubeletLog, from, until, f.Node.Binds)
	return ok
}

// startsSeen reports whether no kubelet start in that time can be missing.
func (f *finder) startsSeen(from, until time.Time) bool {
	return f.logged(from, until) || f.T.EventsCovered(from)
}
