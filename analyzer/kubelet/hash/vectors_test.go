package hash

import (
	"bufio"
	"bytes"
	"encoding/json"
	"hash/adler32"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// corpus reads the recorded containers.
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

// TestHashesEqualThoseOfEveryMinorsOwnTypes compares Hash, WithoutResources and All with the hashes that each minor's
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
					hash, all = WithoutResources, AllWithoutResources
				}
				// A late patch may disagree with the first one; All covers both.
				if got, err := hash(minor, c); variant != "late" && (err != nil || got.Hex != want) {
					t.Errorf("corpus line %d: %s, %v; want %s\n%s", row+1, got.Hex, err, want, textOf(minor, c))
				}
				covers := func(h EraHash) bool { return h.Hex == want && h.FromMinor <= minor && minor <= h.ToMinor }
				if !slices.ContainsFunc(all(c), covers) {
					t.Errorf("corpus line %d: %s is not among %v", row+1, want, all(c))
				}
			}
		})
	}
}

// TestEveryMinorPrintsWhatItsTypesKnow checks the JSON of a container with every field set, minor by minor: a field
// must be in it from the minor that added it on, and only there.
func TestEveryMinorPrintsWhatItsTypesKnow(t *testing.T) {
	full := &corev1.Container{}
	if err := json.Unmarshal([]byte(everything), full); err != nil {
		t.Fatal(err)
	}
	for field, since := range map[string]int{
		`"seccompProfile"`: 19, `"terminationGracePeriodSeconds"`: 21, `"hostProcess"`: 22,
		`"grpc"`: 23, `"claims"`: 26, `"resizePolicy":[`: 27,
		`"restartPolicy":"Always"`: 28, `"sleep"`: 29, `"recursiveReadOnly"`: 30, `"appArmorProfile"`: 30,
		`"request":`: 31, `"stopSignal"`: 31, `"fileKeyRef"`: 31, `"restartPolicyRules"`: 31,
		`"startupProbe"`: 16, `"service":null`: 23,
	} {
		for minor := LastStruct + 1; minor <= LastWholeSpec; minor++ {
			if got, want := strings.Contains(textOf(minor, full), field), minor >= since; got != want {
				t.Errorf("v1.%d prints %s: %v, want %v", minor, field, got, want)
			}
		}
	}
}

const everything = `{"name":"a","image":"b","resources":{"claims":[{"name":"c","request":"r"}],"limits":{"cpu":"1"}},
	"resizePolicy":[{"resourceName":"cpu","restartPolicy":"NotRequired"}],"restartPolicy":"Always","restartPolicyRules":[{"action":"Restart"}],
	"env":[{"name":"F","valueFrom":{"fileKeyRef":{"volumeName":"v","path":"p","key":"k"}}}],
	"startupProbe":{"grpc":{"port":1},"terminationGracePeriodSeconds":3},"lifecycle":{"preStop":{"sleep":{"seconds":1}},"stopSignal":"SIGTERM"},
	"volumeMounts":[{"name":"m","mountPath":"/m","recursiveReadOnly":"Enabled"}],
	"securityContext":{"seccompProfile":{"type":"Unconfined"},"appArmorProfile":{"type":"Unconfined"},"windowsOptions":{"hostProcess":true}}}`

func FuzzHash(f *testing.F) {
	for _, line := range lines(f, "testdata/corpus.jsonl") {
		f.Add([]byte(line), 25)
	}
	f.Add([]byte(`{"name":"\ud800","image":"\u0000"}`), 31)
	f.Add(
		[]byte(
			`{"resources":{"limits":{"cpu":"1e99","memory":"99999999999999999999999999999999999999Ei"},"requests":{"":null}}}`),
		16)
	f.Add([]byte(`{"lifecycle":{"preStop":{"httpGet":{"port":"-1"}}},"args":["\b\f"]}`), 27)
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
			text := textOf(m, c)
			if m <= LastStruct {
				want := naiveFNV([]byte(text))
				if m < fnvStructFrom {
					want = adler32.Checksum([]byte(text))
				}
				if want != r.Sum {
					t.Errorf("v1.%d: the text does not hash to the sum: %s", m, text)
				}
			} else if naiveSum([]byte(text)) != r.Sum || !json.Valid([]byte(text)) {
				t.Errorf("v1.%d: the text does not hash to the sum: %s", m, text)
			}
			covers := func(h EraHash) bool {
				return h.Hex == r.Hex && h.FromMinor <= m && min(m, NewestMinor) <= h.ToMinor
			}
			if !slices.ContainsFunc(all, covers) {
				t.Errorf("v1.%d: %s is not among %v", m, r.Hex, all)
			}
		}
	})
}
