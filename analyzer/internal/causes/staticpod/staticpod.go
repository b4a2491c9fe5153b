// Package staticpod holds the causes that end static pods, which the kubelet has from files: the manifest was changed,
// another kubelet computes another UID for the same manifest, or the manifest is gone. The UID is a hash of the
// manifest, so a change makes it another pod, which by name looks like the same one, restarted.
//
// Rules only: findings in, claims out. See package causes.
package staticpod

import (
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.StaticPodKubeletUpgrade, Title: "Another kubelet version computes another UID for the same static pod",
			WholePod: true, Claim: upgrade, Against: causes.Any(noStaticEnd, sameUID, againstUpgrade), Do: causes.Always(
				"expect this: nearly every minor version computes new UIDs for all static pods; upgrade control plane nodes one "+
					"after another", "every version keeps a UID that is set in the manifest (metadata.uid)")},
		{ID: causes.StaticPodChanged, Title: "The static pod's manifest was changed",
			WholePod: true, Claim: changed, Against: causes.Any(noStaticEnd, sameUID, againstChanged),
			Do: causes.Always("find out who changed the manifest on {node}: kubeadm, configuration management, a person " +
				"(stat and audit log of the file)")},
		{ID: causes.StaticPodRemoved, Title: "The static pod's manifest was removed or could not be read",
			WholePod: true, Claim: removed, Against: causes.Any(noStaticEnd, againstRemoved),
			Do: causes.Always("check the directory of static pods on {node} (staticPodPath) and who changed it")},
	}
}

// stopped reports whether the kubelet ended a static pod's container without a reason specific to this container.
func stopped(f *finding.Findings) bool {
	return f.Static.Answer == finding.Yes && f.Kill.Answer != finding.No && !causes.StatedReason(f)
}

// parted reports whether the kubelet removed the pod from its files without adding another instead: what came later is
// another matter.
func parted(f *finding.Findings) bool {
	s := &f.Static
	return s.Removed.Answer == finding.Yes && s.Added.Answer == finding.No && s.Instead.Answer != finding.Yes
}

// renamed reports whether another UID replaced the old one: a known one, or that of the pod of this name which the
// kubelet added to its files at the moment in which it removed the old one (config/config.go Merge).
func renamed(f *finding.Findings) bool {
	s := &f.Static
	return f.R.To == nil && (f.R.Successor != nil ||
		s.Added.Answer == finding.Yes && s.Added.At.Sub(s.Removed.At) < tolerance.OneMerge)
}

// newUID returns what replaced the old one, as text.
func newUID(f *finding.Findings) string {
	if f.R.Successor == nil {
		return "another one"
	}
	return f.R.Successor.PodUID
}

func changed(f *finding.Findings) *causes.Claim {
	s := &f.Static
	if s.Instead.Answer == finding.Yes && stopped(f) && f.R.To == nil {
		return becameAnother(f)
	}
	if !stopped(f) || !renamed(f) || parted(f) {
		return nil
	}
	edited := s.ManifestAt.Answer == finding.Yes && f.Kill.Answer == finding.Yes &&
		!s.ManifestAt.At.After(f.Kill.At.Add(time.Second)) && s.ManifestAt.At.After(f.R.From.Started) &&
		!f.R.From.Started.IsZero()
	var strength causes.Strength
	switch {
	case len(s.Recomputed) > 0 && s.Images != finding.Yes:
		return nil // the other kubelet explains it without an edit
	case len(s.Recomputed) > 0:
		strength = causes.Strong
	case f.R.Successor != nil && s.Removed.Answer == finding.Yes && s.Added.Answer == finding.Yes &&
		f.Kill.Answer == finding.Yes:
		strength = causes.Decisive // the kubelet that had computed the old UID computed another one
	case edited && s.SameVersion:
		strength = causes.Decisive
	case edited, s.SameVersion, s.Removed.Answer == finding.Yes, s.Images == finding.Yes,
		f.NodeEvents.Kubelet.Answer == finding.No:
		strength = causes.Strong
	default:
		strength = causes.Weak
	}
	what := fmt.Sprintf("the manifest of static pod %s/%s was changed", f.R.Namespace, f.R.PodName)
	if s.Manifest != "" {
		what = fmt.Sprintf("the manifest %s of static pod %s/%s was changed", s.Manifest, f.R.Namespace, f.R.PodName)
	}
	if s.Images == finding.Yes {
		what += fmt.Sprintf(", including the image (%s to %s)", f.R.From.Image, f.R.Successor.Instance.Image)
	}
	root := causes.Link{Cause: causes.StaticPodChanged, Text: what, Evidence: s.Removed.Evidence}
	if edited {
		root.At, root.Evidence = s.ManifestAt.At, s.ManifestAt.Evidence
	}
	c := &causes.Claim{
		Strength: strength, Chain: append([]causes.Link{root, computed(f)}, ending(f)...), Kind: kind(f),
		Summary: fmt.Sprintf("%s: %s; %s, so the kubelet stopped the old pod and recreated it as %s", causes.Who(f), what,
			whose(f), newUID(f)),
	}
	if strength < causes.Decisive {
		c.Needs = append(causes.NeedKubeletLog(f), needManifest(f)...)
	}
	return c
}

// becameAnother claims from a pod of another name that came when this one went. The kubelet does not say of which file
// a pod is, so that one file may have replaced another.
func becameAnother(f *finding.Findings) *causes.Claim {
	s, pod := &f.Static, f.R.Namespace+"/"+f.R.PodName
	what := fmt.Sprintf("the manifest of static pod %s was changed, or replaced: it is pod %s now", pod, s.Other)
	root := causes.Link{Cause: causes.StaticPodChanged, Text: what, At: s.Instead.At,
		Evidence: slices.Concat(s.Instead.Evidence, s.Removed.Evidence)}
	strength := causes.Weak
	if s.OnlyOne {
		strength = causes.Strong
	}
	return &causes.Claim{
		Strength: strength, Chain: append([]causes.Link{root}, ending(f)...),
		Summary: causes.Who(f) + ": " + what + ", and the kubelet stopped the old one", Needs: needManifest(f),
	}
}

// whose says why the changed manifest makes another pod.
func whose(f *finding.Findings) string {
	if ownUID(f) {
		return "the manifest sets another UID"
	}
	return "its UID is a hash of the manifest"
}

// computed returns the link where the other UID appears.
func computed(f *finding.Findings) causes.Link {
	s := &f.Static
	step := causes.Link{Role: report.RoleMechanism, At: s.Removed.At,
		Evidence: slices.Concat(s.Removed.Evidence, s.Added.Evidence)}
	step.Text = fmt.Sprintf("the UID that the kubelet computes for it is now %s instead of %s",
		newUID(f), f.R.PodUID)
	if ownUID(f) {
		step.Text = fmt.Sprintf("the UID in the manifest is now %s instead of %s", newUID(f), f.R.PodUID)
	}
	if s.Removed.Answer == finding.Yes {
		step.Text += ": the kubelet dropped the old pod and added another one of the same name"
	}
	return step
}

func upgrade(f *finding.Findings) *causes.Claim {
	s, v := &f.Static, &f.Versions
	if !stopped(f) || !renamed(f) || s.Removed.Answer == finding.Yes {
		return nil
	}
	known := len(s.Recomputed) > 0
	var strength causes.Strength
	switch {
	case known && f.NodeEvents.Kubelet.Answer == finding.Yes && f.Kill.Answer == finding.Yes:
		strength = causes.Decisive
	case known:
		strength = causes.Strong
	case !s.SameRecipe && !s.SameVersion && f.NodeEvents.Kubelet.Answer == finding.Yes:
		strength = causes.Weak // a kubelet started; the version before it, or the UIDs that they compute, are unknown
		if s.ManifestAt.Answer == finding.Yes && s.ManifestAt.At.Before(f.R.From.Started) {
			strength = causes.Strong // and the file is older than the old pod
		}
		if s.Was != "" && v.Extrapolated != "" {
			strength = causes.Strong // nearly every minor computes other UIDs
		}
	default:
		return nil
	}
	what := fmt.Sprintf("the kubelet on %s was %s from %s to %s", causes.Node(f),
		release.Exchange(s.Was, v.At), s.Was, v.At)
	summary := what
	makes := "computes"
	switch {
	case known:
	case s.Was != "":
		summary, makes = what+", and it is not known whether both compute the same UID for its manifest", "may compute"
	default:
		what = fmt.Sprintf("the kubelet on %s restarted, and its previous version is not known", causes.Node(f))
		summary = what
	}
	at := v.UpgradedAt
	if at.IsZero() {
		at = f.NodeEvents.Kubelet.At
	}
	steps := []causes.Link{{Cause: causes.StaticPodKubeletUpgrade, Text: what, At: at, Evidence: kubelets(f)}}
	mechanism := computed(f)
	if known {
		last := s.Recomputed[len(s.Recomputed)-1]
		mechanism.Text += fmt.Sprintf("; v1.%d computes another one for every manifest (%s)", last.Minor, last.Why())
	}
	if s.Orphan.Answer == finding.Yes {
		mechanism.At, mechanism.Evidence = s.Orphan.At, s.Orphan.Evidence
		mechanism.Text += "; the old one was running but belonged to no pod that the new kubelet knew"
	}
	c := &causes.Claim{
		Strength: strength, Chain: append(append(steps, mechanism), ending(f)...), Kind: kind(f), Hedged: !known,
		Summary: fmt.Sprintf(
			"%s: %s; another version %s another UID for the same file, so the static pod was recreated as %s",
			causes.Who(f), summary, makes, newUID(f)),
		Root: &causes.Root{Key: "static " + v.At + at.UTC().Format(time.RFC3339), At: at, Summary: what},
	}
	if strength < causes.Decisive {
		c.Needs = append(causes.NeedKubeletLog(f), needManifest(f)...)
	}
	return c
}

// kubelets returns the evidence of the starts of the kubelets before and after.
func kubelets(f *finding.Findings) []string {
	if len(f.Versions.Evidence) > 0 {
		return f.Versions.Evidence
	}
	return f.NodeEvents.Kubelet.Evidence
}

func removed(f *finding.Findings) *causes.Claim {
	s := &f.Static
	if !stopped(f) || renamed(f) && !parted(f) {
		return nil
	}
	back := f.R.To != nil || renamed(f)
	var strength causes.Strength
	switch {
	case s.Instead.Answer == finding.Yes && !back:
		strength = causes.Weak
	case s.Removed.Answer == finding.Yes && f.Kill.Answer == finding.Yes:
		strength = causes.Decisive
	case back && s.Removed.Answer != finding.No && mirrorAnew(f):
		strength = causes.Weak
	case back:
		return nil
	case s.Removed.Answer == finding.Yes:
		strength = causes.Strong // no line shows that its containers ended
	case s.Orphan.Answer == finding.Yes:
		strength = causes.Strong
	case f.Kill.Answer == finding.Yes && f.R.Pod == nil && f.T.Listed():
		strength = causes.Weak
	default:
		return nil
	}
	pod := f.R.Namespace + "/" + f.R.PodName
	what := "the manifest of static pod " + pod + " was removed"
	switch {
	case s.Unread.Answer == finding.Yes:
		what = fmt.Sprintf("the kubelet could not read %s, the source of static pod %s", s.UnreadPath, pod)
		if s.Trouble != "" {
			what += ": " + s.Trouble
		}
	case back:
		what += " and put back"
	}
	root := causes.Link{Cause: causes.StaticPodRemoved, Text: what, At: s.Removed.At, Evidence: s.Removed.Evidence}
	steps := []causes.Link{root}
	if s.Unread.Answer == finding.Yes {
		steps[0].At, steps[0].Evidence = s.Unread.At, s.Unread.Evidence
		steps = append(steps, causes.Link{Role: report.RoleMechanism,
			Text: "the kubelet dropped the pod from its list of static pods", At: s.Removed.At, Evidence: s.Removed.Evidence})
	}
	if s.Orphan.Answer == finding.Yes && s.Removed.Answer != finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleMechanism,
			Text: "a kubelet that had just started found it running, but not in any of its sources",
			At:   s.Orphan.At, Evidence: s.Orphan.Evidence})
	}
	c := &causes.Claim{
		Strength: strength, Chain: append(steps, ending(f)...), Kind: kind(f),
		Summary: fmt.Sprintf("%s: %s, and the kubelet stopped the pod", causes.Who(f), what),
	}
	if strength < causes.Decisive {
		c.Needs = append(causes.NeedKubeletLog(f), needManifest(f)...)
	}
	return c
}

// mirrorAnew reports whether the mirror in the API was created between the two instances: it goes with the file, and
// also when someone deletes it.
func mirrorAnew(f *finding.Findings) bool {
	p, r := f.R.Pod, f.R
	return r.To != nil && p != nil && p.Mirror && f.Kill.Answer == finding.Yes &&
		!r.From.Finished.IsZero() && p.CreatedAt.After(r.From.Finished) && !p.CreatedAt.After(r.To.Started)
}

// ending returns the links for how a static pod's container ends, and what came after.
func ending(f *finding.Findings) []causes.Link {
	var steps []causes.Link
	if f.Kill.Answer == finding.Yes {
		steps = append(steps, causes.Link{Role: report.RoleDecision,
			Text: "the kubelet stopped the container with the rest of the old pod", At: f.Kill.At, Evidence: f.Kill.Evidence})
	}
	return append(steps, causes.EndStep(f), causes.Then(f))
}

// kind returns the item's kind: by name it is a restart.
func kind(f *finding.Findings) report.ItemKind {
	if f.R.Successor != nil && f.R.Successor.Instance != nil {
		return report.Restart
	}
	return ""
}

func needManifest(f *finding.Findings) []causes.Need {
	if f.Static.ManifestAt.Answer == finding.Yes {
		return nil
	}
	return []causes.Need{causes.NeedNode(f, "when the static pod's manifest was last changed",
		"it would show whether the manifest was edited or only the kubelet changed")}
}
