package detail

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// hashed is a restart of a container whose spec hashes are known.
func hashed(change func(old, next *evidence.ContainerRecord)) *analyzertest.Story {
	s := analyzertest.New().Logs().Records(10, 42, 137, "Error", 43, change)
	return s.Spec(func(c *evidence.Container) {
		c.Hashes = []evidence.SpecHash{
			{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json-without-resources", Hex: "77", Image: analyzertest.Image},
			{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "5d6b7c01", Image: analyzertest.Image},
			{FromMinor: 16, ToMinor: 26, Algorithm: "fnv32a-json", Hex: "c87f01d2", Image: analyzertest.Image},
			{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "c87f01d2", Image: analyzertest.Image},
			{FromMinor: 9, ToMinor: 9, Algorithm: "fnv32a-struct", Hex: "1f", Image: analyzertest.Image},
			{FromMinor: 31, ToMinor: 36, Algorithm: "fnv32a-name-image", Hex: "0badcafe", Image: "docker.io/library/busybox:0"},
		}
	})
}

var minorsOfTheSpec = []report.MinorHash{
	{From: "v1.9", To: "v1.9", Algorithm: "fnv32a-struct", Hex: "1f"},
	{From: "v1.16", To: "v1.30", Algorithm: "fnv32a-json", Hex: "c87f01d2"},
	{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image", Hex: "5d6b7c01"},
}

func TestHashesSayWhoMadeThem(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new string
		oldImage string
		versions [][2]any // second, version
		want     *report.Hashes
	}{
		{name: "an upgrade: the same spec under two kubelets", old: "c87f01d2", new: "5d6b7c01", oldImage: analyzertest.Image,
			versions: [][2]any{{-500.0, "v1.30.14"}, {40.0, "v1.31.0"}},
			want: &report.Hashes{
				Old: &report.StoredHash{Hex: "c87f01d2", MadeBy: []report.HashMaker{
					{From: "v1.16", To: "v1.30", Algorithm: "fnv32a-json", Image: analyzertest.Image, PresentSpec: true}}},
				New: &report.StoredHash{Hex: "5d6b7c01",
					MadeBy: []report.HashMaker{{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image",
						Image: analyzertest.Image, PresentSpec: true}}},
				Minors: minorsOfTheSpec, Before: "v1.30.14", At: "v1.31.0", Changed: []string{},
			}},
		{name: "another image", old: "0badcafe", new: "5d6b7c01", oldImage: "docker.io/library/busybox:0",
			versions: [][2]any{{-500.0, "v1.36.3"}},
			want: &report.Hashes{
				Old: &report.StoredHash{Hex: "0badcafe",
					MadeBy: []report.HashMaker{{From: "v1.31", To: "v1.36", Algorithm: "fnv32a-name-image",
						Image: "docker.io/library/busybox:0"}}},
				New: &report.StoredHash{Hex: "5d6b7c01", MadeBy: []report.HashMaker{{From: "v1.31", To: "v1.36",
					Algorithm: "fnv32a-name-image", Image: analyzertest.Image, PresentSpec: true}}},
				Minors: minorsOfTheSpec, At: "v1.36.3",
				Changed: []string{"image: docker.io/library/busybox:0 → " + analyzertest.Image},
			}},
		{name: "a hash that nothing known makes", old: "deadbeef", oldImage: analyzertest.Image,
			versions: [][2]any{{-500.0, "v1.36.3"}},
			want: &report.Hashes{Old: &report.StoredHash{Hex: "deadbeef", MadeBy: []report.HashMaker{}},
				Minors: minorsOfTheSpec, At: "v1.36.3", Changed: []string{}}},
		{name: "no stored hash", oldImage: analyzertest.Image},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := hashed(func(old, next *evidence.ContainerRecord) { old.Hash, next.Hash, old.Image = c.old, c.new, c.oldImage })
			for i, v := range c.versions {
				s.KubeletStarts(v[0].(float64), v[1].(string), 80+i)
			}
			tl := timeline.Build(s.Snapshot())
			got := hashesOf(finding.Derive(tl, tl.Restarts[0]))
			if got != nil {
				for _, h := range []*report.StoredHash{got.Old, got.New} {
					if h == nil {
						continue
					}
					if len(h.Evidence) == 0 {
						t.Errorf("hash %s cites nothing", h.Hex)
					}
					h.Evidence = nil // its ids are of no interest here
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWithoutASpecNoMinorsAreTold(t *testing.T) {
	s := hashed(func(old, _ *evidence.ContainerRecord) { old.Hash = "c87f01d2" })
	snap := s.Snapshot()
	snap.Pods = nil
	tl := timeline.Build(snap)
	got := hashesOf(finding.Derive(tl, tl.Restarts[0]))
	if got == nil || got.Old == nil || len(got.Minors) != 0 || got.Minors == nil || got.Old.MadeBy == nil {
		t.Errorf("got %+v: want the stored hash, and lists without entries", got)
	}
}

func TestMakersOfThePresentSpecComeFirst(t *testing.T) {
	got := makers([]finding.Identity{
		{FromMinor: 31, ToMinor: 36, Image: "b"}, {FromMinor: 16, ToMinor: 30, Image: "c", SpecImage: true},
		{FromMinor: 9, ToMinor: 9, Image: "a"},
		{FromMinor: 31, ToMinor: 36, Image: "b"}, {FromMinor: 31, ToMinor: 36, Image: "a"},
	})
	text := ""
	for _, m := range got {
		text += m.From + m.Image + " "
	}
	if text != "v1.16c v1.9a v1.31a v1.31b " {
		t.Errorf("makers in the order %s", text)
	}
}
