package basis

import (
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file answers which boots and starts of daemons there were, and whether a container had begun, or its pod.

// LoggedStarts returns the runtime starts without those from a tool's output, which may be another machine's and must
// not hide one that a log has.
func (f *Basis) LoggedStarts() []timeline.Occurrence {
	printed := func(m timeline.Occurrence) bool { return f.T.Counted(m.Obs.ID) }
	if !slices.ContainsFunc(f.Node.Runtime, printed) {
		return f.Node.Runtime
	}
	return slices.DeleteFunc(slices.Clone(f.Node.Runtime), printed)
}

// StartedBy returns the last time before the end at which a container of this name was being started, zero where
// nothing tells: what ended then began no earlier, and a boot before that ended another one.
func (f *Basis) StartedBy(end time.Time) (last time.Time) {
	for _, m := range f.R.From.Marks {
		if !m.At.Before(end) {
			break
		}
		switch fact := m.Obs.Fact.(type) {
		case evidence.RuntimeCreated, evidence.TaskStarted, evidence.BackedOff:
			last = m.At
		case evidence.APIEvent:
			if fact.Reason == "Created" || fact.Reason == "Started" {
				last = m.At
			}
		}
	}
	return last
}

// BootNear reports whether the node booted right before or after the period: with a slightly wrong clock that may have
// been within it.
func (f *Basis) BootNear(from, until time.Time) bool {
	return timeline.Near(f.Node.Boots, from, tolerance.Settle, 0) != nil ||
		timeline.Near(f.Node.Boots, until, 0, tolerance.Settle) != nil
}

// UpSince reports whether the node demonstrably did not boot in the period: its kernel log covers all of it, or the
// last boot that the node itself records was before.
func (f *Basis) UpSince(from, until time.Time) bool {
	if ok, _ := f.Node.Covered(evidence.SourceKernelLog, from, until, f.Node.Binds); ok {
		return true
	}
	last := f.Node.LastBoot(until)
	return !last.IsZero() && !last.After(from)
}

// FirstSandbox reports whether the kubelet found no sandbox right after the API server had assigned the pod alone, as
// it does for every new pod, and nothing shows that the pod had run before. A starting kubelet gets all of its pods at
// once.
func (f *Basis) FirstSandbox(judged time.Time) bool {
	r := f.R
	if f.Node == nil {
		return false
	}
	all := f.T.Configured[timeline.PodName{Namespace: r.Namespace, Pod: r.PodName}]
	for _, m := range slices.Backward(all[:timeline.IndexAt(all, judged.Add(1))]) {
		if c, ok := m.Obs.Fact.(evidence.PodConfig); ok && c.Op == "ADD" {
			run, _ := f.Node.KubeletAt(m.At)
			began := r.From.Made()
			return c.Origin == "api" && c.Others == 0 && judged.Sub(m.At) < tolerance.FirstSync &&
				(run == nil || m.At.Sub(run.Start) > tolerance.FirstSync) &&
				(began.IsZero() || began.After(m.At)) && (r.Prev == nil || r.Prev.End().After(m.At)) &&
				(r.Pod == nil || r.Pod.CreatedAt.IsZero() || m.At.Sub(r.Pod.CreatedAt) < tolerance.Settle)
		}
	}
	return false
}

// MayHaveEnded reports whether a boot may have ended the old instance at all. What exits by itself, or is killed, well
// after a boot was started after it; if its start is dated earlier, the clock was set back. The kubelet's event of a
// boot comes after all that the boot ended: a runtime dates what it lost when it starts, containerd before the kubelet
// can reach it. dockerd may come to it later, and a table of events has only ages. Where the node itself records that
// boot, or none, that counts and not the event.
func (f *Basis) MayHaveEnded(boot timeline.Occurrence, from time.Time) bool {
	earliest, _ := f.R.From.EndWithin()
	on := earliest.Sub(boot.At)
	docker := f.R.From.Runtime == "docker" || strings.HasPrefix(f.Node.Info.Runtime, "docker://")
	if told, ok := boot.Obs.Fact.(evidence.NodeRebooted); ok && boot.Obs.Source.Vouched &&
		(!f.Exit.Invented && !docker && on > tolerance.Slack || f.UpSince(from, boot.At) || f.dates(told.BootID, boot.At)) {
		return false
	}
	return (!f.Exit.OfProcess() || on <= tolerance.Settle) && !f.killedAfter(boot.At)
}

// killedAfter reports whether the kubelet killed the old instance well after a boot: it kills only what runs (kubelet
// v1.31 kuberuntime_manager.go killPodWithSyncResult), or what its runtime does not know.
func (f *Basis) killedAfter(boot time.Time) bool {
	return slices.ContainsFunc(f.R.From.Marks, func(m timeline.Occurrence) bool {
		k, ok := m.Obs.Fact.(evidence.KillDecided)
		return ok && k.Reason != evidence.KillUnknownState && m.At.Sub(boot) > tolerance.RebootLag
	})
}

// dates reports whether the node itself records the boot of which an event was told at a time.
func (f *Basis) dates(id string, told time.Time) bool {
	of := func(id string) string { return strings.ReplaceAll(id, "-", "") }
	return slices.ContainsFunc(timeline.Within(f.Node.Boots, told.Add(-tolerance.BootTold), told),
		func(m timeline.Occurrence) bool {
			own, ok := m.Obs.Fact.(evidence.KernelBooted)
			return ok && !own.Reckoned && id != "" && of(own.BootID) == of(id)
		})
}

// BeganBefore reports whether the old instance certainly began before a boot that only an event tells of: the kubelet
// tells when the API server answers, perhaps behind what it started after the boot, unless another kubelet or another
// sandbox (changed) came since.
func (f *Basis) BeganBefore(told, from time.Time, changed *Point) bool {
	earliest, _ := f.R.From.EndWithin()
	run, _ := f.Node.KubeletAt(told.Add(tolerance.Slack))
	return earliest.IsZero() || told.Sub(from) > tolerance.RebootLag || run != nil && run.Start.After(from) ||
		changed.Answer == Yes && !changed.At.Before(earliest)
}
