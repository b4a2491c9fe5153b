package forensics

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func TestMakersAreNamedByTheirMinors(t *testing.T) {
	for want, minors := range map[string][2]int{"v1.8": {8, 8}, "v1.16–1.30": {16, 30},
		"v1.31 or later": {31, hash.NewestMinor}, "v1.36": {36, 36}} {
		if got := makers(new(identity(evidence.SpecHash{FromMinor: minors[0], ToMinor: minors[1]}, ""))); got != want {
			t.Errorf("%v: %q, want %q", minors, got, want)
		}
	}
}

func TestWhatTheSpecHadOtherwiseIsASentence(t *testing.T) {
	for want, h := range map[string]evidence.SpecHash{
		"without resources":                                   {Image: "web:2", Without: "resources"},
		"without a and b":                                     {Image: "web:2", Without: "a, b"},
		"without a, b and c":                                  {Image: "web:2", Without: "a, b, c"},
		"without a and with b":                                {Image: "web:2", Without: "a", With: "b"},
		"with b and with the image web:1":                     {Image: "web:1", With: "b"},
		"without a, b and c, with d and with the image web:1": {Image: "web:1", Without: "a, b, c", With: "d"},
	} {
		if got := changed(new(identity(h, "web:2"))); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDifferencesNameFieldsAndImagesOnly(t *testing.T) {
	i := identity(evidence.SpecHash{Image: "web:1", Without: "a, b", With: "c"}, "web:2")
	want := []report.HashDifference{
		{Field: "image", Then: "web:1", Now: "web:2"},
		{Field: "a", Then: "not set", Now: "set"},
		{Field: "b", Then: "not set", Now: "set"},
		{Field: "c", Then: "set", Now: "not set"},
	}
	if diff := cmp.Diff(want, difference(&i, "web:2")); diff != "" {
		t.Error(diff)
	}
	i = identity(evidence.SpecHash{Image: "web:2"}, "web:2")
	if got := difference(&i, "web:2"); got == nil || len(got) != 0 {
		t.Errorf("%v, want an empty list", got)
	}
}

func TestStoredHashesAreReadAsTheKubeletReadsThem(t *testing.T) {
	for stored, want := range map[string]string{"c87f01d2": "c87f01d2", "C87F01D2": "c87f01d2",
		"0000000a": "a", "0": "0", "": "", "-1": "", "0x1": "", "1ffffffff": "", "g": "", " 1": ""} {
		got, ok := normal(stored)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q %t, want %q", stored, got, ok, want)
		}
	}
}

// The kubelet of that time decides between specs with the same hash; else the fewest changes do.
func TestTheLikeliestIdentityComesFirst(t *testing.T) {
	q := Question{Spec: evidence.Container{Name: "a", Image: "web:2", Searched: []evidence.SpecHash{
		{FromMinor: 16, ToMinor: 30, Hex: "1", Image: "web:2", Without: "a, b, c", Searched: true},
		{FromMinor: 16, ToMinor: 26, Hex: "1", Image: "web:2", Without: "a, b", Searched: true},
		{FromMinor: 16, ToMinor: 30, Hex: "1", Image: "web:1", Without: "a, b, c", Searched: true},
	}}}
	for kubelet, want := range map[string]int{"": 2, "v1.20.1": 2, "v1.29.0": 3, "v1.33.0": 2, "nonsense": 2} {
		q.Stored = []Stored{{Hash: "1", Kubelet: kubelet}}
		if a := Examine(q)[0]; len(a.MadeBy) != 3 || len(a.MadeBy[0].Without) != want || a.MadeBy[0].Image != "web:2" {
			t.Errorf("kubelet %q: %+v", kubelet, a.MadeBy)
		}
	}
}

// Where patches of a minor disagree, it is unknown what the node's kubelet computes.
func TestNothingIsExpectedOfAMinorWhosePatchesDisagree(t *testing.T) {
	q := Question{Kubelet: "v1.28.3", Stored: []Stored{{Hash: "1"}},
		Spec: evidence.Container{Name: "a", Image: "web:2", Hashes: []evidence.SpecHash{
			{FromMinor: 16, ToMinor: 29, Algorithm: hash.FNV32aJSON, Hex: "1", Image: "web:2"},
			{FromMinor: 27, ToMinor: 30, Algorithm: hash.FNV32aJSON, Hex: "2", Image: "web:2"},
		}}}
	if a := Examine(q)[0]; a.Expected != "" || a.Same != nil || a.Origin != report.FromThisSpec {
		t.Errorf("%+v", a)
	}
	q.Kubelet = "v1.30.3"
	if a := Examine(q)[0]; a.Expected != "2" || a.Same == nil || *a.Same {
		t.Errorf("%+v", a)
	}
}

// Hex in another spelling is found, and what is no hash is ignored.
func TestCollectedHashesAreReadWithCare(t *testing.T) {
	q := Question{Stored: []Stored{{Hash: "ab"}},
		Spec: evidence.Container{Name: "a", Image: "web:2", Hashes: []evidence.SpecHash{
			{FromMinor: 16, ToMinor: 30, Hex: "00AB", Image: "web:2"}, {FromMinor: 16, ToMinor: 30, Hex: "zz", Image: "web:2"},
		}}}
	if a := Examine(q)[0]; a.Origin != report.FromThisSpec || a.Tried != 2 {
		t.Errorf("%+v", a)
	}
}
