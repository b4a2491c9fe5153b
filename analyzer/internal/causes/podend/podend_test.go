package podend_test

import (
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/podend"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence/podobject"
)

// over is a container that the kubelet stopped with its pod, which ended that way.
func over(how evidence.Ending, resource string) *finding.Findings {
	f := causestest.Base(143)
	causestest.Killed(f, evidence.KillPod)
	f.End = finding.PodEnd{Point: causestest.Yes(-4), How: how, Resource: resource, Reason: "Reason"}
	if how == evidence.EndDeleted || how == evidence.EndRemoved {
		f.End.Reason = ""
	}
	return f
}

var endings = map[causes.ID]func() *finding.Findings{
	causes.EvictedMemory:        func() *finding.Findings { return over(evidence.EndEvicted, "memory") },
	causes.EvictedDisk:          func() *finding.Findings { return over(evidence.EndEvicted, "inodes") },
	causes.EvictedPID:           func() *finding.Findings { return over(evidence.EndEvicted, "pids") },
	causes.PreemptedByKubelet:   func() *finding.Findings { return over(evidence.EndPreempted, "") },
	causes.AdmissionRejected:    func() *finding.Findings { return over(evidence.EndRejected, "") },
	causes.DeadlineExceeded:     func() *finding.Findings { return over(evidence.EndDeadline, "") },
	causes.NodeShutdown:         func() *finding.Findings { return over(evidence.EndShutdown, "") },
	causes.APIEvicted:           func() *finding.Findings { return over(evidence.EndAPI, "") },
	causes.TaintEvicted:         func() *finding.Findings { return over(evidence.EndTaint, "") },
	causes.PreemptedByScheduler: func() *finding.Findings { return over(evidence.EndScheduler, "") },
	causes.PodOrphaned:          func() *finding.Findings { return over(evidence.EndRemoved, "") },
	causes.PodDeleted:           func() *finding.Findings { return over(evidence.EndDeleted, "") },
	causes.PodReplaced: func() *finding.Findings {
		f := over(evidence.EndDeleted, "")
		f.R.Pod, f.End.Successor = nil, &evidence.Pod{UID: "u2"}
		return f
	},
}

// Each ending is decisive for its own cause, and no other cause of the family may be as strong.
func TestEachEndingIsItsOwn(t *testing.T) {
	rules := podend.Rules()
	if len(rules) != len(endings) {
		t.Errorf("%d rules, %d endings", len(rules), len(endings))
	}
	for id, make := range endings {
		for _, r := range rules {
			got := causestest.Says(t, rules, r.ID, make())
			switch {
			case r.ID == id && got != causes.Decisive:
				t.Errorf("%s by its own ending: %v", id, got)
			case r.ID != id && got > causestest.None:
				t.Errorf("%s claims the ending of %s: %v", r.ID, id, got)
			}
		}
	}
}

func TestWhatAnEndedPodCannotDo(t *testing.T) {
	rules := podend.Rules()
	for id, make := range endings {
		if id == causes.PodReplaced {
			continue
		}
		for name, c := range map[string]struct {
			change func(*finding.Findings)
			want   causes.Strength
		}{
			"it goes on in the same pod": {func(f *finding.Findings) {
				f.R.To = &timeline.Instance{ID: "new", Records: []string{"e3"}}
			}, causestest.Out},
			"a static pod comes back": {func(f *finding.Findings) {
				f.R.To, f.R.Pod.Mirror = &timeline.Instance{ID: "new"}, true
			}, causes.Decisive},
			"it was killed for a reason of its own": {func(f *finding.Findings) { f.Kill.Reason = evidence.KillLiveness },
				causestest.Out},
			"nobody killed it": {func(f *finding.Findings) {
				f.Kill = finding.KubeletKill{Point: finding.Point{Answer: finding.No}}
			}, causestest.Out},
			"whether it was killed is not known": {func(f *finding.Findings) { f.Kill = finding.KubeletKill{} }, causes.Strong},
			"the pod runs on": {func(f *finding.Findings) {
				f.End = finding.PodEnd{Point: finding.Point{Answer: finding.No}}
				f.R.Pod.Phase = "Running"
			}, causestest.Out},
			"its container cannot be made": {func(f *finding.Findings) {
				f.R.Kind, f.R.Waiting.Reason, f.End = timeline.KindRefused, "ImagePullBackOff", finding.PodEnd{}
			}, causestest.Out},
			"how the pod ended is not known": {func(f *finding.Findings) { f.End = finding.PodEnd{} }, causestest.None},
		} {
			f := make()
			c.change(f)
			if id == causes.NodeShutdown && name == "it goes on in the same pod" {
				c.want = causes.Strong // kubelets of 1.20 to 1.22 started it again when the node was back
			}
			if got := causestest.Says(t, rules, id, f); got != c.want {
				t.Errorf("%s, %s: %v, want %v", id, name, got, c.want)
			}
		}
	}
}

// A requested deletion leaves a condition, which since v1.31 nobody can turn off: a deletion without it had another
// reason.
func TestADeletionWithoutAWordOfWhoAsked(t *testing.T) {
	for version, want := range map[string]causes.Strength{"v1.36.3": causestest.Out,
		"v1.31.0": causestest.Out, "v1.30.14": causestest.None, "": causestest.None} {
		f := over(evidence.EndDeleted, "")
		f.Versions.At = version
		f.R.Pod.DeletedAt = causestest.End
		f.R.Pod.Object = podobject.Of(&corev1.Pod{})
		for _, id := range []causes.ID{causes.APIEvicted, causes.TaintEvicted, causes.PreemptedByScheduler} {
			if got := causestest.Says(t, podend.Rules(), id, f); got != want {
				t.Errorf("%s under %q: %v, want %v", id, version, got, want)
			}
		}
	}
}

func TestReplacedIsNoRestart(t *testing.T) {
	base := endings[causes.PodReplaced]
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   causes.Strength
	}{
		"deleted, and a namesake came": {func(*finding.Findings) {}, causes.Decisive},
		"the kill was not seen":        {func(f *finding.Findings) { f.Kill = finding.KubeletKill{} }, causes.Strong},
		"how the old one ended is not known": {func(f *finding.Findings) {
			f.End = finding.PodEnd{Successor: f.End.Successor}
		}, causes.Strong},
		"nothing is known but the namesake": {func(f *finding.Findings) {
			f.End, f.Kill = finding.PodEnd{Successor: f.End.Successor}, finding.KubeletKill{}
		}, causes.Weak},
		"the old one was evicted": {func(f *finding.Findings) { f.End.How = evidence.EndEvicted }, causestest.Out},
		"the old one ended by itself": {func(f *finding.Findings) {
			f.Kill = finding.KubeletKill{Point: finding.Point{Answer: finding.No}}
		}, causestest.Out},
		"no namesake, and the pod is there": {func(f *finding.Findings) {
			f.End.Successor, f.R.Pod = nil, &evidence.Pod{}
		}, causestest.Out},
		"no namesake is known": {func(f *finding.Findings) { f.End.Successor = nil }, causestest.None},
		"the same pod":         {func(f *finding.Findings) { f.R.To = &timeline.Instance{ID: "new"} }, causestest.Out},
	} {
		f := base()
		c.change(f)
		if got := causestest.Says(t, podend.Rules(), causes.PodReplaced, f); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// The summary tells a reader what to do next.
func TestEveryEndingSaysWhatToDo(t *testing.T) {
	for _, r := range podend.Rules() {
		c := r.Claim(endings[r.ID]())
		do := r.Advise(endings[r.ID](), c)
		if len(do) == 0 || !strings.Contains(c.Summary, "container a") || slices.Contains(do, "") {
			t.Errorf("%s: %q, actions %q", r.ID, c.Summary, do)
		}
	}
}

// Who requested the end is part of the answer, and not looked for again.
func TestWhoAskedForTheEndIsNamed(t *testing.T) {
	const who = "ann with kubectl/v1.30.2"
	for id, end := range map[causes.ID]finding.PodEnd{causes.PodDeleted: {By: who}, causes.PodReplaced: {By: who},
		causes.APIEvicted: {Message: evidence.RequestedBy + who}} {
		for _, r := range podend.Rules() {
			if r.ID != id {
				continue
			}
			f := endings[id]()
			f.End.By, f.End.Message = end.By, end.Message
			c := r.Claim(f)
			if do := r.Advise(f, c); !strings.Contains(c.Summary, "by "+who) || strings.Contains(do[0], "find out") {
				t.Errorf("%s: %q, actions %q", id, c.Summary, do)
			}
		}
	}
}

// A kubelet does not see who requested a deletion, and an audit log is a file that anyone may write.
func TestAnAuditLogAloneIsNotDecisive(t *testing.T) {
	for by, want := range map[string]causes.Strength{"": causes.Weak, "ann with kubectl/v1.30.2": causes.Strong} {
		f := over(evidence.EndDeleted, "")
		f.R.Pod, f.End.By = nil, by
		if got := causestest.Says(t, podend.Rules(), causes.PodDeleted, f); got != want {
			t.Errorf("%q: %v, want %v", by, got, want)
		}
	}
}

// Other deletions have a message, which is not who requested them.
func TestTheMessageOfADeletionIsNotItsAuthor(t *testing.T) {
	f := over(evidence.EndDeleted, "")
	f.End.Reason, f.End.Message = "DeletionByPodGC", "PodGC: node no longer exists"
	for _, r := range podend.Rules() {
		if r.ID != causes.PodDeleted {
			continue
		}
		said := r.Claim(f).Summary
		if strings.Contains(said, "by PodGC") || !strings.Contains(said, ": PodGC: node no longer") {
			t.Errorf("%q", said)
		}
	}
}

// A pod that exists with the end of its container, and that is not being deleted, was not deleted. An object that was
// read before that end says nothing about it.
func TestAPodThatIsStillThereWasNotDeleted(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		out    bool
	}{
		"its status has the end":           {func(*finding.Findings) {}, true},
		"it was read before the end":       {func(f *finding.Findings) { f.R.From.InStatus = false }, false},
		"it is being deleted":              {func(f *finding.Findings) { f.R.Pod.DeletedAt = causestest.End }, false},
		"it failed for a reason":           {func(f *finding.Findings) { f.R.Pod.Reason = "Evicted" }, false},
		"it waits to be started again":     {func(f *finding.Findings) { f.R.Waiting.Reason = "CrashLoopBackOff" }, false},
		"the evidence tells of a deletion": {func(f *finding.Findings) { f.End.Point = causestest.Yes(-4) }, false},
	} {
		f := over(evidence.EndDeleted, "")
		f.End.Point, f.R.Pod.Object, f.R.From.InStatus = finding.Point{}, podobject.Of(&corev1.Pod{}), true
		c.change(f)
		if out := causestest.Says(t, podend.Rules(), causes.PodDeleted, f) == causestest.Out; out != c.out {
			t.Errorf("%s: contradicted %v", name, out)
		}
	}
}

// The event of its controller says who deleted a pod; alone it does not prove it.
func TestAPodThatItsControllerDeleted(t *testing.T) {
	f := over(evidence.EndDeleted, "")
	f.R.Pod, f.End.ByOwner = nil, true
	for _, r := range podend.Rules() {
		if r.ID != causes.PodDeleted {
			continue
		}
		c := r.Claim(f)
		if c.Strength != causes.Strong || !strings.Contains(c.Summary, "deleted by its controller, as in a rollout") ||
			!strings.HasSuffix(r.Advise(f, c)[1], "kubectl get events -n shop") {
			t.Errorf("%v: %s, %v", c.Strength, c.Summary, r.Advise(f, c))
		}
		f.End.ByOwner = false
		if c := r.Claim(f); c.Strength != causes.Weak {
			t.Errorf("without the event: %v", c.Strength)
		}
	}
}

// An eviction's sentence says once that the node was low, and its advice fits what was used up: the node's disk, or the
// pod's own limit.
func TestTheWordsOfAnEviction(t *testing.T) {
	const why = "Threshold quantity: 100Mi, available: 80Mi"
	for name, c := range map[string]struct {
		id                      causes.ID
		resource, message       string
		own                     bool
		says, advice, leavesOut string
	}{
		"memory": {id: causes.EvictedMemory, resource: "memory",
			message: "The node was low on resource: memory. " + why + ". ",
			says:    "the node was low on memory: " + why, advice: "kubectl top pods", leavesOut: "The node was low"},
		"memory, and no more": {id: causes.EvictedMemory, resource: "memory",
			message: "The node was low on resource: memory.",
			says:    "the node was low on memory", advice: "kubectl top pods", leavesOut: "memory:"},
		"another message": {id: causes.EvictedMemory, resource: "memory", message: "memory is short",
			says: "the node was low on memory: memory is short", advice: "kubectl top pods", leavesOut: "The node"},
		"the disk of the node": {id: causes.EvictedDisk, resource: "ephemeral-storage",
			message: "The node was low on resource: ephemeral-storage. " + why,
			says:    "low on disk: " + why, advice: "fills the node's disk", leavesOut: "The node was low"},
		"its own limit": {id: causes.EvictedDisk, resource: "ephemeral-storage", own: true,
			message: "Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ",
			says:    "exceeds the total limit of containers 1Gi", advice: "what it writes", leavesOut: "the node's disk"},
	} {
		f := over(evidence.EndEvicted, c.resource)
		f.End.Message, f.End.OwnLimit = c.message, c.own
		for _, r := range podend.Rules() {
			if r.ID != c.id {
				continue
			}
			got := r.Claim(f)
			all := got.Summary + "\n" + strings.Join(r.Advise(f, got), "\n")
			if !strings.Contains(got.Summary, c.says) || !strings.Contains(all, c.advice) || strings.Contains(all, c.leavesOut) {
				t.Errorf("%s: %s", name, all)
			}
		}
	}
}

// A pod that loses a tainted device must not send people to the taints of its node.
func TestATaintOfADeviceIsNotItsNodes(t *testing.T) {
	for reason, device := range map[string]bool{
		"DeletionByTaintManager": false, evidence.DeletionByDeviceTaint: true, evidence.DeviceTaintEviction: true,
	} {
		f := over(evidence.EndTaint, "")
		f.End.Reason = reason
		for _, r := range podend.Rules() {
			if r.ID != causes.TaintEvicted {
				continue
			}
			c := r.Claim(f)
			said := c.Summary + strings.Join(r.Advise(f, c), "\n")
			if strings.Contains(said, "device") != device || strings.Contains(said, "get node") == device {
				t.Errorf("%s: %s", reason, said)
			}
		}
	}
}

// What a kubelet up to v1.21 calls unwanted may have ended in another way before, and an end before that line is of
// something else.
func TestAnUnwantedPodMayHaveEndedBefore(t *testing.T) {
	for name, c := range map[string]struct {
		killed bool
		want   causes.Strength
	}{
		"the kubelet stopped its container": {true, causes.Weak},
		"its container had ended by itself": {false, causestest.None},
	} {
		f := over(evidence.EndRemoved, "")
		if f.End.Unwanted = true; !c.killed {
			f.Kill.Answer = finding.Unknown
		}
		if got := causestest.Says(t, podend.Rules(), causes.PodOrphaned, f); got != c.want {
			t.Errorf("%s: strength %d, want %d", name, got, c.want)
		}
	}
}
