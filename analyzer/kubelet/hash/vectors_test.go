package hash

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

var update = flag.Bool("update", false, "rewrite testdata/fields.txt")

// corpus reads the containers that testdata/genvectors made.
func corpus(t testing.TB) []*corev1.Container {
	t.Helper()
	var containers []*corev1.Container
	for i, line := range lines(t, "testdata/corpus.jsonl") {
		c := &corev1.Container{}
		if err := json.Unmarshal([]byte(line), c); err != nil {
			t.Fatalf("corpus line %d: %v", i+1, err)
		}
		containers = append(containers, c)
	}
	return containers
}

func lines(t testing.TB, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	scanner := bufio.NewScanner(bytes.NewReader(data))
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestHashesEqualThoseOfEveryMinorsOwnTypes holds Hash, HashWithoutResources and All to the hashes that each minor's
// v1.Container, the kubelet's print library and its algorithm gave for the corpus.
func TestHashesEqualThoseOfEveryMinorsOwnTypes(t *testing.T) {
	for _, table := range []string{"testdata/vectors.tsv", "testdata/structvectors.tsv"} {
		compareWithVectors(t, table)
	}
}

func compareWithVectors(t *testing.T, table string) {
	containers := corpus(t)
	rows := lines(t, table)
	headings := strings.Split(rows[0], "\t")
	if len(rows) != len(containers)+1 || len(containers) < 100 {
		t.Fatalf("%d rows of hashes for %d containers", len(rows)-1, len(containers))
	}
	for column, heading := range headings {
		t.Run(heading, func(t *testing.T) {
			name, variant, _ := strings.Cut(strings.TrimPrefix(heading, "1."), "/")
			minor, err := strconv.Atoi(name)
			if err != nil {
				t.Fatal(err)
			}
			for row, c := range containers {
				want := strings.Split(rows[row+1], "\t")[column]
				hash, all := Hash, All
				if variant == "without-resources" {
					hash, all = HashWithoutResources, AllWithoutResources
				}
				// A late patch may disagree with the first one; All covers both.
				if got, err := hash(minor, c); variant != "late" && (err != nil || got.Hex != want) {
					t.Errorf("corpus line %d: %s, %v; want %s\n%s", row+1, got.Hex, err, want, got.Text)
				}
				covers := func(h EraHash) bool { return h.FromMinor <= minor && minor <= h.ToMinor }
				if !slices.ContainsFunc(Match(want, all(c)), covers) {
					t.Errorf("corpus line %d: %s is not among %v", row+1, want, all(c))
				}
			}
		})
	}
}

func TestTheCorpusSetsEveryAddedField(t *testing.T) {
	for i := range additions {
		a := &additions[i]
		if !slices.ContainsFunc(corpus(t), func(c *corev1.Container) bool { return a.visit(c, false) }) {
			t.Errorf("no container of the corpus sets %s", a.path)
		}
	}
}

func TestAFieldThatIsUnsetIsNoLongerSet(t *testing.T) {
	for i := range additions {
		a := &additions[i]
		for _, c := range corpus(t) {
			if a.visit(c, false) != a.visit(c, true) {
				t.Errorf("%s: asking and unsetting disagree", a.path)
			}
			if a.visit(c, false) {
				t.Errorf("%s is still set", a.path)
			}
		}
	}
}

func TestAdditionsAreInOrderOfTheirMinors(t *testing.T) {
	if !slices.IsSortedFunc(additions[:], func(a, b addition) int { return a.minor - b.minor }) {
		t.Error("knownSince needs the additions in order")
	}
}

// TestEveryFieldOfContainerIsAccountedFor fails when a newer k8s.io/api brings a field: it must be entered in additions
// with its minor (or hashes of older minors go wrong), and then here with -update.
func TestEveryFieldOfContainerIsAccountedFor(t *testing.T) {
	var got strings.Builder
	writeFields(&got, "", reflect.TypeFor[corev1.Container]())
	const golden = "testdata/fields.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("fields of v1.Container (-known +found):\n%s", diff)
	}
}

// writeFields prints the path of every JSON field under t, in encoding order.
func writeFields(w *strings.Builder, path string, t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer:
		writeFields(w, path, t.Elem())
	case reflect.Slice:
		writeFields(w, path+"[]", t.Elem())
	case reflect.Struct:
		if t.Name() == "Quantity" || t.Name() == "IntOrString" {
			fmt.Fprintln(w, path)
			return
		}
		for i := range t.NumField() {
			f := t.Field(i)
			tag := f.Tag.Get("json")
			if name, _, _ := strings.Cut(tag, ","); f.Anonymous && name == "" {
				writeFields(w, path, f.Type)
			} else {
				writeFields(w, path+"/"+tag, f.Type)
			}
		}
	default:
		fmt.Fprintln(w, path)
	}
}

func FuzzHash(f *testing.F) {
	for _, line := range lines(f, "testdata/corpus.jsonl") {
		f.Add([]byte(line), 25)
	}
	f.Add([]byte(`{"name":"\ud800","image":"\u0000"}`), 31)
	f.Fuzz(func(t *testing.T, data []byte, minor int) {
		c := &corev1.Container{}
		if json.Unmarshal(data, c) != nil {
			return
		}
		all := All(c)
		for i := 1; i < len(all); i++ {
			if all[i-1].Algorithm == all[i].Algorithm && all[i-1].Hex == all[i].Hex {
				t.Errorf("neighbours agree and are not joined: %v", all)
			}
		}
		for _, m := range []int{minor, 5, 6, 15, 16, 22, 29, 30, 31} {
			r, err := Hash(m, c)
			if err != nil {
				continue
			}
			sum, err := strconv.ParseUint(r.Hex, 16, 32)
			if err != nil || uint32(sum) != r.Sum || r.Hex != strings.ToLower(r.Hex) {
				t.Errorf("hex %q of %x: %v", r.Hex, r.Sum, err)
			}
			if m <= structTo {
				if sumOfStruct(m, []byte(r.Text)) != r.Sum {
					t.Errorf("v1.%d: the text does not hash to the sum: %s", m, r.Text)
				}
			} else if naiveSum([]byte(r.Text)) != r.Sum || !json.Valid([]byte(r.Text)) {
				t.Errorf("v1.%d: the text does not hash to the sum: %s", m, r.Text)
			}
			covers := func(h EraHash) bool { return h.FromMinor <= m && min(m, NewestMinor) <= h.ToMinor }
			if !slices.ContainsFunc(Match(r.Hex, all), covers) {
				t.Errorf("v1.%d: %s is not among %v", m, r.Hex, all)
			}
		}
	})
}
