package finding

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file answers what makes causes more or less likely and decides nothing: lifetimes,
// gaps, counts, conditions of the node.

// Lived is how long the old instance lived, -1 when unknown.
func (f *Findings) Lived() time.Duration { return lifetime(f.R.From) }

// often is how many restarts are a loop rather than a mishap.
const often = 5

// Often tells a container that has been restarted many times.
func (f *Findings) Often() bool {
	n := f.R.From.Attempt
	if f.R.To != nil {
		n = max(n, f.R.To.Attempt)
	}
	return n >= often
}

// Away tells that no container ran for longer than the kubelet's back-off explains: the kubelet was away, or its node.
func (f *Findings) Away() bool {
	end, to := f.R.From.Finished, f.R.To
	if to == nil || to.Started.IsZero() || end.IsZero() {
		return false
	}
	wait := tolerance.BackoffFirst
	if lived := f.Lived(); lived < 2*tolerance.BackoffMost { // older ones begin the back-off anew
		wait = tolerance.BackoffMost
		if n := to.Attempt; n > 0 && n < 6 {
			wait = min(tolerance.BackoffMost, tolerance.BackoffFirst<<(n-1))
		}
	}
	return to.Started.Sub(end) > wait+tolerance.StartTakes
}

// Promptly tells that the next container was there before a machine could have booted. What
// the runtime lost it dates when it is back.
func (f *Findings) Promptly() bool {
	end, to := f.R.From.Finished, f.R.To
	return to != nil && !to.Started.IsZero() && !end.IsZero() && !f.Exit.Lost &&
		!f.Exit.Invented && to.Started.Sub(end) < tolerance.QuickBoot
}

// Condition tells that the node is in a condition, or left it soon after the end.
func (f *Findings) Condition(name string) bool {
	if f.Node == nil {
		return false
	}
	for _, c := range f.Node.Info.Conditions {
		if c.Type != name {
			continue
		}
		after := c.Since.Sub(f.R.End())
		joined := c.Since.Sub(f.Node.Info.CreatedAt) < tolerance.Settle
		return c.Status == "True" || c.Status == "False" && !joined && !f.R.End().IsZero() &&
			after > 0 && after < tolerance.Pressed
	}
	return false
}

// CameBack tells that the node became ready around the end or soon after it, and had been there for longer.
func (f *Findings) CameBack() bool {
	end := f.R.End()
	if f.Node == nil || end.IsZero() {
		return false
	}
	until := end.Add(tolerance.Pressed)
	if to := f.R.To; to != nil && !to.Started.IsZero() {
		until = to.Started.Add(tolerance.RebootLag)
	}
	for _, c := range f.Node.Info.Conditions {
		if c.Type == "Ready" && c.Status == "True" {
			return c.Since.After(end.Add(-tolerance.ReadyBefore)) && c.Since.Before(until) &&
				c.Since.Sub(f.Node.Info.CreatedAt) > tolerance.Settle
		}
	}
	return false
}

// OthersRanOn tells that a container which runs on the node had been started before the end:
// neither the machine nor a runtime that takes its containers along went down.
func (f *Findings) OthersRanOn() bool {
	end := f.R.End()
	if p := f.R.Pod; end.IsZero() && p != nil {
		end = p.CreatedAt // when it ended is not known: after this in any case
	}
	return f.Node != nil && !f.Node.Oldest.IsZero() && !end.IsZero() && f.Node.Oldest.Before(end.Add(-tolerance.Slack))
}

// Witnessed tells that a kubelet's log has the end when it was: a kubelet that was started since
// tells of it with its first relist, which dates nothing.
func (f *Findings) Witnessed() bool {
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

// somewhere tells that a node saw something, and it is not known which node the pod was on.
func (f *Findings) somewhere(saw func(*timeline.NodeStory) bool) bool {
	return f.R.Node == "" && !f.R.End().IsZero() && slices.ContainsFunc(slices.Collect(maps.Values(f.T.Nodes)), saw)
}

// BootSomewhere tells that a node booted in the minutes before the end of something whose node is not known.
func (f *Findings) BootSomewhere() bool {
	return f.somewhere(func(n *timeline.NodeStory) bool {
		return timeline.Near(n.Boots, f.R.End(), tolerance.Settle, tolerance.RebootLag) != nil
	})
}

// RuntimeSomewhere tells that a runtime started right before or after the end of something whose node is not known.
func (f *Findings) RuntimeSomewhere() bool {
	return f.somewhere(func(n *timeline.NodeStory) bool {
		return timeline.Near(n.Runtime, f.R.End(), tolerance.RuntimeStart, tolerance.RuntimeStart) != nil
	})
}

// ProbeKind is a probe that kills.
type ProbeKind string

// The probes that kill.
const (
	Liveness ProbeKind = "liveness"
	Startup  ProbeKind = "startup"
)

func (f *Findings) probeOf(k ProbeKind) *evidence.Probe {
	switch s := f.R.Spec; {
	case s == nil:
		return nil
	case k == Startup:
		return s.Startup
	default:
		return s.Liveness
	}
}

// failedRuns are the failed runs of a probe that were seen.
func (f *Findings) failedRuns(k ProbeKind) []timeline.Occurrence {
	if k == Startup {
		return f.Probes.Startup
	}
	return f.Probes.Liveness
}

// Quickest is the shortest life of a container that a probe ends: its first run comes after
// the delay, and failures of the container before may count (see probe-failures-carried-over);
// fresh is the shortest one where they do not.
func Quickest(p *evidence.Probe) (carried, fresh time.Duration) {
	delay := evidence.Seconds(int64(p.InitialDelay))
	return delay, delay + evidence.Seconds(int64(max(1, p.FailureThreshold)-1)*int64(max(1, p.Period)))
}

// TooYoung tells a container that ended before the probe can have run.
func (f *Findings) TooYoung(k ProbeKind) bool {
	p, lived := f.probeOf(k), f.Lived()
	if p == nil || lived < 0 {
		return false
	}
	carried, _ := Quickest(p)
	return lived+tolerance.Slack < carried
}

// Young tells a container that ended before the probe can have failed as often as it takes,
// failures of the one before left aside.
func (f *Findings) Young(k ProbeKind) bool {
	p, lived := f.probeOf(k), f.Lived()
	if p == nil || lived < 0 {
		return false
	}
	_, fresh := Quickest(p)
	return lived+tolerance.Slack < fresh
}

// OnSchedule tells a life that is as long as the probe takes to kill a container that never passes it.
func (f *Findings) OnSchedule(k ProbeKind) bool {
	p, lived := f.probeOf(k), f.Lived()
	if p == nil || lived < 0 {
		return false
	}
	_, fresh := Quickest(p)
	if s := f.R.Spec.Startup; k == Liveness && s != nil {
		// held off until the startup probe passed, at once at the earliest
		fresh += max(0, evidence.Seconds(int64(s.InitialDelay)-int64(p.InitialDelay)))
	}
	grace := evidence.Seconds(30)
	if pod := f.R.Pod; pod != nil && pod.GraceSeconds >= 0 {
		grace = evidence.Seconds(pod.GraceSeconds)
	}
	if f.Exit.Known && f.Exit.Code == 137 {
		fresh += grace - tolerance.Slack // it was killed when its grace period was over
		grace = tolerance.Slack
	}
	latest := fresh + evidence.Seconds(int64(max(1, p.Period))+int64(max(1, p.Timeout))) + grace + tolerance.Slack
	return lived >= fresh-tolerance.Slack && lived <= latest
}

// Failed is how often a probe of this container is said to have failed, when first, and by what: of the old instance
// and of the new one, because a kubelet adds them up in one event.
func (f *Findings) Failed(k ProbeKind) (count int, first time.Time, seen []string) {
	for _, in := range [...]*timeline.Instance{f.R.From, f.R.To} {
		if in == nil {
			continue
		}
		for _, m := range told(in, timeline.HasProbe) {
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
	if t := f.Metrics.Totals; t != nil && k == Liveness {
		count = max(count, t.Liveness)
	} else if t != nil {
		count = max(count, t.Startup)
	}
	return count, first, seen
}

func isProbe(p evidence.ProbeFailed, k ProbeKind) bool {
	return k == Liveness && p.Probe == evidence.ProbeLiveness || k == Startup && p.Probe == evidence.ProbeStartup
}

// SeenFailing tells that the probe was seen to fail before the end.
func (f *Findings) SeenFailing(k ProbeKind) bool {
	count, first, _ := f.Failed(k)
	end := f.R.End()
	return count > 0 && (end.IsZero() || first.IsZero() || !first.After(end.Add(tolerance.Slack)))
}

// PerRestart tells that the probe failed about as often for each restart as it takes to kill.
func (f *Findings) PerRestart(k ProbeKind) bool {
	p := f.probeOf(k)
	if p == nil {
		return false
	}
	restarts := f.R.From.Attempt + 1
	if to := f.R.To; to != nil {
		restarts = max(restarts, to.Attempt)
	}
	count, _, _ := f.Failed(k)
	wanted := float64(max(1, p.FailureThreshold))
	each := float64(count) / float64(max(1, restarts))
	return restarts >= 3 && each > .75*wanted && each < 1.25*wanted
}

// Rehashed tells that the runtime's records have two hashes of the containers, and one image.
func (f *Findings) Rehashed() bool {
	h := &f.Hashes
	return h.Old != "" && h.New != "" && h.Old != h.New && f.Images.Differ != Yes &&
		(f.Images.Old == "" || f.Images.Old == f.Images.New || f.Images.New == "")
}

// SameHash tells that the runtime's records have one hash of both containers.
func (f *Findings) SameHash() bool { return f.Hashes.Old != "" && f.Hashes.Old == f.Hashes.New }

// again is from how many times on a pod that is made anew is one that never settles.
const again = 4

// MadeAnewOften tells that the pod got a new sandbox many times, minutes apart, or was stopped as many times: its
// events are counted, or the kubelet stopped its container with it in a loop.
func (f *Findings) MadeAnewOften() bool {
	if f.Lived() > tolerance.BackoffMost {
		return false
	}
	times, stopped, age := f.newBoxes(), 0, time.Duration(0)
	if p := f.R.Pod; p != nil {
		age = f.R.End().Sub(p.CreatedAt)
	}
	for _, m := range f.R.From.Marks {
		if k, ok := m.Obs.Fact.(evidence.KillDecided); ok && k.Reason == evidence.KillPod {
			stopped = max(stopped, k.Count)
		}
	}
	loops := !f.R.Anew.IsZero() && f.R.End().Sub(f.R.Anew) <= tolerance.MadeAnew && f.R.Restarts >= often &&
		f.R.Waiting.Reason == "CrashLoopBackOff" && !f.Exit.Known
	return loops || max(times, stopped, f.R.Remade) >= again ||
		times > 0 && f.Kill.Reason == evidence.KillPod && f.R.Restarts >= often &&
			(f.R.Waiting.Reason == "CrashLoopBackOff" || age > 0 && age < 2*tolerance.BackoffMost*time.Duration(f.R.Restarts))
}

// newBoxes is how often the pod's events around the end say that it got a new sandbox.
func (f *Findings) newBoxes() (times int) {
	for _, m := range f.R.PodMarks {
		if s, ok := m.Obs.Fact.(evidence.SandboxChanged); ok && !timeline.Retried(s, m.Obs.Time) {
			times += max(s.Count, 1)
		}
	}
	return times
}

// BoxEachTime tells that the pod got a new sandbox at least as often as its container was started again.
func (f *Findings) BoxEachTime() bool { return f.R.Restarts >= again && f.newBoxes() >= f.R.Restarts }

// WithinASecond tells that the next container was started within one.
func (f *Findings) WithinASecond() bool {
	end, to := f.R.From.Finished, f.R.To
	return to != nil && !to.Started.IsZero() && !end.IsZero() && to.Started.Sub(end) <= time.Second
}

// StoppedByNew tells that a kubelet was started right before it stopped the container, or before the end of a container
// whose pod was made anew. That one was started before an end of which nothing else is known tells nothing.
func (f *Findings) StoppedByNew() bool {
	if f.Kill.Answer != Yes && f.Sandbox.Changed.Answer != Yes {
		return false
	}
	at := cmp.Or(f.Kill.At, f.R.End())
	k := f.NodeEvents.Kubelet
	return k.Answer == Yes && !at.IsZero() && at.Sub(k.At) < tolerance.FirstSync && !f.Versions.SameProcess
}

// MaybeNew tells a pod of which no container is known and the kubelet found no sandbox, as it finds none of a new pod
// (kubelet util.go PodSandboxChanged): that it had run before nothing tells.
func (f *Findings) MaybeNew() bool {
	return f.R.WholePod() && f.R.Kind == timeline.KindRestart && f.Sandbox.Reason == evidence.SandboxNone &&
		!slices.ContainsFunc(toldOfPod(f.R, timeline.HasSandbox), func(m timeline.Occurrence) bool {
			_, changed := m.Obs.Fact.(evidence.SandboxChanged)
			return changed
		})
}

// Wordless tells that every failed run of the probe that the kubelet killed for printed nothing.
func (f *Findings) Wordless() bool {
	kind := Liveness
	if f.Kill.Reason == evidence.KillStartup {
		kind = Startup
	}
	marks := f.failedRuns(kind)
	return len(marks) > 0 && !slices.ContainsFunc(marks, func(m timeline.Occurrence) bool {
		p, ok := m.Obs.Fact.(evidence.ProbeFailed)
		return !ok || !p.Output.Empty()
	})
}

// WithoutBox tells that an event has the kubelet's kill of the pod, which was made again, and none tells of its
// sandbox: the kubelet sends one where it knew a sandbox (kubelet kuberuntime_manager.go SyncPod).
func (f *Findings) WithoutBox() bool {
	if f.R.To == nil || f.Kill.Answer != Yes || f.Kill.Reason != evidence.KillPod ||
		f.Sandbox.Changed.Answer == Yes || f.R.Pod == nil {
		return false
	}
	return slices.ContainsFunc(told(f.R.From, timeline.HasKill), func(m timeline.Occurrence) bool {
		_, ok := m.Obs.Fact.(evidence.KillDecided)
		return ok && m.Obs.Source.Kind == evidence.SourceAPI && m.Obs.Source.Vouched
	})
}

// BackAtOnce tells that a container which its runtime lost, and dated when it was back, was started again right then.
func (f *Findings) BackAtOnce() bool {
	end, to := f.R.From.Finished, f.R.To
	return f.Exit.Lost && to != nil && !to.Started.IsZero() && !end.IsZero() && to.Started.Sub(end) < tolerance.SettlesIn
}

// BoxFirst tells that the kubelet had looked at the sandbox before the container had ended: a pod that it kills for
// another reason it looks at when that is done. Events have whole seconds, so this proves nothing.
func (f *Findings) BoxFirst() bool {
	at, end := f.Sandbox.Changed.At, f.R.From.Finished
	return f.Sandbox.Changed.Answer == Yes && !at.IsZero() && end.Sub(at) >= time.Second
}
