// Package podend holds the causes that end a whole pod: the kubelet evicts, preempts or rejects it, its deadline or its
// node is over, or someone requests its end through the API. Such a pod is never started again; its controller creates
// another one, with another UID.
//
// Rules only: findings in, claims out. See package causes.
package podend

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding/ending"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// cause is one way for a pod to end.
type cause struct {
	id    causes.ID
	title string
	how   evidence.Ending
	// fits narrows an ending that several causes share; nil accepts all.
	fits func(*finding.PodEnd) bool
	// what returns what happened, for the root of the chain.
	what func(*finding.Findings) string
	// shared is the root that other pods of the node have in common, "" if none.
	shared  string
	actions func(*finding.Findings) []string
	// messages are what is said of such an end.
	messages []causes.KnownMessage
}

// supposed is what the kubelet sees of a pod that ends in each way.
var supposed = map[evidence.Ending]sim.Hypothesis{
	evidence.EndEvicted: sim.PodFailed, evidence.EndPreempted: sim.PodFailed, evidence.EndShutdown: sim.PodFailed,
	evidence.EndDeadline: sim.PodDeadline, evidence.EndRejected: sim.PodRejected,
	evidence.EndAPI: sim.PodDeleted, evidence.EndTaint: sim.PodDeleted, evidence.EndScheduler: sim.PodDeleted,
	evidence.EndDeleted: sim.PodDeleted, evidence.EndRemoved: sim.PodDeleted,
}

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	var all []causes.Rule
	for _, c := range table() {
		all = append(all, causes.Rule{ID: c.id, Hypothesis: supposed[c.how], Title: c.title,
			WholePod: true, NeverRan: c.how == evidence.EndRejected || c.how == evidence.EndShutdown,
			Claim: c.claim, Against: c.against, Do: c.actions, Messages: c.messages})
	}
	return append(all, causes.Rule{ID: causes.PodReplaced, Title: "Another pod took its name: not a container restart",
		WholePod: true, Claim: replaced, Against: againstReplaced, Do: whoReplaced})
}

// claim is decisive given two statements: why the pod ended, and that the kubelet stopped this container with its pod.
func (c cause) claim(f *finding.Findings) *causes.Claim {
	e := &f.End
	if c.how == evidence.EndEvicted && e.How == c.how && e.Answer == finding.Yes && e.Resource == "" {
		return c.forSomething(f)
	}
	if !c.is(e) || causes.StatedReason(f) || f.R.To != nil && !comesBack(f) ||
		e.Unwanted && f.Kill.Answer != finding.Yes { // it had ended before
		return nil
	}
	s := causes.Weak
	switch {
	case f.R.To != nil && !static(f) && !e.Soft:
		s = causes.Strong // it ran again, so the end in the status may be another one
	case e.Unwanted:
		// weak: the pod's object may exist, and the pod may have ended in another way before
	case e.Reason == evidence.NodeLost && f.R.Pod != nil && (f.R.Pod.Phase == "Unknown" || f.R.Pod.Row()):
		// weak: what keeps the node from reporting may have ended its containers first, and a row "Terminating" says
		// neither who asked for that nor that they ended
	case e.How == evidence.EndDeleted && f.R.Pod == nil && (e.By != "" || e.ByOwner):
		s = causes.Strong // an audit log is a file that anyone may have written, and so is an event
	case e.How == evidence.EndDeleted && f.R.Pod == nil:
		// weak: the only source is a kubelet, which sees the deletion, but not a drain, a taint or who requested it
	case f.Kill.Answer == finding.Yes && f.Exit.Chosen() && !f.Node.Has(evidence.SourceKubeletLog):
		s = causes.Strong // only clock times put the kill before the process's own exit
	case f.Kill.Answer == finding.Yes:
		s = causes.Decisive
	case f.Exit.Invented || f.Kill.Answer != finding.No:
		s = causes.Strong
	}
	what := c.what(f)
	steps := append(c.lies(f), causes.Link{Cause: c.id, Text: what, At: e.At, Evidence: e.Evidence})
	if e.Asked.Answer == finding.Yes && e.How != evidence.EndDeleted {
		steps = append(steps, causes.Link{Role: report.RoleMechanism, Cause: causes.PodDeleted,
			Text: "the pod was deleted", At: e.Asked.At, Evidence: e.Asked.Evidence})
	}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleDecision,
			Text: "the kubelet stopped the container with the rest of the pod", At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	then, last := "; it ended with its pod and will not restart in it", after(f)
	switch {
	case f.R.WholePod():
		then = ""
	case f.R.To != nil:
		then, last = "", causes.Then(f)
	case e.Soft:
		then, last = "; it was stopped with its pod, which may start again when that changes", causes.Then(f)
	}
	if !f.R.WholePod() {
		steps = append(steps, causes.EndStep(f))
	}
	steps = append(steps, last)
	claim := &causes.Claim{
		Strength: s, Chain: steps, Summary: causes.Who(f) + ": " + what + then,
		Needs: causes.NeedKubeletLog(f), Kind: kindOf(f),
	}
	if c.shared != "" {
		claim.Root = &causes.Root{Key: c.shared + window(e.At, f.R.End()), At: e.At,
			Summary: fmt.Sprintf("%s on %s", c.shared, causes.Node(f)), Kind: c.shared}
	}
	return claim
}

// forSomething claims an eviction for an unknown resource.
func (c cause) forSomething(f *finding.Findings) *causes.Claim {
	what := quoted("the kubelet on "+causes.Node(f)+" evicted the pod; which resource ran low is not known", f)
	claim := &causes.Claim{
		Strength: causes.Strong, Summary: causes.Who(f) + ": " + what, Hedged: true,
		Needs: causes.NeedKubeletLog(f), Kind: kindOf(f),
		Chain: []causes.Link{{Cause: c.id, Text: what, At: f.End.At, Evidence: f.End.Evidence}, after(f)},
	}
	return claim
}

// kindOf returns the kind for a pod without a known container: one that the kubelet did not admit never started.
func kindOf(f *finding.Findings) report.ItemKind {
	if f.R.WholePod() && f.End.Refused {
		return report.Refused
	}
	return ""
}

// window returns a key shared by what happened within the same few minutes.
func window(at, end time.Time) string {
	if at.IsZero() {
		at = end
	}
	return at.UTC().Truncate(tolerance.OneRoot).Format(time.RFC3339)
}

func (c cause) is(e *finding.PodEnd) bool {
	return e.Answer == finding.Yes && e.How == c.how && (c.fits == nil || c.fits(e))
}

func (c cause) against(f *finding.Findings) causes.Against {
	if f.R.To != nil && !comesBack(f) {
		return causes.Contradict(
			"the container restarted in the same pod, but a pod that ends in this way never starts again", f.R.To.Records...)
	}
	if causes.StatedReason(f) {
		return causes.KilledByKubelet(f)
	}
	e := &f.End
	if a := throughTheAPI(c.how, f); a.Holds() {
		return a
	}
	if a := nobodyAsked(c.how, f); a.Holds() {
		return a
	}
	switch {
	case e.Answer == finding.Yes && e.How == c.how && e.Resource == "" && c.how == evidence.EndEvicted:
		return causes.Against{} // the resource is unknown
	case c.is(e):
		if f.Kill.Answer == finding.No {
			return causes.Contradict("the kubelet's log covers this time and shows no kill of this container")
		}
		return causes.Against{}
	case e.Answer == finding.Yes && !e.Unwanted && (more(e.How, c.how) || e.How == c.how):
		return causes.Contradict("the pod ended in another way: "+said(e), e.Evidence...)
	case f.R.Kind == timeline.KindRefused && !f.R.WholePod() && f.R.Pod != nil && e.Answer != finding.Yes:
		return causes.Contradict("the kubelet admitted the pod: it tried to create the container", f.R.Waiting.Evidence...)
	case e.Answer == finding.No:
		return causes.Contradict("the pod has not ended: its phase is " + f.R.Pod.Phase + ", and it is not being deleted")
	case f.Kill.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time and shows no kill of this container")
	case unmarked(f) && (c.how == evidence.EndAPI || c.how == evidence.EndTaint || c.how == evidence.EndScheduler):
		return causes.Contradict(
			"the pod is being deleted without a DisruptionTarget condition, which is set before such a deletion since v1.31",
			e.Evidence...)
	}
	return causes.Against{}
}

// conditionsFrom is the minor from which API server, scheduler and controllers cannot be configured to omit the
// condition DisruptionTarget (feature PodDisruptionConditions: on in 1.26, locked in 1.31). No kubelet is newer than
// its API server.
const conditionsFrom = 31

// unmarked reports whether a pod that the API has is being deleted without a condition that says who disrupted it.
func unmarked(f *finding.Findings) bool {
	p := f.R.Pod
	return p != nil && p.Object != nil && !p.DeletedAt.IsZero() && f.End.How == evidence.EndDeleted &&
		f.End.Reason == "" && release.Known(f.Versions.At) >= conditionsFrom &&
		!slices.ContainsFunc(p.Object.Whole().Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.DisruptionTarget
		})
}

// more reports whether a known ending rules another one out. A bare deletion does not: whoever requested it may have
// left no trace of the reason.
func more(known, other evidence.Ending) bool {
	switch known {
	case evidence.EndDeleted, evidence.EndRemoved:
		switch other {
		case evidence.EndEvicted, evidence.EndPreempted, evidence.EndRejected, evidence.EndDeadline, evidence.EndShutdown:
			return true // these leave the pod Failed, with its reason
		}
		return other == evidence.EndDeleted || other == evidence.EndRemoved
	}
	return true
}

// throughTheAPI contradicts API requests as the end of a static pod: only its mirror is in the API (kubelet v1.5–v1.36
// pod/mirror_client.go).
func throughTheAPI(how evidence.Ending, f *finding.Findings) causes.Against {
	switch how {
	case evidence.EndAPI, evidence.EndTaint, evidence.EndScheduler, evidence.EndDeleted:
		if f.Static.Answer == finding.Yes {
			return causes.Contradict("it is a static pod: changes through the API affect only its mirror pod",
				f.Static.Evidence...)
		}
	}
	return causes.Against{}
}

// nobodyAsked contradicts deletions where the API has the pod with the end of its container, but no deletion: a
// deletion is stored before the kubelet stops anything. An object that was read before an end that another source has
// says nothing about what followed.
func nobodyAsked(how evidence.Ending, f *finding.Findings) causes.Against {
	switch how {
	case evidence.EndAPI, evidence.EndTaint, evidence.EndScheduler, evidence.EndDeleted:
		p, r := f.R.Pod, f.R
		if p == nil || p.Object == nil || !p.DeletedAt.IsZero() || p.Reason != "" ||
			p.Described() && (p.Row() || p.Mentioned() || p.Phase == "") { // kubectl describe shows a deletion
			break
		}
		if r.From.InStatus && r.To == nil && r.Waiting.Reason == "" && f.End.Answer != finding.Yes {
			const why = "the pod still exists and shows the end of its container, and nobody has deleted it"
			return causes.Contradict(why, r.From.Records...)
		}
	}
	return causes.Against{}
}

// static reports whether the kubelet has the pod from a file: it keeps its UID, and comes back when the kubelet or the
// node does.
func static(f *finding.Findings) bool { return f.R.Pod != nil && f.R.Pod.Mirror }

// comesBack reports whether the pod may be started again under the same UID. One that was ended for a node shutdown may
// be: when the node was back, the kubelets of 1.20 to 1.22 started what the API had not deleted.
func comesBack(f *finding.Findings) bool {
	return static(f) || f.End.Soft || f.End.How == evidence.EndShutdown
}

// lies returns what is behind the root: a pod is rejected because its kubelet was restarted and admitted it again, and
// a node is shut down because someone requested it.
func (c cause) lies(f *finding.Findings) []causes.Link {
	switch c.how {
	case evidence.EndShutdown:
		return causes.Behind(f, causes.Machine, f.R.End())
	case evidence.EndRejected:
		return readmitted(f)
	case evidence.EndRemoved:
		return causes.AfterStart(f, " and looked for pods that no source has any longer")
	}
	return nil
}

// readmitted returns the start of the kubelet that admitted the pod again, and what it could not know yet.
func readmitted(f *finding.Findings) []causes.Link {
	steps := causes.AfterStart(f, " and admitted every pod that it found again")
	if early := f.EarlyReadiness; steps != nil && early.Answer == finding.Yes &&
		!early.At.Before(f.NodeEvents.Kubelet.At.Add(-time.Second)) {
		steps = append(steps, causes.Link{
			Role: report.RoleBehind, Cause: causes.ReadinessFlip, At: early.At, Evidence: early.Evidence,
			Text: "its readiness was not set yet when the kubelet built the first status: probe workers race with the first " +
				"sync, and without a result the pod counts as not ready",
		})
	}
	return steps
}

func said(e *finding.PodEnd) string {
	switch {
	case e.Resource != "" && e.Reason != "":
		return e.Reason + " for " + e.Resource
	case e.Reason != "":
		return e.Reason
	}
	return string(e.How)
}

// after returns what came next: a pod of the same name, or nothing.
func after(f *finding.Findings) causes.Link {
	if p := f.End.Successor; p != nil {
		return causes.Link{Role: report.RoleEffect, Cause: causes.PodReplaced,
			Text: "another pod of the same name" + uid(p) + " took its place", At: p.CreatedAt}
	}
	if f.End.Reason == evidence.NodeLost {
		return causes.Link{Role: report.RoleEffect,
			Text: "whether its containers still run is not known: the node does not report"}
	}
	return causes.Link{Role: report.RoleEffect, Text: "not restarted: the pod has ended"}
}

// ofDevice reports whether the taint is one of a device, and not of the node.
func ofDevice(f *finding.Findings) bool {
	return f.End.Reason == evidence.DeletionByDeviceTaint || f.End.Reason == evidence.DeviceTaintEviction
}

// quoted appends the message of the API or the kubelet.
func quoted(what string, f *finding.Findings) string { return withMessage(what, f.End.Message) }

func withMessage(what, message string) string {
	if message = strings.TrimRight(message, ". "); message == "" {
		return what
	}
	return what + ": " + message
}

// lowOn begins the message of an eviction (kubelet eviction/helpers.go).
const lowOn = "The node was low on resource: "

func evicted(resource string) func(*finding.Findings) string {
	return func(f *finding.Findings) string {
		if f.End.OwnLimit {
			return quoted("the kubelet on "+causes.Node(f)+" evicted the pod because it used more "+
				resource+" space than its limit allows", f)
		}
		message := f.End.Message
		if rest, ok := strings.CutPrefix(message, lowOn); ok { // the sentence says it
			_, message, _ = strings.Cut(rest, ". ")
		}
		return withMessage("the kubelet on "+causes.Node(f)+" evicted the pod because the node was low on "+resource, message)
	}
}

func low(kind string) func(*finding.PodEnd) bool {
	return func(e *finding.PodEnd) bool { return ending.Scarce(e.Resource) == kind }
}

// says returns what happened in words that are the same for every end, but for the names in it.
func says(text string) func(*finding.Findings) string {
	return func(f *finding.Findings) string { return quoted(causes.Named(f, text), f) }
}
