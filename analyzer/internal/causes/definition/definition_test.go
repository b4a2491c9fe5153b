package definition

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestDefinition(t *testing.T) {
	// told is "definition changed" by a kubelet of a version, after another.
	told := func(before, at string) func(*finding.Findings) {
		return func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillDefinition)
			f.Versions = finding.Versions{Before: before, At: at, Certain: true, UpgradedAt: causestest.End.Add(-time.Minute)}
			f.R.Spec.Hashes = []evidence.SpecHash{
				{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: f.R.Spec.Image},
				{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "bbbb", Image: f.R.Spec.Image},
				{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "cccc", Image: "busybox:0"},
			}
		}
	}
	made := func(by ...evidence.SpecHash) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Hashes.Old, f.Hashes.OldMade = by[0].Hex, by }
	}
	old := evidence.SpecHash{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json",
		Hex: "aaaa", Image: "busybox:1"}
	other := evidence.SpecHash{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "cccc", Image: "busybox:0"}
	differ := func(a finding.YesNo) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Images = finding.Images{Old: "busybox:0", New: "busybox:1", Differ: a} }
	}
	one := func(f *finding.Findings) { f.Versions.SameProcess = true }
	alike := func(f *finding.Findings) { f.Versions.SameVersion = true }
	blind := func(f *finding.Findings) {
		f.KubeletLog, f.RuntimeLog, f.NodeEvents.Kubelet = false, false, causestest.Yes(-5)
	}
	// given is a change of the pod right before the kubelet found it changed, and a start of the kubelet.
	given := func(started int) func(*finding.Findings) {
		return func(f *finding.Findings) {
			f.Images.Updated, f.NodeEvents.Kubelet = causestest.Yes(-3), causestest.Yes(started)
		}
	}
	with := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	up, edit := causes.HashKubeletUpgrade, causes.SpecImageChanged
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"the stored hash is the old kubelet's of this spec": {ID: up, Code: 137,
			Change: with(told("v1.30.14", "v1.31.0"), made(old)), Want: causes.Decisive},
		"and so nobody edited it": {ID: edit, Code: 137,
			Change: with(told("v1.30.14", "v1.31.0"), made(old)), Want: causestest.Out},
		"a kubelet that expects the stored hash did not mind": {ID: up, Code: 137,
			Change: with(told("", "v1.30.14"), made(old), one), Want: causestest.Out},
		"another era, and no stored hash": {ID: up, Code: 137, Change: told("v1.30.14", "v1.31.0"), Want: causes.Strong},
		"an era that nobody computes":     {ID: up, Code: 137, Change: told("v1.13.6", "v1.14.7"), Want: causes.Strong},
		"an upgrade within one era": {ID: up, Code: 137,
			Change: with(told("v1.31.0", "v1.32.0"), func(f *finding.Findings) {
				f.Images.Write = causestest.End
			}), Want: causestest.None},
		"one process made it and found it changed": {ID: up, Code: 137,
			Change: with(told("v1.30.14", "v1.31.0"), one), Want: causestest.Out},
		"the stored hash is another image's": {ID: up, Code: 137,
			Change: with(told("v1.30.14", "v1.31.0"), made(other)), Want: causestest.Out},
		"and so somebody edited it": {ID: edit, Code: 137,
			Change: with(told("", "v1.31.0"), made(other)), Want: causes.Decisive},
		"nothing tells of the node but that a kubelet started": {ID: edit, Code: 137,
			Change: with(told("", "v1.31.0"), blind), Want: causes.Weak},
		"and so may another kubelet have done it": {ID: up, Code: 137,
			Change: with(told("", "v1.31.0"), blind), Want: causes.Weak},
		"the images differ": {ID: edit, Code: 137, Change: with(told("", "v1.25.4"), differ(finding.Yes)),
			Want: causes.Decisive},
		"the images are the same": {ID: edit, Code: 137,
			Change: with(told("v1.13.6", "v1.14.7"), differ(finding.No)), Want: causestest.Out},
		"one process of an era in which only name and image count": {ID: edit, Code: 137,
			Change: with(told("", "v1.31.0"), one), Want: causes.Decisive},
		"one process of an era in which every field counts": {ID: edit, Code: 137,
			Change: with(told("", "v1.25.4"), one), Want: causes.Weak},
		"processes of one version that hashes name and image": {ID: edit, Code: 137,
			Change: with(told("", "v1.31.0"), alike), Want: causes.Decisive},
		"and so no other kubelet did it": {ID: up, Code: 137,
			Change: with(told("", "v1.31.0"), alike), Want: causestest.Out},
		"one version, just started, that may compare in two ways": {ID: up, Code: 137,
			Change: with(told("", "v1.28.2"), alike, func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(-60) }),
			Want:   causes.Weak},
		"the kubelet before had the same version": {ID: up, Code: 137,
			Change: with(told("", "v1.31.0"), func(f *finding.Findings) {
				f.NodeEvents.Kubelet, f.Versions.Compared = causestest.Yes(-60), true
			}), Want: causes.Weak},
		"the kubelet was just given a change of the pod": {ID: edit, Code: 137, Change: with(told("", "v1.25.4"), given(-30)),
			Want: causes.Strong},
		"and so another version is a guess": {ID: up, Code: 137, Change: with(told("v1.30.14", "v1.31.0"), given(-30)),
			Want: causes.Weak},
		"a change of the pod that came with the kubelet's start": {ID: up, Code: 137,
			Change: with(told("v1.30.14", "v1.31.0"), given(-6)), Want: causes.Strong},
		"a change of the pod, and others ended along with it": {ID: up, Code: 137,
			Change: with(told("v1.30.14", "v1.31.0"), given(-30), func(f *finding.Findings) { f.Together = 3 }),
			Want:   causes.Strong},
		"processes of one version before that": {ID: up, Code: 137,
			Change: with(told("", "v1.25.4"), alike), Want: causestest.Out},
		"a write to the image right before": {ID: edit, Code: 137,
			Change: with(told("", "v1.25.4"), func(f *finding.Findings) {
				f.Images.Write = causestest.End.Add(-10 * time.Second)
			}),
			Want: causes.Strong},
		"a kill for another reason is no edit": {ID: edit, Code: 137, Change: func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillLiveness)
		}, Want: causestest.Out},
		"no kill is no upgrade": {ID: up, Code: 1, Want: causestest.Out},
	})
}

// A field other than the image: only kubelets up to v1.30 hash it, and only the stored hash distinguishes an API
// server's new default from an edit.
func TestOtherFields(t *testing.T) {
	const image = "busybox:1"
	// found is "definition changed" by the kubelet that made the container.
	found := func(version, stored string, changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillDefinition)
			f.Versions = finding.Versions{At: version, Certain: true, SameProcess: true}
			f.Images = finding.Images{Old: image, New: image, Differ: finding.No}
			f.R.Spec.Hashes = []evidence.SpecHash{
				{FromMinor: 16, ToMinor: 26, Algorithm: "fnv32a-json", Hex: "dddd", Image: image},
				{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: image},
				{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "bbbb", Image: image},
				{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "dddd", Image: image, Without: "resizePolicy"},
				{FromMinor: 12, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "eeee",
					Image: image, With: "securityContext.procMount"},
			}
			f.Hashes.Old = stored
			switch stored {
			case "dddd":
				f.Hashes.OldVaried = []evidence.SpecHash{{FromMinor: 27, ToMinor: 30,
					Algorithm: "fnv32a-json", Hex: "dddd", Image: image, Without: "resizePolicy"}}
				f.Hashes.OldMade = []evidence.SpecHash{{FromMinor: 16, ToMinor: 26,
					Algorithm: "fnv32a-json", Hex: "dddd", Image: image}}
			case "eeee":
				f.Hashes.OldVaried = []evidence.SpecHash{{FromMinor: 12, ToMinor: 30,
					Algorithm: "fnv32a-json", Hex: "eeee", Image: image, With: "securityContext.procMount"}}
			}
			for _, c := range changes {
				c(f)
			}
		}
	}
	static := func(f *finding.Findings) { f.Static.Answer = finding.Yes }
	upgraded := func(from string) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Versions.SameProcess, f.Versions.Before = false, from }
	}
	anybody := func(f *finding.Findings) { f.Versions.SameProcess = false }
	differ := func(f *finding.Findings) { f.Images.Differ = finding.Yes }
	apiOnly := func(f *finding.Findings) { f.Versions.SameProcess, f.NodeEvents.Kubelet = false, finding.Point{} }
	api, other, up, edit := causes.HashAPIServerChange, causes.SpecChanged,
		causes.HashKubeletUpgrade, causes.SpecImageChanged
	causestest.Run(t, Rules(), map[string]causestest.Row{
		"the stored hash is that of the spec without a defaulted field": {ID: api, Code: 137,
			Change: found("v1.30.14", "dddd"), Want: causes.Decisive},
		"and so no other field changed": {ID: other, Code: 137, Change: found("v1.30.14", "dddd"), Want: causestest.Out},
		"and so the image did not":      {ID: edit, Code: 137, Change: found("v1.30.14", "dddd"), Want: causestest.Out},
		"a default that went away": {ID: api, Code: 137,
			Change: found("v1.15.12", "eeee", func(f *finding.Findings) {
				f.R.Spec.Hashes[0].FromMinor = 12
			}), Want: causes.Decisive},
		"and no kubelet did": {ID: up, Code: 137, Change: found("v1.30.14", "eeee", anybody), Want: causestest.Out},
		"a kubelet came that knows the field: two ways to one hash": {ID: api, Code: 137,
			Change: found("v1.30.14", "dddd", anybody), Want: causes.Decisive},
		"and the other way": {ID: up, Code: 137, Change: found("v1.30.14", "dddd", anybody), Want: causes.Decisive},
		"the kubelet before did not know the field": {ID: api, Code: 137,
			Change: found("v1.30.14", "dddd", upgraded("v1.26.15")),
			Want:   causestest.Out},
		"so that the upgrade explains it": {ID: up, Code: 137, Change: found("v1.30.14", "dddd", upgraded("v1.26.15")),
			Want: causes.Decisive},
		"a kubelet that hashes name and image minds no field": {ID: api, Code: 137,
			Change: found("v1.31.0", "aaaa"), Want: causestest.Out},
		"nor another one": {ID: other, Code: 137, Change: found("v1.31.0", "aaaa"), Want: causestest.Out},
		"a static pod does not come through the API server": {ID: api, Code: 137,
			Change: found("v1.30.14", "dddd", static), Want: causestest.Out},
		"so its file has the field": {ID: other, Code: 137,
			Change: found("v1.30.14", "dddd", static), Want: causes.Decisive},
		"a static pod's hash that nothing known makes": {ID: other, Code: 137,
			Change: found("v1.30.14", "ffff", static), Want: causes.Decisive},
		"an API pod's hash that nothing known makes": {ID: other, Code: 137,
			Change: found("v1.30.14", "ffff"), Want: causes.Strong},
		"no stored hash, and a field that may have come": {ID: api, Code: 137,
			Change: found("v1.30.14", ""), Want: causes.Weak},
		"no stored hash, and some field": {ID: other, Code: 137,
			Change: found("v1.30.14", ""), Want: causes.Weak},
		"events reach back and tell of no other kubelet": {ID: other, Code: 137,
			Change: found("v1.30.14", "", apiOnly), Want: causes.Weak},
		"another process is the better guess": {ID: other, Code: 137,
			Change: found("v1.30.14", "", anybody, func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(-60) }),
			Want:   causestest.None},
		"two images are reason enough": {ID: other, Code: 137,
			Change: found("v1.30.14", "ffff", differ), Want: causestest.Out},
		"two images leave no field": {ID: api, Code: 137,
			Change: found("v1.30.14", "ffff", differ), Want: causestest.Out},
		"a kill for another reason is no other field": {ID: other, Code: 137,
			Change: func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) }, Want: causestest.Out},
		"an exit is no default": {ID: api, Code: 1, Want: causestest.Out},
		"both containers have one hash": {ID: other, Code: 137, Change: func(f *finding.Findings) {
			f.Kill, f.Hashes.Old, f.Hashes.New = finding.KubeletKill{}, "aaaa", "aaaa"
		}, Want: causestest.Out},
	})
}
