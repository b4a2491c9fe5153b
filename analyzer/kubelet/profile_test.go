package kubelet

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
)

func profileOf(t *testing.T, minor int) Profile {
	t.Helper()
	p, err := ProfileFor(Version{Major: 1, Minor: minor})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAFactHoldsFromItsFirstToItsLastMinor(t *testing.T) {
	const last = NewestMinor
	tests := map[string]struct {
		from, to int
		holds    func(Profile) bool
	}{
		"the Killing event precedes the stop":         {14, last, func(p Profile) bool { return p.KillingBeforeStop }},
		"startup probes kill":                         {17, last, func(p Profile) bool { return p.StartupProbes }},
		"a kubelet restart runs startup probes again": {17, 34, func(p Profile) bool { return p.StartupProbeReruns }},
		"an exec probe that times out has failed":     {20, last, func(p Profile) bool { return p.ExecProbeTimeout }},
		"sidecars are compared by hash":               {32, last, func(p Profile) bool { return p.HashesSidecars }},
		"the hash is adler32 over the struct":         {5, 5, hashes(hash.Adler32Struct)},
		"the hash is FNV over the struct":             {6, 15, hashes(hash.FNV32aStruct)},
		"the hash is FNV over the JSON":               {16, 30, hashes(hash.FNV32aJSON)},
		"the hash covers name and image only":         {31, last, hashes(hash.FNV32aNameImage)},
		"a static pod's UID ignores node and file":    {5, 20, uidIs(StaticPodUIDFromPod)},
		"a static pod's UID covers node and file":     {21, 34, uidIs(StaticPodUIDFromPodAndURL)},
		"a static pod's UID is an FNV hash":           {35, last, uidIs(StaticPodUIDFNV)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for minor := OldestMinor; minor <= NewestMinor; minor++ {
				want := test.from <= minor && minor <= test.to
				if got := test.holds(profileOf(t, minor)); got != want {
					t.Errorf("v1.%d: %v, want %v", minor, got, want)
				}
			}
		})
	}
}

func hashes(algorithm string) func(Profile) bool {
	return func(p Profile) bool { return p.HashEra.Algorithm == algorithm }
}

func uidIs(recipe StaticPodUIDRecipe) func(Profile) bool {
	return func(p Profile) bool { return p.StaticPodUID == recipe }
}

func TestEveryMinorNamesItself(t *testing.T) {
	for minor := OldestMinor; minor <= NewestMinor; minor++ {
		p := profileOf(t, minor)
		if p.Minor != minor || p.ModelledAs != fmt.Sprintf("v1.%d", minor) || p.Extrapolated {
			t.Errorf("v1.%d is modelled as %s, extrapolated %v", p.Minor, p.ModelledAs, p.Extrapolated)
		}
	}
}

func TestANewerMinorIsModelledAsTheNewestAndSaysSo(t *testing.T) {
	want := profileOf(t, NewestMinor)
	want.Minor, want.Extrapolated, want.Patch = NewestMinor+2, true, PatchNotGiven
	if diff := cmp.Diff(want, profileOf(t, NewestMinor+2)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if newest := fmt.Sprintf("v1.%d", NewestMinor); want.ModelledAs != newest {
		t.Errorf("modelled as %s, want %s", want.ModelledAs, newest)
	}
}

func TestAVersionOutsideTheModelIsAnError(t *testing.T) {
	for name, v := range map[string]Version{
		"older than 1.5":             {Major: 1, Minor: 4, Patch: 12},
		"another major":              {Major: 2},
		"a build without its number": {},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ProfileFor(v)
			if !errors.Is(err, ErrVersionNotModelled) {
				t.Errorf("ProfileFor(%v) = %v, %v; want ErrVersionNotModelled", v, p, err)
			}
		})
	}
}

func TestProfileAndHashEndAtTheSameMinor(t *testing.T) {
	if NewestMinor != hash.NewestMinor {
		t.Errorf("profiles end at v1.%d, hashes at v1.%d", NewestMinor, hash.NewestMinor)
	}
}
