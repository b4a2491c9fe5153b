package staticpod

import (
	"bufio"
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// vector is what a release's own applyDefaults computed for testdata/web.yaml at one place; Print is what it hashed.
type vector struct {
	Kubelet, Node, Path, Name, Print, UID string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var v vector
		if err := json.Unmarshal(scanner.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func profileOf(t testing.TB, version string) kubelet.Profile {
	t.Helper()
	v, err := kubelet.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	p, err := kubelet.ProfileFor(v)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// place is where a kubelet read the pod. Path is the file as the kubelet opened it (staticPodPath and the file's name);
// with a URL, Path is empty and Node is not hashed.
type place struct {
	Node, Path, URL string
}

// text returns what is hashed after the pod since 1.21.
func (s place) text() string {
	if s.URL != "" {
		return "url:" + s.URL
	}
	return "host:" + s.Node + "file:" + s.Path
}

// uidOf returns the UID that a recipe computes for a pod (kubelet config/common.go applyDefaults). print is what the
// kubelet hashes of the pod: the print of its internal object with all defaults set (pkg/util/hash/hash.go
// DeepHashObject). Up to 1.20 node and file were written first and then lost in a reset of the hash, so that they do
// not count.
func uidOf(recipe kubelet.StaticPodUIDRecipe, print string, s place) (string, error) {
	var h hash.Hash
	text := print
	switch recipe {
	case kubelet.StaticPodUIDFromPod:
		h = md5.New()
	case kubelet.StaticPodUIDFromPodAndURL:
		h, text = md5.New(), print+s.text()
	case kubelet.StaticPodUIDFNV:
		h, text = fnv.New128a(), print+s.text()
	default:
		return "", fmt.Errorf("compute static pod UID: unknown recipe %q", recipe)
	}
	h.Write([]byte(text)) // never fails
	return hex.EncodeToString(h.Sum(nil)), nil
}

func TestUIDsEqualThoseOfTheKubeletsOwnFunction(t *testing.T) {
	recipes := map[kubelet.StaticPodUIDRecipe]int{}
	for _, v := range vectors(t) {
		p := profileOf(t, v.Kubelet)
		recipes[p.StaticPodUID]++
		got, err := uidOf(p.StaticPodUID, v.Print, place{Node: v.Node, Path: v.Path})
		if err != nil || got != v.UID {
			t.Errorf("%s at %s:%s: UID %s, %v; want %s", v.Kubelet, v.Node, v.Path, got, err, v.UID)
		}
	}
	if len(recipes) != 3 {
		t.Errorf("vectors of %d recipes, want 3: %v", len(recipes), recipes)
	}
}

func TestTheTableSaysWhatTheRealPrintsSay(t *testing.T) {
	prints := map[int]string{}
	for _, v := range vectors(t) {
		prints[profileOf(t, v.Kubelet).Minor] = v.Print
	}
	for a, printA := range prints {
		for b, printB := range prints {
			if differ := len(Between(a, b)) > 0; differ != (printA != printB) {
				t.Errorf("1.%d and 1.%d: the table says %v, the prints differ: %v", a, b, differ, printA != printB)
			}
		}
	}
	// Every added field is in the prints from then on.
	for _, c := range changes() {
		for _, field := range c.Fields {
			_, name, ok := strings.Cut(field, ".")
			if !ok || strings.Contains(field, " ") || field == "PodSpec.WorkloadRef" || field == "ObjectMeta.Initializers" {
				continue // renamed, or removed again before the next vector
			}
			for minor, print := range prints {
				gone := name == "Resize" && minor >= 33
				if has := strings.Contains(print, " "+name+":("); has != (minor >= c.Minor) &&
					!gone && !slices.Contains(shared, name) {
					t.Errorf("%s came with 1.%d; in the print of 1.%d: %v", field, c.Minor, minor, has)
				}
			}
		}
	}
}

// shared are names of fields that other structs of the print also have.
var shared = []string{"Claims", "Resources", "RestartPolicy", "ResizePolicy",
	"StartupProbe", "AllocatedResources", "ObservedGeneration"}

func TestUIDDependsOnTheSourceSince121(t *testing.T) {
	at := place{Node: "n", Path: "/a"}
	cases := map[string]struct {
		recipe kubelet.StaticPodUIDRecipe
		other  place
		same   bool
	}{
		"up to 1.20 neither node nor file counts": {kubelet.StaticPodUIDFromPod, place{Node: "m", Path: "/b"}, true},
		"since 1.21 the node counts":              {kubelet.StaticPodUIDFromPodAndURL, place{Node: "m", Path: "/a"}, false},
		"since 1.21 the file counts":              {kubelet.StaticPodUIDFromPodAndURL, place{Node: "n", Path: "/b"}, false},
		"since 1.35 the node counts":              {kubelet.StaticPodUIDFNV, place{Node: "m", Path: "/a"}, false},
		"a URL takes the place of both":           {kubelet.StaticPodUIDFNV, place{Node: "n", URL: "http://x"}, false},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			a, errA := uidOf(test.recipe, "(*core.Pod){}", at)
			b, errB := uidOf(test.recipe, "(*core.Pod){}", test.other)
			if errA != nil || errB != nil || (a == b) != test.same || len(a) != 32 {
				t.Errorf("%s and %s, %v, %v; want the same: %v", a, b, errA, errB, test.same)
			}
		})
	}
	one, _ := uidOf(kubelet.StaticPodUIDFNV, "p", place{Node: "n", URL: "u"})
	two, _ := uidOf(kubelet.StaticPodUIDFNV, "p", place{Node: "m", URL: "u"})
	if one != two {
		t.Error("the node counts although the pod came from a URL")
	}
	if uid, err := uidOf("sha1", "p", at); err == nil || uid != "" {
		t.Errorf("an unknown recipe gave %q, %v", uid, err)
	}
}

func TestChangesAreInOrderAndAgreeWithTheProfiles(t *testing.T) {
	before := kubelet.StaticPodUIDFromPod
	if !slices.IsSortedFunc(changes(), func(a, b UIDChange) int { return a.Minor - b.Minor }) {
		t.Error("the table is not in order")
	}
	for _, c := range changes() {
		now := profileOf(t, kubelet.Version{Major: 1, Minor: c.Minor, Patch: kubelet.PatchNotGiven}.String()).StaticPodUID
		if (now != before) != c.Recipe {
			t.Errorf("1.%d: recipe %s after %s, but the table says changed: %v", c.Minor, now, before, c.Recipe)
		}
		if before = now; c.Why() == "" || !c.Recipe && len(c.Fields) == 0 {
			t.Errorf("1.%d changes nothing", c.Minor)
		}
	}
}

func TestBetweenLooksBothWays(t *testing.T) {
	minors := func(all []UIDChange) (out []int) {
		for _, c := range all {
			out = append(out, c.Minor)
		}
		return out
	}
	for name, test := range map[string]struct {
		from, to int
		want     []int
	}{
		"an upgrade by one":            {34, 35, []int{35}},
		"a downgrade by one":           {35, 34, []int{35}},
		"the same minor":               {30, 30, nil},
		"1.28 to 1.29 changed nothing": {28, 29, nil},
		"1.19 to 1.20 changed nothing": {19, 20, nil},
		"several minors":               {19, 23, []int{21, 23}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, minors(Between(test.from, test.to))); diff != "" {
				t.Error(diff)
			}
		})
	}
}
