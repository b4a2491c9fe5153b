package definition

import (
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// This file holds the two causes in which a field other than the image differs. They exist only with kubelets up to
// v1.30: later ones hash only name and image.

// varied returns the match that proves that the stored hash was made from this spec with one field less or more, by the
// algorithm of the kubelet that decided. Some API servers set that field by default. It returns nil when that is not
// so, or not known.
func varied(f *finding.Findings) *evidence.SpecHash {
	if len(f.Hashes.OldVaried) == 0 {
		return nil
	}
	decided := release.Minor(f.Versions.At)
	expected := f.Expected(decided)
	if decided == 0 || expected == "" || expected == f.Hashes.Old || f.Hashes.New != "" && f.Hashes.New != expected {
		return nil
	}
	for i := range f.Hashes.OldVaried {
		if v := &f.Hashes.OldVaried[i]; v.Covers(decided) {
			return v
		}
	}
	return nil
}

// ofAnotherKubelet reports whether the previous kubelet did not know the field at all: it stored the same hash with and
// without the field, so that the upgrade explains everything.
func ofAnotherKubelet(f *finding.Findings, v *evidence.SpecHash) bool {
	before := release.Minor(f.Versions.Before)
	return before > 0 && !v.Covers(before) && sameSpec(f) != nil
}

func defaulting(f *finding.Findings) *causes.Claim {
	v := varied(f)
	switch {
	case !changed(f):
		return nil
	case v == nil:
		return mayDefault(f)
	}
	what := fmt.Sprintf("the API server now sets %s by default and did not when the container was created", v.Without)
	if v.With != "" {
		what = fmt.Sprintf("the API server set %s by default when the container was created and no longer does", v.With)
	}
	return &causes.Claim{
		Strength: causes.Decisive,
		Summary: fmt.Sprintf("%s: nobody edited its spec; %s, and the kubelet (%s) hashes every field",
			causes.Who(f), what, orUnknown(f.Versions.At)),
		Chain: []causes.Link{
			{Cause: causes.HashAPIServerChange, Text: what, Evidence: f.Hashes.Evidence},
			{Role: report.RoleMechanism, Text: fmt.Sprintf("the stored hash %s is the %s; the current spec hashes to %s",
				f.Hashes.Old, describe(v), f.Expected(release.Minor(f.Versions.At))), Evidence: f.Hashes.Evidence},
			decision(f), causes.EndStep(f), causes.Then(f),
		},
		Root: &causes.Root{Key: v.Without + v.With, Summary: what},
	}
}

// mayDefault claims without the stored hash: one kubelet found the same image changed, and the spec has a field that
// API servers set by default.
func mayDefault(f *finding.Findings) *causes.Claim {
	decided := release.Minor(f.Versions.At)
	if f.Hashes.Old != "" || !sameKubelet(f) || f.Images.Differ != finding.No || f.R.Spec == nil {
		return nil
	}
	for _, h := range f.R.Spec.Hashes {
		if h.Without == "" || decided < h.FromMinor || decided > h.ToMinor {
			continue
		}
		what := "the API server may have started to set " + h.Without + " by default"
		return &causes.Claim{
			Strength: causes.Weak, Hedged: true,
			Summary: fmt.Sprintf("%s: its image is the same; %s, and the kubelet (%s) hashes every field",
				causes.Who(f), what, f.Versions.At),
			Chain: []causes.Link{{Cause: causes.HashAPIServerChange, Text: what, Evidence: f.Images.Evidence},
				decision(f), causes.EndStep(f), causes.Then(f)},
			Needs: causes.NeedRuntimeRecords(f, "the old container's stored hash, from the runtime's records"),
		}
	}
	return nil
}

// sameKubelet reports whether there is no sign of another kubelet: one process saw it all, or processes with the same
// hash, or the events reach back far enough and none of them is a start.
func sameKubelet(f *finding.Findings) bool {
	return f.Versions.SameProcess || f.Versions.SameVersion && !comparesTwoWays(f.Versions.At) ||
		f.Events && f.NodeEvents.Kubelet.Answer != finding.Yes
}

func againstDefaulting(f *finding.Findings) causes.Against {
	if f.Static.Answer == finding.Yes {
		return causes.Contradict("it is a static pod: its spec comes from a file on the node, not from the API server",
			f.Static.Evidence...)
	}
	v := varied(f)
	if made := sameSpec(f); made != nil && (v == nil || ofAnotherKubelet(f, v)) {
		return causes.Contradict("the stored hash was computed from exactly this spec: only the kubelet changed",
			f.Hashes.Evidence...)
	}
	return causes.Against{}
}

func field(f *finding.Findings) *causes.Claim {
	decided := release.Minor(f.Versions.At)
	static := f.Static.Answer == finding.Yes
	if !changed(f) || decided == 0 || decided > hash.LastWholeSpec ||
		f.Images.Differ == finding.Yes || !f.Images.Write.IsZero() {
		return nil
	}
	s := causes.Weak
	switch {
	case !sameKubelet(f):
		return nil // another kubelet is the better guess
	case f.Versions.SameProcess && f.Images.Differ == finding.No && static:
		s = causes.Decisive // one kubelet hashed the same image twice: another field is set now
	case f.Versions.SameProcess && f.Images.Differ == finding.No && f.Hashes.Old != "":
		s = causes.Strong
	}
	what := "a field of the container, not its image, was changed"
	if v := varied(f); v != nil {
		what += ": " + v.Without + v.With
	}
	how := " although the API server's validation does not allow this change to a running pod"
	if static {
		how = " in the manifest of this static pod, which sets its own UID"
	}
	root := causes.Link{Cause: causes.SpecChanged, Text: what + how,
		Evidence: slices.Concat(f.Images.Evidence, f.Versions.Evidence)}
	if at := f.Static.ManifestAt; at.Answer == finding.Yes {
		root.At, root.Evidence = at.At, at.Evidence
	}
	steps := []causes.Link{root}
	if f.Hashes.Old != "" {
		steps = append(steps, causes.Link{Role: report.RoleMechanism, Text: "the stored hash " +
			f.Hashes.Old + " is not the hash of this spec by this kubelet's algorithm", Evidence: f.Hashes.Evidence})
	}
	c := &causes.Claim{
		Strength: s, Chain: append(steps, decision(f), causes.EndStep(f), causes.Then(f)),
		Summary: fmt.Sprintf("%s: %s%s", causes.Who(f), what, how),
	}
	if s < causes.Decisive {
		c.Needs = causes.NeedRuntimeRecords(f, "the runtime's records of both containers (image and stored hash)")
	}
	return c
}

func findChange(f *finding.Findings) []string {
	if f.Static.Answer == finding.Yes {
		return []string{"find out who changed the manifest on " + causes.Node(f) +
			": check its modification time, configuration management, kubeadm"}
	}
	return []string{
		"find the change that the API server let through: a resize (resources) that the kubelets do not support, a default " +
			"of a newer API server, a manual write to etcd",
		"compare the pod with its owner's template: kubectl get pod " + causes.InPod(f) + " -o yaml",
	}
}

func againstField(f *finding.Findings) causes.Against {
	if made := sameSpec(f); made != nil {
		return causes.Contradict(
			fmt.Sprintf("the stored hash %s was computed from exactly this spec (%s): no field of it changed",
				f.Hashes.Old, minors(made)), f.Hashes.Evidence...)
	}
	if v := varied(f); v != nil && f.Static.Answer != finding.Yes {
		return causes.Contradict(
			"the only field that changed is one that API servers set by default: the stored hash is the "+describe(v),
			f.Hashes.Evidence...)
	}
	return causes.Against{}
}

// notByAField returns the contradictions that both causes of this file share.
func notByAField(f *finding.Findings) causes.Against {
	h, v := f.Hashes, f.Versions
	switch {
	case !changed(f) && h.Old != "" && h.Old == h.New:
		return causes.Contradict("both containers have the same stored hash "+h.Old, h.Evidence...)
	case v.Certain && release.Known(v.At) > hash.LastWholeSpec:
		return causes.Contradict("kubelet "+v.At+" hashes only a container's name and image", v.Evidence...)
	case f.Images.Differ == finding.Yes:
		return causes.Contradict("the two containers use different images, and that alone changes the hash",
			f.Images.Evidence...)
	}
	if made := otherImage(f); made != nil && sameSpec(f) == nil {
		return causes.Contradict("the stored hash is the hash of this spec with only the image changed: "+describe(made),
			h.Evidence...)
	}
	return causes.Against{}
}
