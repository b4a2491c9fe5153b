package definition

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// What people read: whose hash is which, and what they can do about it.
func TestTheChainSaysWhichHashIsWhose(t *testing.T) {
	spec := func(f *finding.Findings) {
		causestest.Killed(f, evidence.KillDefinition)
		f.R.Spec.Hashes = []evidence.SpecHash{
			{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: "busybox:1"},
			{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "bbbb", Image: "busybox:1"},
		}
		f.Images = finding.Images{Old: "busybox:1", New: "busybox:1", Differ: finding.No, Evidence: []string{"e5"}}
		f.Versions = finding.Versions{At: "v1.30.14", Certain: true, SameProcess: true, Evidence: []string{"e6"}}
		f.Hashes.Evidence = []string{"e7"}
	}
	varied := func(without, with string) func(*finding.Findings) {
		return func(f *finding.Findings) {
			f.Hashes.Old = "dddd"
			f.Hashes.OldVaried = []evidence.SpecHash{{FromMinor: 27, ToMinor: 30,
				Algorithm: "fnv32a-json", Hex: "dddd", Image: "busybox:1", Without: without, With: with}}
		}
	}
	for name, c := range map[string]struct {
		id     causes.ID
		change []func(*finding.Findings)
		texts  []string
	}{
		"a default that came": {causes.HashAPIServerChange, []func(*finding.Findings){varied("resizePolicy", "")},
			[]string{"the API server now sets resizePolicy by default",
				"dddd is the fnv32a-json hash (kubelet v1.27–v1.30) of this spec without resizePolicy",
				"hashes to aaaa", "killed it to recreate it"}},
		"a default that went": {causes.HashAPIServerChange,
			[]func(*finding.Findings){varied("", "securityContext.procMount")},
			[]string{"set securityContext.procMount by default when the container was created and no longer does",
				"of this spec with securityContext.procMount"}},
		"a static pod's field": {causes.SpecChanged, []func(*finding.Findings){func(f *finding.Findings) {
			f.Static.Answer, f.Hashes.Old = finding.Yes, "ffff"
			f.Static.ManifestAt = finding.Point{Answer: finding.Yes, At: causestest.End.Add(-10 * time.Second),
				Evidence: []string{"e8"}}
		}}, []string{"not its image, was changed in the manifest of this static pod", "ffff is not the hash of this spec"}},
		"an API pod's field": {causes.SpecChanged,
			[]func(*finding.Findings){func(f *finding.Findings) { f.Hashes.Old = "ffff" }},
			[]string{"the API server's validation does not allow this change"}},
		"a static pod's field that has a name": {causes.SpecChanged,
			[]func(*finding.Findings){varied("resizePolicy", ""), func(f *finding.Findings) { f.Static.Answer = finding.Yes }},
			[]string{"was changed: resizePolicy"}},
		"an upgrade, in the old kubelets' own words": {causes.HashKubeletUpgrade,
			[]func(*finding.Findings){func(f *finding.Findings) {
				f.Versions = finding.Versions{Before: "v1.7.6", At: "v1.9.11", Certain: true,
					UpgradedAt: causestest.End.Add(-time.Minute)}
				f.Hashes.Old, f.Hashes.Expected = "5cee1837", "552aae9d"
			}}, []string{"from v1.7.6 to v1.9.11", "the stored hash is 5cee1837, but v1.9.11 expects 552aae9d"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := causestest.Base(137)
			spec(f)
			for _, change := range c.change {
				change(f)
			}
			rules := Rules()
			i := slices.IndexFunc(rules, func(r causes.Rule) bool { return r.ID == c.id })
			claim := rules[i].Claim(f)
			if claim == nil {
				t.Fatal("no claim")
			}
			text := claim.Summary
			for _, step := range claim.Chain {
				text += "\n" + step.Text
			}
			for _, want := range c.texts {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not said in:\n%s", want, text)
				}
			}
			if root := claim.Chain[0]; len(root.Evidence) == 0 && c.id != causes.HashKubeletUpgrade {
				t.Error("the root cites nothing")
			}
		})
	}
}

// What rules a cause out is stated with its evidence.
func TestWhatRulesOutAFieldIsSaid(t *testing.T) {
	base := func(change func(*finding.Findings)) *finding.Findings {
		f := causestest.Base(137)
		causestest.Killed(f, evidence.KillDefinition)
		f.Versions = finding.Versions{At: "v1.30.14", Certain: true, Evidence: []string{"e6"}}
		change(f)
		return f
	}
	for name, c := range map[string]struct {
		change func(*finding.Findings)
		want   string
	}{
		"name and image only": {func(f *finding.Findings) { f.Versions.At = "v1.31.0" },
			"v1.31.0 hashes only a container's name and image"},
		"another image": {func(f *finding.Findings) {
			f.Hashes.OldMade = []evidence.SpecHash{{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json",
				Hex: "cccc", Image: "busybox:0"}}
		}, "the hash of this spec with only the image changed"},
		"different images": {func(f *finding.Findings) {
			f.Images = finding.Images{Differ: finding.Yes, Evidence: []string{"e5"}}
		}, "use different images"},
		"one hash": {func(f *finding.Findings) {
			f.Kill, f.Hashes.Old, f.Hashes.New = finding.KubeletKill{}, "aaaa", "aaaa"
		}, "the same stored hash aaaa"},
	} {
		for _, r := range Rules() {
			if r.ID != causes.SpecChanged && r.ID != causes.HashAPIServerChange {
				continue
			}
			if a := r.Against(base(c.change)); !a.Holds() || !strings.Contains(a.Because, c.want) {
				t.Errorf("%s, %s: %+v, want %q", r.ID, name, a, c.want)
			}
		}
	}
}
