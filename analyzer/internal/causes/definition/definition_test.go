package definition

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

type row struct {
	id     causes.ID
	code   int32
	change func(*finding.Findings)
	want   causes.Strength
}

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			f := causestest.Base(c.code)
			if c.change != nil {
				c.change(f)
			}
			if got := causestest.Says(t, Rules(), c.id, f); got != c.want {
				t.Errorf("%s: strength %d, want %d (-1: contradicted, 0: silent)", c.id, got, c.want)
			}
		})
	}
}

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
	made := func(by ...finding.Identity) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Hashes.Old, f.Hashes.OldMade = by[0].Hex, by }
	}
	old := finding.Identity{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json",
		Hex: "aaaa", Image: "busybox:1", SpecImage: true}
	other := finding.Identity{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "cccc", Image: "busybox:0"}
	differ := func(a finding.YesNo) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Images = finding.Images{Old: "busybox:0", New: "busybox:1", Differ: a} }
	}
	one := func(f *finding.Findings) { f.Versions.SameProcess = true }
	alike := func(f *finding.Findings) { f.Versions.SameVersion = true }
	with := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	up, edit := causes.HashKubeletUpgrade, causes.SpecImageChanged
	run(t, map[string]row{
		"the stored hash is the old kubelet's of this spec": {up, 137,
			with(told("v1.30.14", "v1.31.0"), made(old)), causes.Decisive},
		"and so nobody edited it": {edit, 137, with(told("v1.30.14", "v1.31.0"), made(old)), causestest.Out},
		"a kubelet that expects the stored hash did not mind": {up, 137,
			with(told("", "v1.30.14"), made(old), one), causestest.Out},
		"another era, and no stored hash": {up, 137, told("v1.30.14", "v1.31.0"), causes.Strong},
		"an era that nobody computes":     {up, 137, told("v1.13.6", "v1.14.7"), causes.Strong},
		"an upgrade within one era": {up, 137,
			with(told("v1.31.0", "v1.32.0"), func(f *finding.Findings) { f.Images.Write = causestest.End }), causestest.None},
		"one process made it and found it changed": {up, 137, with(told("v1.30.14", "v1.31.0"), one), causestest.Out},
		"the stored hash is another image's":       {up, 137, with(told("v1.30.14", "v1.31.0"), made(other)), causestest.Out},
		"and so somebody edited it":                {edit, 137, with(told("", "v1.31.0"), made(other)), causes.Decisive},
		"the images differ": {edit, 137, with(told("", "v1.25.4"), differ(finding.Yes)),
			causes.Decisive},
		"the images are the same": {edit, 137, with(told("v1.13.6", "v1.14.7"), differ(finding.No)), causestest.Out},
		"one process of an era in which only name and image count": {edit, 137,
			with(told("", "v1.31.0"), one), causes.Decisive},
		"one process of an era in which every field counts":   {edit, 137, with(told("", "v1.25.4"), one), causes.Weak},
		"processes of one version that hashes name and image": {edit, 137, with(told("", "v1.31.0"), alike), causes.Decisive},
		"and so no other kubelet did it":                      {up, 137, with(told("", "v1.31.0"), alike), causestest.Out},
		"one version that may compare in two ways": {up, 137,
			with(told("", "v1.28.2"), alike, func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(-60) }),
			causes.Strong},
		"processes of one version before that": {up, 137, with(told("", "v1.25.4"), alike), causestest.Out},
		"a write to the image right before": {edit, 137,
			with(told("", "v1.25.4"), func(f *finding.Findings) { f.Images.Write = causestest.End.Add(-10 * time.Second) }),
			causes.Strong},
		"a kill for another reason is no edit": {edit, 137, func(f *finding.Findings) {
			causestest.Killed(f, evidence.KillLiveness)
		}, causestest.Out},
		"no kill is no upgrade": {up, 1, nil, causestest.Out},
	})
}

// A field other than the image: only kubelets up to v1.30 mind, and only the stored
// hash tells an API server's new default from an edit.
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
				f.Hashes.OldVaried = []finding.Identity{{FromMinor: 27, ToMinor: 30,
					Algorithm: "fnv32a-json", Hex: "dddd", Image: image, SpecImage: true, Without: "resizePolicy"}}
				f.Hashes.OldMade = []finding.Identity{{FromMinor: 16, ToMinor: 26,
					Algorithm: "fnv32a-json", Hex: "dddd", Image: image, SpecImage: true}}
			case "eeee":
				f.Hashes.OldVaried = []finding.Identity{{FromMinor: 12, ToMinor: 30,
					Algorithm: "fnv32a-json", Hex: "eeee", Image: image, SpecImage: true, With: "securityContext.procMount"}}
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
	run(t, map[string]row{
		"the stored hash is that of the spec without a defaulted field": {api, 137,
			found("v1.30.14", "dddd"), causes.Decisive},
		"and so no other field changed": {other, 137, found("v1.30.14", "dddd"), causestest.Out},
		"and so the image did not":      {edit, 137, found("v1.30.14", "dddd"), causestest.Out},
		"a default that went away": {api, 137,
			found("v1.15.12", "eeee", func(f *finding.Findings) { f.R.Spec.Hashes[0].FromMinor = 12 }), causes.Decisive},
		"and no kubelet did": {up, 137, found("v1.30.14", "eeee", anybody), causestest.Out},
		"a kubelet came that knows the field: two ways to one hash": {api, 137,
			found("v1.30.14", "dddd", anybody), causes.Decisive},
		"and the other way": {up, 137, found("v1.30.14", "dddd", anybody), causes.Decisive},
		"the kubelet before did not know the field": {api, 137, found("v1.30.14", "dddd", upgraded("v1.26.15")),
			causestest.Out},
		"so that the upgrade explains it": {up, 137, found("v1.30.14", "dddd", upgraded("v1.26.15")),
			causes.Decisive},
		"a kubelet that hashes name and image minds no field": {api, 137, found("v1.31.0", "aaaa"), causestest.Out},
		"nor another one": {other, 137, found("v1.31.0", "aaaa"), causestest.Out},
		"a static pod does not come through the API server": {api, 137, found("v1.30.14", "dddd", static), causestest.Out},
		"so its file has the field":                         {other, 137, found("v1.30.14", "dddd", static), causes.Decisive},
		"a static pod's hash that nothing known makes":      {other, 137, found("v1.30.14", "ffff", static), causes.Decisive},
		"an API pod's hash that nothing known makes":        {other, 137, found("v1.30.14", "ffff"), causes.Strong},
		"no stored hash, and a field that may have come":    {api, 137, found("v1.30.14", ""), causes.Weak},
		"no stored hash, and some field":                    {other, 137, found("v1.30.14", ""), causes.Weak},
		"events reach back and tell of no other kubelet":    {other, 137, found("v1.30.14", "", apiOnly), causes.Weak},
		"another process is the better guess": {other, 137,
			found("v1.30.14", "", anybody, func(f *finding.Findings) { f.NodeEvents.Kubelet = causestest.Yes(-60) }),
			causestest.None},
		"two images are reason enough": {other, 137, found("v1.30.14", "ffff", differ), causestest.Out},
		"two images leave no field":    {api, 137, found("v1.30.14", "ffff", differ), causestest.Out},
		"a kill for another reason is no other field": {other, 137,
			func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) }, causestest.Out},
		"an exit is no default": {api, 1, nil, causestest.Out},
		"both containers have one hash": {other, 137, func(f *finding.Findings) {
			f.Kill, f.Hashes.Old, f.Hashes.New = finding.KubeletKill{}, "aaaa", "aaaa"
		}, causestest.Out},
	})
}
