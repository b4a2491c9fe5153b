package definition

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/causestest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
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
	old := finding.Identity{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "aaaa", Image: "busybox:1", SpecImage: true}
	other := finding.Identity{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "cccc", Image: "busybox:0"}
	differ := func(a finding.Answer) func(*finding.Findings) {
		return func(f *finding.Findings) { f.Images = finding.Images{Old: "busybox:0", New: "busybox:1", Differ: a} }
	}
	one := func(f *finding.Findings) { f.Versions.SameProcess = true }
	with := func(changes ...func(*finding.Findings)) func(*finding.Findings) {
		return func(f *finding.Findings) {
			for _, c := range changes {
				c(f)
			}
		}
	}
	up, edit := causes.HashKubeletUpgrade, causes.SpecImageChanged
	run(t, map[string]row{
		"the stored hash is the old kubelet's of this spec":        {up, 137, with(told("v1.30.14", "v1.31.0"), made(old)), causes.Decisive},
		"and so nobody edited it":                                  {edit, 137, with(told("v1.30.14", "v1.31.0"), made(old)), causestest.Out},
		"a kubelet that expects the stored hash did not mind":      {up, 137, with(told("", "v1.30.14"), made(old), one), causestest.Out},
		"another era, and no stored hash":                          {up, 137, told("v1.30.14", "v1.31.0"), causes.Strong},
		"an era that nobody computes":                              {up, 137, told("v1.13.6", "v1.14.7"), causes.Strong},
		"an upgrade within one era":                                {up, 137, with(told("v1.31.0", "v1.32.0"), func(f *finding.Findings) { f.Images.Write = causestest.End }), causestest.None},
		"one process made it and found it changed":                 {up, 137, with(told("v1.30.14", "v1.31.0"), one), causestest.Out},
		"the stored hash is another image's":                       {up, 137, with(told("v1.30.14", "v1.31.0"), made(other)), causestest.Out},
		"and so somebody edited it":                                {edit, 137, with(told("", "v1.31.0"), made(other)), causes.Decisive},
		"the images differ":                                        {edit, 137, with(told("", "v1.25.4"), differ(finding.Yes)), causes.Decisive},
		"the images are the same":                                  {edit, 137, with(told("v1.13.6", "v1.14.7"), differ(finding.No)), causestest.Out},
		"one process of an era in which only name and image count": {edit, 137, with(told("", "v1.31.0"), one), causes.Decisive},
		"one process of an era in which every field counts":        {edit, 137, with(told("", "v1.25.4"), one), causes.Weak},
		"a write to the image right before":                        {edit, 137, with(told("", "v1.25.4"), func(f *finding.Findings) { f.Images.Write = causestest.End.Add(-10 * time.Second) }), causes.Strong},
		"a kill for another reason is no edit":                     {edit, 137, func(f *finding.Findings) { causestest.Killed(f, evidence.KillLiveness) }, causestest.Out},
		"no kill is no upgrade":                                    {up, 1, nil, causestest.Out},
	})
}
