package podend

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// replaced claims that there is no restart at all: a pod was deleted and another one got its name, as with
// StatefulSets. A more specific end of the old pod takes precedence.
func replaced(f *finding.Findings) *causes.Claim {
	next := f.End.Successor
	if next == nil || f.R.To != nil || f.Static.Answer == finding.Yes || causes.StatedReason(f) {
		return nil
	}
	s := causes.Weak
	switch how := f.End.How; {
	case how == evidence.EndDeleted && f.Kill.Answer == finding.Yes:
		s = causes.Decisive
	case how == evidence.EndDeleted, how == evidence.EndRemoved, f.Kill.Answer == finding.Yes:
		s = causes.Strong
	case how != "":
		return nil // the table is more specific
	}
	deleted, owned := "the pod was deleted", by(f)
	if who := f.End.By; who != "" {
		deleted, owned = deleted+" by "+who, ""
	}
	what := deleted + ", and another pod of the same name" + uid(next) + " took its place" + owned
	steps := []causes.Link{{Cause: causes.PodReplaced, Text: what, At: f.End.At, Evidence: f.End.Evidence}}
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleMechanism, Cause: causes.PodDeleted,
			Text: "the kubelet stopped the container with the rest of the old pod", At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	if !f.R.WholePod() {
		steps = append(steps, causes.EndStep(f))
	}
	return &causes.Claim{
		Mechanism: causes.PodDeleted, Strength: s, Kind: report.None,
		Chain: append(steps,
			causes.Link{Role: report.RoleEffect, Text: "another pod was created", At: next.CreatedAt}),
		Summary: causes.Who(f) + ": not a container restart: " + what,
		Needs:   causes.NeedKubeletLog(f),
	}
}

func whoReplaced(f *finding.Findings) []string {
	if f.End.By != "" {
		return []string{asked}
	}
	return []string{"find out who deleted the old pod: a rollout of its owner, a drain, a person (see the API server's " +
		"audit log)"}
}

func againstReplaced(f *finding.Findings) causes.Against {
	switch {
	case f.R.To != nil:
		return causes.Contradict("the next container started in the same pod, with the same UID", f.R.To.Records...)
	case f.Static.Answer == finding.Yes:
		return causes.Contradict("it is a static pod: with another UID, it still comes from the same manifest",
			f.Static.Evidence...)
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.End.Successor == nil && f.R.Pod != nil:
		return causes.Contradict("the pod still exists: no other pod has its name")
	case f.Kill.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time and shows no kill of this container")
	case f.End.Answer == finding.Yes && rankOfItsOwn(f.End.How):
		return causes.Contradict("the pod had already ended: "+said(&f.End), f.End.Evidence...)
	}
	return causes.Against{}
}

// rankOfItsOwn reports whether it is an ending with its own explanation rather than a bare deletion.
func rankOfItsOwn(how evidence.Ending) bool {
	return how != evidence.EndDeleted && how != evidence.EndRemoved
}

// uid names a pod's UID, unless the pod is known only from a text, which has none.
func uid(p *evidence.Pod) string {
	if p.Described() {
		return ""
	}
	return " (UID " + p.UID + ")"
}
