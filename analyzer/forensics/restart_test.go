package forensics_test

import (
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/analyzertest"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

const oldImage = "docker.io/library/busybox:0"

// hashed is a restart of a container whose spec hashes are known.
func hashed(old, next, image string) *analyzertest.Story {
	s := analyzertest.New().Logs().Records(10, 42, 137, "Error", 43, func(was, is *evidence.ContainerRecord) {
		was.Hash, is.Hash, was.Image = old, next, image
	})
	return s.KubeletStarts(-500, "v1.30.14", 80).KubeletStarts(40, "v1.31.0", 81).Spec(func(c *evidence.Container) {
		c.Hashes = []evidence.SpecHash{
			{FromMinor: 16, ToMinor: 30, Algorithm: "fnv32a-json", Hex: "c87f01d2", Image: analyzertest.Image},
			{FromMinor: 27, ToMinor: 30, Algorithm: "fnv32a-json-without-resources", Hex: "77", Image: analyzertest.Image},
			{FromMinor: 31, ToMinor: 37, Algorithm: "fnv32a-name-image", Hex: "5d6b7c01", Image: analyzertest.Image},
			{FromMinor: 31, ToMinor: 37, Algorithm: "fnv32a-name-image", Hex: "badcafe", Image: oldImage},
		}
	})
}

func ofRestart(s *evidence.Snapshot) *report.HashListing {
	t := history.Build(s)
	return forensics.OfRestart(t, finding.Derive(t, t.Restarts[0]))
}

func TestTheHashesOfARestartSayWhoMadeThem(t *testing.T) {
	type origin = report.HashOrigin
	for name, test := range map[string]struct {
		old, next, image string
		want             []origin
	}{
		"an upgrade": {old: "c87f01d2", next: "5d6b7c01", image: analyzertest.Image,
			want: []origin{report.FromThisSpec, report.FromThisSpec}},
		"another image": {old: "badcafe", next: "5d6b7c01", image: oldImage,
			want: []origin{report.FromAnotherImage, report.FromThisSpec}},
		"a hash that nothing known computes": {old: "deadbeef", image: analyzertest.Image,
			want: []origin{report.FromUnknown, report.HashMissing}},
		"no stored hash": {image: analyzertest.Image},
	} {
		got := ofRestart(hashed(test.old, test.next, test.image).Snapshot())
		if test.want == nil {
			if got != nil {
				t.Errorf("%s: %+v", name, got)
			}
			continue
		}
		if got == nil || len(got.Stored) != 2 || len(got.Items) != 22 { // v1.16–v1.37, one hash each
			t.Fatalf("%s: %+v", name, got)
		}
		for i, x := range got.Stored {
			if x.Origin != test.want[i] || len(x.Evidence) == 0 {
				t.Errorf("%s: instance %d: %s (%s), from %v", name, i, x.Origin, x.Sentence, x.Evidence)
			}
		}
	}
}

func TestWithoutASpecNoHashIsOfAnotherImage(t *testing.T) {
	snap := hashed("5d6b7c01", "5d6b7c01", oldImage).Snapshot()
	snap.Pods = nil
	got := ofRestart(snap)
	if got == nil || len(got.Items) > 0 || got.Items == nil {
		t.Fatalf("got %+v: want the stored hashes, and no list of kubelets", got)
	}
	for _, x := range got.Stored {
		if x.Origin != report.FromUnknown {
			t.Errorf("%s: %s", x.Origin, x.Sentence)
		}
	}
}
