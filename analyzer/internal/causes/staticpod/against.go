package staticpod

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// noStaticEnd returns the contradictions of all causes of this family.
func noStaticEnd(f *finding.Findings) causes.Against {
	s, e := &f.Static, &f.End
	switch {
	case s.Answer == finding.No:
		return causes.Contradict("it is not a static pod: it comes from the API server", s.Evidence...)
	case causes.StatedReason(f):
		return causes.KilledByKubelet(f)
	case f.Kill.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time and shows no kill of this container")
	case e.Answer == finding.Yes && e.How != evidence.EndRemoved && e.How != evidence.EndDeleted:
		return causes.Contradict("the pod ended in another way: "+string(e.How), e.Evidence...)
	}
	return causes.Against{}
}

// sameUID contradicts the causes that give the pod another UID.
func sameUID(f *finding.Findings) causes.Against {
	switch {
	case f.R.To != nil:
		return causes.Contradict("it restarted in the same pod: its UID did not change", f.R.To.Records...)
	case f.R.Successor != nil:
		return causes.Against{}
	case f.R.Pod != nil && f.R.Pod.Mirror:
		return causes.Contradict("the static pod still has the same UID")
	}
	return causes.Against{}
}

// ownUID reports whether the pod ran under a UID that its manifest sets: none that a kubelet computes.
func ownUID(f *finding.Findings) bool {
	return f.Static.Answer == finding.Yes && f.R.Pod == nil && f.R.From.ID != "" && f.R.UID() != "" &&
		!timeline.ComputedUID(f.R.UID())
}

func againstChanged(f *finding.Findings) causes.Against {
	s := &f.Static
	if parted(f) {
		return causes.Contradict("the kubelet dropped the static pod and added no pod of the same name",
			s.Removed.Evidence...)
	}
	if len(s.Recomputed) > 0 && f.Versions.Extrapolated == "" && f.NodeEvents.Kubelet.Answer == finding.Yes &&
		s.Removed.Answer != finding.Yes && s.Images != finding.Yes {
		return causes.Contradict(
			fmt.Sprintf("the kubelet went from %s to %s, which computes another UID for every manifest, changed or not",
				s.Was, f.Versions.At), kubelets(f)...)
	}
	return causes.Against{}
}

func againstUpgrade(f *finding.Findings) causes.Against {
	s := &f.Static
	switch {
	case s.Removed.Answer == finding.Yes:
		return causes.Contradict("the kubelet that dropped the old pod had computed its UID itself", s.Removed.Evidence...)
	case s.SameVersion:
		return causes.Contradict("the same kubelet version computed both UIDs: "+f.Versions.At, f.Versions.Evidence...)
	case ownUID(f):
		return causes.Contradict("the manifest sets the pod's UID, which no kubelet computes, and every version keeps it",
			s.Evidence...)
	case s.ManifestUID != "":
		return causes.Contradict("the manifest sets the pod's UID, and every version keeps it", s.ManifestAt.Evidence...)
	case s.SameRecipe:
		return causes.Contradict(fmt.Sprintf("%s and %s compute the same UIDs", s.Was, f.Versions.At), f.Versions.Evidence...)
	}
	return causes.Against{}
}

func againstRemoved(f *finding.Findings) causes.Against {
	s := &f.Static
	switch {
	case renamed(f) && !parted(f):
		return causes.Contradict("the static pod continues under another UID: "+newUID(f), s.Added.Evidence...)
	case s.Removed.Answer == finding.No && s.Orphan.Answer != finding.Yes && f.NodeEvents.Kubelet.Answer == finding.No:
		return causes.Contradict("the kubelet's log covers this time, and the kubelet never dropped the static pod")
	case f.R.To != nil && s.Removed.Answer == finding.No:
		return causes.Contradict("it restarted in the same pod, and the kubelet never dropped that static pod",
			f.R.To.Records...)
	}
	return causes.Against{}
}
