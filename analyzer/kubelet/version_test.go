package kubelet

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseVersionReadsEverySpelling(t *testing.T) {
	tests := map[string]struct {
		in         string
		want       Version
		printed    string
		preRelease string
	}{
		"EKS puts its build behind a dash": {"v1.29.3-eks-49c6de4", Version{1, 29, 3, "-eks-49c6de4"},
			"v1.29.3-eks-49c6de4", ""},
		"k3s puts its build behind a plus": {"v1.30.4+k3s1", Version{1, 30, 4, "+k3s1"}, "v1.30.4+k3s1", ""},
		"GKE numbers its builds": {"v1.27.8-gke.1067004", Version{1, 27, 8, "-gke.1067004"},
			"v1.27.8-gke.1067004", ""},
		"the v may be missing":                    {"1.20.15", Version{1, 20, 15, ""}, "v1.20.15", ""},
		"a release candidate is a pre-release":    {"v1.31.0-rc.1", Version{1, 31, 0, "-rc.1"}, "v1.31.0-rc.1", "rc.1"},
		"kubelet --version has a word in front":   {"Kubernetes v1.36.3\n", Version{1, 36, 3, ""}, "v1.36.3", ""},
		"a command line may name the minor alone": {"v1.31", Version{1, 31, PatchNotGiven, ""}, "v1.31", ""},
		"a vendor may build a pre-release": {"v1.31.0-rc.1+k3s1", Version{1, 31, 0, "-rc.1+k3s1"},
			"v1.31.0-rc.1+k3s1", "rc.1"},
		"a development build counts its commits": {"v1.10.0-alpha.0.456+b1a",
			Version{1, 10, 0, "-alpha.0.456+b1a"}, "v1.10.0-alpha.0.456+b1a", "alpha.0.456"},
		"a vendor's word is no pre-release": {"v1.19.10-r0-CCE21.11.1.B006",
			Version{1, 19, 10, "-r0-CCE21.11.1.B006"}, "v1.19.10-r0-CCE21.11.1.B006", ""},
		"a pre-release word needs a number":        {"v1.19.10-alpha", Version{1, 19, 10, "-alpha"}, "v1.19.10-alpha", ""},
		"a commit of OpenShift stands behind plus": {"v1.27.6+f67aeb3", Version{1, 27, 6, "+f67aeb3"}, "v1.27.6+f67aeb3", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseVersion(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ParseVersion(%q) (-want +got):\n%s", test.in, diff)
			}
			if got.String() != test.printed {
				t.Errorf("String() = %q, want %q", got.String(), test.printed)
			}
			if got.PreRelease() != test.preRelease {
				t.Errorf("PreRelease() = %q, want %q", got.PreRelease(), test.preRelease)
			}
		})
	}
}

func TestParseVersionRefusesWhatIsNoVersion(t *testing.T) {
	tests := map[string]string{
		"nothing":                       "",
		"a word":                        "latest",
		"a major alone":                 "v1",
		"four numbers":                  "v1.2.3.4",
		"an empty number":               "v1..3",
		"a number that no release has":  "v1.99999999.0",
		"a leading zero":                "v1.020.1",
		"a sign":                        "v1.+20.1",
		"an unfilled build template":    "v0.0.0-master+$Format:%H$",
		"an escape sequence as suffix":  "v1.30.1-\x1b[31m",
		"more text than a version has":  "v1.30.1-" + strings.Repeat("a", 200),
		"another program's version":     "containerd v1.7.2",
		"full-width digits in a number": "v１.30.1",
	}
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := ParseVersion(in); err == nil {
				t.Errorf("ParseVersion(%q) = %v, want an error", in, got)
			} else if !strings.HasPrefix(err.Error(), "parse kubelet version") {
				t.Errorf("error %q does not name the operation", err)
			}
		})
	}
}

func TestCompareOrdersVersionsByAge(t *testing.T) {
	oldestFirst := []string{
		"v1.5.8", "v1.30", "v1.30.0-alpha.2", "v1.30.0-alpha.10", "v1.30.0-alpha.10.7+abc", "v1.30.0-beta.0", "v1.30.0-rc.1",
		"v1.30.0", "v1.30.9-eks-1", "v1.30.14", "v1.31.0", "v2.0.0",
	}
	var versions []Version
	for _, s := range oldestFirst {
		v, err := ParseVersion(s)
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, v)
	}
	for i, a := range versions {
		for j, b := range versions {
			if got, want := a.Compare(b), compareInts(i, j); got != want {
				t.Errorf("%v.Compare(%v) = %d, want %d", a, b, got, want)
			}
		}
	}
	if !slices.IsSortedFunc(versions, Version.Compare) {
		t.Error("the list is not sorted")
	}
}

func TestCompareLeavesTheVendorOut(t *testing.T) {
	a, b := Version{1, 30, 4, "+k3s1"}, Version{1, 30, 4, "+k3s2"}
	if a.Compare(b) != 0 {
		t.Errorf("%v.Compare(%v) = %d, want 0", a, b, a.Compare(b))
	}
	if a == b {
		t.Error("two builds of one release are ==, but one replacing the other is a kubelet upgrade")
	}
}

func compareInts(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func FuzzParseVersion(f *testing.F) {
	for _, s := range []string{
		"v1.29.3-eks-49c6de4", "v1.30.4+k3s1", "v1.27.8-gke.1067004", "1.20.15",
		"v1.31.0-rc.1", "Kubernetes v1.36.3", "v1.31",
		"v1.10.0-alpha.0.456+b1a", "v1..", "v", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseVersion(s)
		if err != nil {
			return
		}
		again, err := ParseVersion(v.String())
		if err != nil || again != v {
			t.Errorf("%q → %#v → %q → %#v, %v", s, v, v.String(), again, err)
		}
		if v.Compare(again) != 0 {
			t.Errorf("%v is not as old as itself", v)
		}
		if _, err := ProfileFor(v); err == nil && (v.Major != 1 || v.Minor < OldestMinor) {
			t.Errorf("ProfileFor(%v) gave a profile", v)
		}
	})
}
