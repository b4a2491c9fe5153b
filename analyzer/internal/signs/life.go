package signs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// often is how many restarts are a loop rather than an accident.
const often = 5

// Often reports whether a container has been restarted many times.
func Often(f *finding.Findings) bool {
	n := f.R.From.Attempt
	if f.R.To != nil {
		n = max(n, f.R.To.Attempt)
	} else {
		n = max(n, f.R.Restarts) // the count is of the newest end: an earlier state in the API has no number
	}
	return n >= often && !OnePerBoot(f)
}

// EndsOften reports whether a process that has been restarted many times chose its exit code again, and nothing else of
// its node ended then: a machine that goes down afterwards only delays the next start.
func EndsOften(f *finding.Findings) bool { return Often(f) && f.Exit.Chosen() && f.Together == 0 }

// Loops reports whether a container ends by itself again and again: it waits to be restarted, or ended in the same way
// before.
func Loops(f *finding.Findings) bool {
	return f.R.Waiting.Reason == "CrashLoopBackOff" || f.Alike > 0 || Often(f)
}

// Away reports whether no container ran for longer than the kubelet's back-off explains: the kubelet or its node was
// down.
func Away(f *finding.Findings) bool {
	end, to := f.R.From.Finished, f.R.To
	if to == nil || to.Started.IsZero() || end.IsZero() {
		return false
	}
	wait := tolerance.BackoffFirst
	if lived := f.Lived(); lived < 2*tolerance.BackoffMost { // older ones reset the back-off
		wait = tolerance.BackoffMost
		if n := to.Attempt; n > 0 && n < 6 {
			wait = min(tolerance.BackoffMost, tolerance.BackoffFirst<<(n-1))
		}
	}
	return to.Started.Sub(end) > wait+tolerance.StartTakes
}

// Promptly reports whether the next container started before a machine could have booted. Containers that the runtime
// lost do not count: it dates their ends when it is back.
func Promptly(f *finding.Findings) bool {
	end, to := f.R.From.Finished, f.R.To
	return to != nil && !to.Started.IsZero() && !end.IsZero() && !f.Exit.Lost &&
		!f.Exit.Invented && to.Started.Sub(end) < tolerance.QuickBoot
}

// WithinASecond reports whether the next container was started within a second.
func WithinASecond(f *finding.Findings) bool {
	end, to := f.R.From.Finished, f.R.To
	return to != nil && !to.Started.IsZero() && !end.IsZero() && to.Started.Sub(end) <= time.Second
}

// BackAtOnce reports whether a container that its runtime lost, and dated when it was back, was started again right
// then.
func BackAtOnce(f *finding.Findings) bool {
	end, to := f.R.From.Finished, f.R.To
	return f.Exit.Lost && to != nil && !to.Started.IsZero() && !end.IsZero() && to.Started.Sub(end) < tolerance.SettlesIn
}

// Witnessed reports whether a kubelet's log has the end at its time: a kubelet that was started later reports it in its
// first relist, which gives no valid times.
func Witnessed(f *finding.Findings) bool {
	end := f.R.From.Finished
	if end.IsZero() {
		return false
	}
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.ContainerDied, evidence.ContainerFinished:
			run, _ := f.Node.KubeletAt(m.At)
			if m.Obs.Source.Kind == evidence.SourceKubeletLog && m.At.Sub(end).Abs() <= tolerance.Slack {
				return run == nil || !run.Start.After(end)
			}
		}
	}
	return false
}

// StoppedByNew reports whether a kubelet was started right before it stopped the container, or before the end of a
// container whose pod was recreated. A kubelet start before an end without such evidence means nothing.
func StoppedByNew(f *finding.Findings) bool {
	if f.Kill.Answer != finding.Yes && f.Sandbox.Changed.Answer != finding.Yes {
		return false
	}
	at := cmp.Or(f.Kill.At, f.R.End())
	k := f.NodeEvents.Kubelet
	return k.Answer == finding.Yes && !at.IsZero() && at.Sub(k.At) < tolerance.FirstSync && !f.Versions.SameProcess
}

// leaders are the parts of a control plane that exit when they lose their lease.
var leaders = []string{"kube-scheduler", "kube-controller-manager", "cloud-controller-manager"}

// LostLease reports whether the end is that of a control plane part that exits because it lost its lease: code 255,
// from glog's and klog's Fatal up to v1. All of those on a machine lose it together; where everything ended with 255,
// the machine or its runtime went down.
func LostLease(f *finding.Findings) bool {
	return f.Exit.Known && !f.Exit.Invented && !f.Exit.Lost &&
		f.Exit.Code == 255 && f.Together <= len(leaders) &&
		slices.ContainsFunc(leaders, func(name string) bool { return strings.HasSuffix(f.R.Container, name) })
}
