// Package definition holds the causes behind the kubelet's "definition changed": someone changed the image or another
// field, or nobody did and another kubelet computes another hash for the same spec, or the API server sets another
// field by default. The stored hash distinguishes them: it equals a hash of the present spec under the old kubelet's
// algorithm, or with another image, or with one field less.
//
// Rules only: findings in, claims out. See package causes.
package definition

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/release"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/signs"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/tolerance"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/sim"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Rules returns the rules of this family.
func Rules() []causes.Rule {
	return []causes.Rule{
		{ID: causes.HashKubeletUpgrade, Hypothesis: sim.HashDiffers,
			Title: "Another kubelet version hashes the same spec differently",
			Claim: upgrade, Against: causes.Any(otherReason, againstUpgrade), Do: causes.Always(
				"drain nodes before changing the kubelet's minor version; nothing in the workload needs a fix",
				"see beforehand what a change would restart: kubectl restartwhy preflight --to VERSION -A")},
		{ID: causes.SpecImageChanged, Hypothesis: sim.HashDiffers, Title: "The container's image was changed in the spec",
			Claim: image, Against: causes.Any(otherReason, againstImage), Do: causes.Always(
				"find out who edits pods in place: kubectl get pod {pod} --show-managed-fields -o yaml")},
		{ID: causes.HashAPIServerChange, Hypothesis: sim.HashDiffers,
			Title: "The API server sets another field by default, and older kubelets hash it",
			Claim: defaulting, Against: causes.Any(otherReason, notByAField, againstDefaulting), Do: causes.Always(
				"check when the API server was upgraded or its feature gates changed: on kubelets up to v1.30, every container "+
					"with the field restarts once",
				"nothing in the workload needs a fix; kubelets from v1.31 on do not hash the field")},
		{ID: causes.SpecChanged, Hypothesis: sim.HashDiffers, Title: "A field of the container, not its image, was changed",
			Claim: field, Against: causes.Any(otherReason, notByAField, againstField), Do: findChange},
	}
}

var otherReason = causes.KilledForAnotherReason(evidence.KillDefinition)

// changed reports whether the kubelet itself logged "definition changed".
func changed(f *finding.Findings) bool {
	return f.Kill.Answer == finding.Yes && f.Kill.Reason == evidence.KillDefinition
}

// rehashed reports whether the runtime's records show what the kubelet would have logged: the old and the new container
// have one image and two hashes, and no other reason is known. In a recreated pod the hash changes along with the
// kubelet, but is not the reason.
func rehashed(f *finding.Findings) bool {
	return f.R.To != nil && signs.Rehashed(f) && f.Sandbox.Changed.Answer != finding.Yes &&
		f.Kill.Answer != finding.No && f.Kill.Reason == "" && !f.OOM.Label
}

// sameSpec returns the match that proves two things: the stored hash was made from the present spec, and the kubelet
// that decided computes another hash for it. It returns nil when that is not so, or not known.
func sameSpec(f *finding.Findings) *evidence.SpecHash {
	if len(f.Hashes.OldMade) == 0 || f.Versions.SameProcess {
		return nil // one process has one algorithm
	}
	decided := release.Minor(f.Versions.At)
	if decided == 0 {
		return nil
	}
	expected := f.Expected(decided)
	if expected == "" || expected == f.Hashes.Old {
		return nil
	}
	for i := range f.Hashes.OldMade {
		made := &f.Hashes.OldMade[i]
		if made.Image == f.R.Spec.Image && !made.Covers(decided) && (f.Hashes.New == "" || f.Hashes.New == expected) {
			return made
		}
	}
	return nil
}

// otherImage returns the match that proves that the stored hash was made from this spec with another image, by the
// algorithm of the kubelet that decided.
func otherImage(f *finding.Findings) *evidence.SpecHash {
	if len(f.Hashes.OldMade) == 0 {
		return nil
	}
	decided := release.Minor(f.Versions.At)
	for i := range f.Hashes.OldMade {
		if made := &f.Hashes.OldMade[i]; made.Image != f.R.Spec.Image && made.Covers(decided) {
			return made
		}
	}
	return nil
}

func upgrade(f *finding.Findings) *causes.Claim {
	told, again := changed(f), rehashed(f)
	if !told && !again && !inAWave(f) {
		return nil
	}
	v := f.Versions
	made := sameSpec(f)
	var s causes.Strength
	switch {
	case !told:
		s = causes.Strong
	case made != nil:
		s = identifies(made)
	case v.Before != "" && crossesEra(f, release.Minor(v.Before), release.Minor(v.At)):
		s = causes.Strong
		if signs.Edited(f) {
			s = causes.Weak
		}
	case v.Before == "" && f.Images.Differ != finding.Yes && f.Images.Write.IsZero() &&
		f.NodeEvents.Kubelet.Answer == finding.Yes:
		s = causes.Strong // a new kubelet process, and nobody wrote to the spec
		if !signs.StoppedByNew(f) || mayBeEdited(f) || v.SameVersion || v.Compared || signs.Edited(f) {
			s = causes.Weak // a kubelet that starts decides at once about all containers, not about one
		}
	case f.Images.Differ != finding.Yes && f.Images.Write.IsZero() && !v.SameProcess && !f.Events:
		s = causes.Weak // the event of the kubelet's start may have expired
	default:
		return nil
	}
	from := v.Before
	if from == "" && made != nil {
		from = "a " + minors(made) + " version"
	}
	exchange := release.Exchange(v.Before, v.At)
	if v.Before == "" && made != nil && release.Minor(v.At) != 0 {
		exchange = release.Exchange(fmt.Sprintf("v1.%d", made.ToMinor), fmt.Sprintf("v1.%d", release.Minor(v.At)))
	}
	was, hashes := " was ", " and hashes the same spec differently"
	switch {
	case s == causes.Weak:
		was, hashes = " may have been ", " and may hash the same spec differently"
	case made != nil && identifies(made) == causes.Decisive:
		hashes = " and hashes this unchanged spec differently"
	}
	what := "the kubelet on " + causes.Node(f) + was + exchange + versions(from, v.At)
	root := causes.Link{Cause: causes.HashKubeletUpgrade, Text: what, At: v.UpgradedAt, Evidence: v.Evidence}
	steps := append(causes.Behind(f, causes.Kubelet, v.UpgradedAt), root)
	if made != nil {
		text := fmt.Sprintf("kubelets %s hash this spec as %s, the stored hash (%s); %s hashes it as %s",
			minors(made), f.Hashes.Old, made.Algorithm, release.TakenFor(v.At), f.Expected(release.Minor(v.At)))
		steps = append(steps, causes.Link{Role: report.RoleMechanism, Text: text, Evidence: f.Hashes.Evidence})
	}
	if h := f.Hashes; made == nil && h.Expected != "" && h.Expected != h.Old {
		text := fmt.Sprintf("the stored hash is %s, but %s expects %s; it is not known which spec the stored hash comes from",
			h.Old, orUnknown(v.At), h.Expected)
		steps = append(steps, causes.Link{Role: report.RoleMechanism, Text: text,
			At: f.Kill.DecidedAt, Evidence: f.Kill.Evidence})
	}
	switch {
	case !told && !again:
		steps = append(steps, theWave(f))
	case !told:
		steps = append(steps, causes.Link{Role: report.RoleMechanism,
			Text: fmt.Sprintf("the runtime's records show hash %s for the old container and %s for the new one, with the same "+
				"image in the same sandbox", f.Hashes.Old, f.Hashes.New), Evidence: f.Hashes.Evidence})
	default:
		steps = append(steps, decision(f))
	}
	steps = append(steps, causes.EndStep(f), causes.Then(f))
	c := &causes.Claim{
		Strength: s, Hedged: s == causes.Weak, Chain: steps,
		Summary: causes.Who(f) + ": " + what + hashes + so(f),
		Root: &causes.Root{Key: v.At + v.UpgradedAt.UTC().Format(time.RFC3339),
			At: v.UpgradedAt, Summary: what, Kind: "the kubelet was " + exchange + versions(from, v.At),
			Apart: tolerance.Rollout},
	}
	if made == nil {
		c.Needs = causes.NeedRuntimeRecords(f, "the old container's stored hash, from the runtime's records")
	}
	return c
}

// mayBeEdited reports whether someone may have edited the image just when the kubelet started: no log covers the node's
// other containers, and none of them was replaced along with this one.
func mayBeEdited(f *finding.Findings) bool {
	return f.Together == 0 && !f.KubeletLog && !f.RuntimeLog && !rehashed(f)
}

// identifies returns the strength of an equal hash. Adler-32 of a short text has few values: two tags of one image
// easily collide.
func identifies(made *evidence.SpecHash) causes.Strength {
	if made.Algorithm == hash.Adler32Struct {
		return causes.Strong
	}
	return causes.Decisive
}

// crossesEra reports whether the two minors hash the same spec differently.
func crossesEra(f *finding.Findings, a, b int) bool {
	x, y := f.Expected(a), f.Expected(b)
	if x != "" && y != "" {
		return x != y
	}
	return a > 0 && b > 0 && (min(a, b) <= hash.LastStruct || (a <= hash.LastWholeSpec) != (b <= hash.LastWholeSpec))
}

// describe says what made a hash.
func describe(h *evidence.SpecHash) string {
	of := "image " + h.Image
	switch {
	case h.Without != "":
		of = "this spec without " + h.Without
	case h.With != "":
		of = "this spec with " + h.With
	}
	return fmt.Sprintf("%s hash (kubelet v1.%d–v1.%d) of %s", h.Algorithm, h.FromMinor, h.ToMinor, of)
}

func minors(i *evidence.SpecHash) string {
	if i.FromMinor == i.ToMinor {
		return fmt.Sprintf("v1.%d", i.FromMinor)
	}
	return fmt.Sprintf("v1.%d–v1.%d", i.FromMinor, i.ToMinor)
}

// versions returns " from v1.30.14 to v1.31.0", or what is known of both.
func versions(from, to string) string {
	switch {
	case from == "" && to == "":
		return " (the versions are not known)"
	case from == "":
		return " to " + to
	}
	return " from " + from + " to " + orUnknown(to)
}

func orUnknown(version string) string {
	if version == "" {
		return "an unknown version"
	}
	return version
}

func decision(f *finding.Findings) causes.Link {
	return causes.Link{
		Role: report.RoleDecision,
		Text: fmt.Sprintf("the kubelet saw container %s as changed and killed it to recreate it (computePodActions)",
			f.R.Container),
		At: f.Kill.At, Evidence: f.Kill.Evidence,
	}
}

// so says what the kubelet did to the container because of its hash.
func so(f *finding.Findings) string {
	if f.R.To == nil {
		return ", so it killed the container"
	}
	return ", so it recreated the container"
}

func againstUpgrade(f *finding.Findings) causes.Against {
	if v := f.Versions; v.SameProcess {
		return causes.Contradict("the same kubelet process created the container and found it changed", v.Evidence...)
	}
	if v := f.Versions; v.SameVersion && !comparesTwoWays(v.At) {
		return causes.Contradict("the kubelet restarted but was "+v.At+" before too: the same version computes the same hash",
			v.Evidence...)
	}
	if f.Versions.Extrapolated != "" {
		return causes.Against{} // it is unknown which algorithm it compares with
	}
	if made := otherImage(f); made != nil && sameSpec(f) == nil {
		return causes.Contradict("the stored hash comes from another image: "+describe(made), f.Hashes.Evidence...)
	}
	if v := varied(f); v != nil && sameSpec(f) == nil {
		return causes.Contradict("the stored hash comes from this kubelet's own algorithm: it is the "+describe(v),
			f.Hashes.Evidence...)
	}
	return causes.Against{}
}

// comparesTwoWays reports whether the kubelet compares another hash when its gate InPlacePodVerticalScaling is on: the
// same version with another configuration finds every container changed (kubelet v1.27–v1.30 kuberuntime_manager.go
// containerChanged). A version that is unknown or not modelled counts as yes.
func comparesTwoWays(version string) bool {
	minor := release.Known(version)
	return minor == 0 || minor >= 27 && minor <= hash.LastWholeSpec
}

func image(f *finding.Findings) *causes.Claim {
	if !changed(f) || sameSpec(f) != nil || varied(f) != nil {
		return nil
	}
	im := f.Images
	made := otherImage(f)
	var s causes.Strength
	switch {
	case made != nil:
		s = identifies(made)
	case im.Differ == finding.Yes:
		s = causes.Decisive
	case im.OneName:
		s = causes.Strong // only the hashes say so, and a start of another kubelet may be missing
	case (f.Versions.SameProcess || f.Versions.SameVersion) && release.Minor(f.Versions.At) > hash.LastWholeSpec:
		s = causes.Decisive // this kubelet hashes name and image, and so did the one that made it
	case !im.Write.IsZero() && !f.Kill.At.IsZero() && f.Kill.At.Sub(im.Write).Abs() < tolerance.EditLag:
		s = causes.Strong
	case signs.Edited(f):
		s = causes.Strong
	case f.Versions.SameProcess, f.Versions.SameVersion, f.NodeEvents.Kubelet.Answer != finding.Yes, mayBeEdited(f):
		s = causes.Weak
	default:
		return nil
	}
	old := im.Old
	if made != nil {
		old = made.Image
	}
	what := "its image was changed in the spec"
	switch current := specImage(f); {
	case old != "" && current != "" && old != current:
		what += fmt.Sprintf(" from %s to %s", old, current)
	case current != "":
		what += " to " + current
	}
	root := causes.Link{Cause: causes.SpecImageChanged, Text: what, At: im.Write, Evidence: im.Evidence}
	if im.Differ != finding.Yes { // the names do not show it, the hashes do
		root.Evidence = slices.Concat(im.Evidence, f.Hashes.Evidence)
	}
	if signs.Edited(f) {
		root.At, root.Evidence = cmp.Or(im.Write, im.Updated.At), slices.Concat(root.Evidence, im.Updated.Evidence)
	}
	if im.Manager != "" {
		root.Text += " (last written by " + im.Manager + ")"
	}
	steps := []causes.Link{root}
	if made != nil {
		steps = append(steps, causes.Link{Role: report.RoleMechanism,
			Text: fmt.Sprintf("the stored hash %s is the %s", f.Hashes.Old, describe(made)), Evidence: f.Hashes.Evidence})
	}
	c := &causes.Claim{
		Strength: s, Chain: append(steps, decision(f), causes.EndStep(f), causes.Then(f)),
		Summary: fmt.Sprintf("%s: %s, so the kubelet replaced it", causes.Who(f), what),
	}
	if s < causes.Decisive {
		c.Needs = causes.NeedRuntimeRecords(f, "the runtime's records of both containers (image and stored hash)")
	}
	return c
}

// specImage returns the image that the new container was made from. The present spec's may be a later one.
func specImage(f *finding.Findings) string {
	if f.Images.New != "" || f.R.Spec == nil {
		return f.Images.New
	}
	return f.R.Spec.Image
}

func againstImage(f *finding.Findings) causes.Against {
	if made := sameSpec(f); made != nil {
		return causes.Contradict(fmt.Sprintf("the stored hash %s was computed from this image and name", f.Hashes.Old),
			f.Hashes.Evidence...)
	}
	if v := varied(f); v != nil {
		return causes.Contradict("the stored hash was computed from this image: it is the "+describe(v),
			f.Hashes.Evidence...)
	}
	if f.Images.Differ == finding.No {
		return causes.Contradict("both containers use image "+f.Images.Old, f.Images.Evidence...)
	}
	return causes.Against{}
}
