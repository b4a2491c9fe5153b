package signs

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Edited reports whether the kubelet had just been given a change of this pod, and not with its start, when it found
// the container changed, and nothing else ended along with it: another version's hashes differ for all containers at
// once.
func Edited(f *finding.Findings) bool {
	u, k := f.Images.Updated, f.NodeEvents.Kubelet
	return u.Answer == finding.Yes && f.Together == 0 &&
		(k.Answer != finding.Yes || u.At.Sub(k.At) > tolerance.FirstRelist)
}

// StoppedOnDelete reports whether the kubelet was told that the pod is deleted, and at once stopped the container
// without another reason: what it stops for a probe or a new hash it announces.
func StoppedOnDelete(f *finding.Findings) bool {
	e, k := &f.End, &f.Kill
	if e.Answer != finding.Yes || e.How != evidence.EndDeleted || k.Answer != finding.Yes ||
		k.Reason != "" && k.Reason != evidence.KillPod {
		return false
	}
	since := k.At.Sub(e.At)
	return since >= 0 && since < tolerance.UpdateLag
}

// StoppedOnUpdate reports whether the kubelet was given a change of the pod and at once stopped the container, without
// telling a reason.
func StoppedOnUpdate(f *finding.Findings) bool {
	k := &f.Kill
	return k.Answer == finding.Yes && k.Reason == "" && k.DecidedAt.IsZero() &&
		slices.ContainsFunc(f.T.Config(f.R.Namespace, f.R.PodName, k.At.Add(-tolerance.UpdateLag), k.At),
			func(m timeline.Occurrence) bool {
				c, ok := m.Obs.Fact.(evidence.PodConfig)
				return ok && c.Op == "UPDATE"
			})
}

// Rehashed reports whether the runtime's records have two hashes of the containers, and one image.
func Rehashed(f *finding.Findings) bool {
	h := &f.Hashes
	return h.Old != "" && h.New != "" && h.Old != h.New && f.Images.Differ != finding.Yes &&
		(f.Images.Old == "" || f.Images.Old == f.Images.New || f.Images.New == "")
}

// SameHash reports whether the runtime's records have one hash of both containers.
func SameHash(f *finding.Findings) bool { return f.Hashes.Old != "" && f.Hashes.Old == f.Hashes.New }

// again is how many recreations show that a pod never becomes stable.
const again = 4

// MadeAnewOften reports whether the pod got a new sandbox many times, minutes apart, or was stopped as many times: its
// events are counted, or the kubelet stopped its container with it in a loop.
func MadeAnewOften(f *finding.Findings) bool {
	if f.Lived() > tolerance.BackoffMost || boxFails(f) {
		return false
	}
	times, stopped, age := newBoxes(f), 0, time.Duration(0)
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

// newBoxes returns how many new sandboxes the pod's events around the end report.
func newBoxes(f *finding.Findings) (times int) {
	for _, m := range f.R.PodMarks {
		if s, ok := m.Obs.Fact.(evidence.SandboxChanged); ok && !timeline.Retried(s, m.Obs.Time) {
			times += max(s.Count, 1)
		}
	}
	return times
}

// boxFails reports whether the pod's sandbox cannot be created: each attempt sends an event that it changed, and
// nothing of the pod runs in between.
func boxFails(f *finding.Findings) bool {
	return timeline.Has(f.R.PodMarks, func(s evidence.StartFailed) bool { return s.Reason == "CreatePodSandboxError" })
}

// BoxEachTime reports whether the pod got a new sandbox about as often as its container was restarted. The event of the
// last one may still be missing: its counter and the status are written at different times.
func BoxEachTime(f *finding.Findings) bool {
	return f.R.Restarts >= again && newBoxes(f)+1 >= f.R.Restarts
}

// MaybeNew reports whether the pod has no known container and the kubelet found no sandbox, as for a new pod (kubelet
// util.go PodSandboxChanged): nothing shows that it had run before.
func MaybeNew(f *finding.Findings) bool {
	return f.R.WholePod() && f.R.Kind == timeline.KindRestart && f.Sandbox.Reason == evidence.SandboxNone &&
		!timeline.Has[evidence.SandboxChanged](f.R.PodMarksWith(timeline.HasSandbox), nil)
}

// WithoutBox reports whether an event has the kubelet's kill of the pod, which was recreated, and no event is about its
// sandbox: the kubelet sends one if it knew a sandbox (kubelet kuberuntime_manager.go SyncPod).
func WithoutBox(f *finding.Findings) bool {
	if f.R.To == nil || f.Kill.Answer != finding.Yes || f.Kill.Reason != evidence.KillPod ||
		f.Sandbox.Changed.Answer == finding.Yes || f.R.Pod == nil {
		return false
	}
	return slices.ContainsFunc(f.R.From.MarksWith(timeline.HasKill), func(m timeline.Occurrence) bool {
		_, ok := m.Obs.Fact.(evidence.KillDecided)
		return ok && m.Obs.Source.Kind == evidence.SourceAPI && m.Obs.Source.Vouched
	})
}

// BoxFirst reports whether the kubelet had checked the sandbox before the container had ended: if it kills a pod for
// another reason, it checks the sandbox afterwards. Events have whole seconds, so this proves nothing.
func BoxFirst(f *finding.Findings) bool {
	at, end := f.Sandbox.Changed.At, f.R.From.Finished
	return f.Sandbox.Changed.Answer == finding.Yes && !at.IsZero() && end.Sub(at) >= time.Second
}

// TakenDown reports whether it is known only that the pod was stopped, or should be.
func TakenDown(f *finding.Findings) bool {
	for _, m := range f.R.From.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.SandboxStopRequested, evidence.SandboxStopped, evidence.KillFailed, evidence.UnitChanged:
			return true
		}
	}
	return false
}

// WholePod reports whether every container of a pod of several ended together with this one: within that time, or zero
// for the time that siblings have.
func WholePod(f *finding.Findings, within time.Duration) bool {
	if f.R.Pod == nil || f.R.Crowded {
		return false
	}
	apps, ended := 0, map[string]bool{f.R.Container: true}
	for _, s := range f.R.Siblings {
		ended[s.Container] = ended[s.Container] || within == 0 || s.End().Sub(f.R.End()).Abs() <= within
	}
	for i := range f.R.Pod.Containers {
		if c := &f.R.Pod.Containers[i]; c.Kind == evidence.KindApp {
			if apps++; !ended[c.Name] {
				return false
			}
		}
	}
	return apps > 1
}

// PauseKilled reports whether the kernel killed the process that holds the pod's sandbox, because of low memory.
func PauseKilled(f *finding.Findings) bool {
	return timeline.Has(f.R.PodMarks, func(k evidence.OOMKill) bool { return k.Task == "pause" })
}

// KilledBeside reports whether nothing dates or explains an end that a text or a table's row reports, and beside it is
// the kernel's record of a kill in an unknown container: for the whole machine, or a cgroup at its limit. The end must
// be the only one, or the program's name be a part of the pod's.
func KilledBeside(f *finding.Findings, global bool) bool {
	return slices.ContainsFunc(f.T.Strays, func(m timeline.Occurrence) bool {
		k := m.Obs.Fact.(evidence.OOMKill)
		return k.Global == global && mayBe(f, k.Task)
	})
}

// FaultBeside is the same for the kernel's record of a fault on the pod's node, of a program that is called like it.
func FaultBeside(f *finding.Findings) bool {
	return mayBe(f, "") && ofItsNode(f, func(n *timeline.NodeStory) bool {
		return slices.ContainsFunc(n.Faults, func(m timeline.Occurrence) bool {
			fault, ok := m.Obs.Fact.(evidence.Segfault)
			return ok && called(f, fault.Task)
		})
	})
}

// ShortBeside is the same for the word of the pod's kubelet that the kernel killed a process for want of memory.
func ShortBeside(f *finding.Findings) bool {
	return mayBe(f, "") && ofItsNode(f, func(n *timeline.NodeStory) bool {
		return timeline.Has(n.Shortages, func(evidence.SystemOOM) bool { return true })
	})
}

// ofItsNode reports whether something holds of the pod's node, which may be the only one where none is known.
func ofItsNode(f *finding.Findings, holds func(*timeline.NodeStory) bool) bool {
	if f.Node != nil {
		return holds(f.Node)
	}
	return f.R.Node == "" && len(f.T.Nodes) == 1 && beside(f, holds)
}

// called reports whether a program's name is a part of the pod's.
func called(f *finding.Findings, task string) bool {
	return slices.Contains(strings.Split(f.R.PodName, "-"), task)
}

// beside reports whether something holds of a node.
func beside(f *finding.Findings, holds func(*timeline.NodeStory) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(f.T.Nodes)), holds)
}

// mayBe reports whether a program whose container is not known may be of such an end.
func mayBe(f *finding.Findings, task string) bool {
	if f.Exit.Known || !f.R.End().IsZero() || !strings.HasPrefix(f.R.PodUID, evidence.Described) {
		return false
	}
	other := func(r *timeline.Restart) bool { return r.PodUID != f.R.PodUID }
	return called(f, task) || !slices.ContainsFunc(f.T.Restarts, other)
}
