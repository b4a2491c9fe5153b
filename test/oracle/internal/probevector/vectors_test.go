package probevector

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// readVectors reads what the real workers did, recorded by test/oracle/probe.
func readVectors(t testing.TB, path string) []Vector {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var all []Vector
	for d := json.NewDecoder(z); d.More(); {
		var v Vector
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func recordings(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "worker", "testdata", "v*.jsonl.zst"))
	if err != nil || len(files) < 3 {
		t.Fatalf("recordings: %v, error %v; want at least three versions", files, err)
	}
	return files
}

func TestTheRealWorkersBehaviourIsOurs(t *testing.T) {
	for _, path := range recordings(t) {
		version := strings.TrimSuffix(filepath.Base(path), ".jsonl.zst")
		t.Run(version, func(t *testing.T) {
			vectors := readVectors(t, path)
			if len(vectors) < 100 {
				t.Fatalf("only %d vectors", len(vectors))
			}
			ran, ended := 0, 0
			for i, v := range vectors {
				got, err := v.Case.Play(v.Version)
				if err != nil {
					t.Fatalf("case %d: %v", i, err)
				}
				if diff := cmp.Diff(v.Want, got); diff != "" {
					t.Errorf("case %d (-real +ours):\n%s", i, diff)
				}
				if v.Version != version {
					t.Errorf("case %d is of %s", i, v.Version)
				}
				ran += len(v.Want.Runs)
				if v.Want.Ended >= 0 {
					ended++
				}
			}
			if ran < len(vectors) || ended == 0 {
				t.Errorf("%d runs and %d ended workers in %d cases: the vectors exercise nothing", ran, ended, len(vectors))
			}
		})
	}
}

func TestARecordingIsOfItsVersionAlone(t *testing.T) {
	// A worker of another version must differ somewhere, or the vectors prove nothing.
	for recorded, played := range map[string]string{"v1.20.15": "v1.30.14", "v1.30.14": "v1.36.3", "v1.36.3": "v1.30.14"} {
		differences := 0
		for _, v := range readVectors(t, filepath.Join("..", "worker", "testdata", recorded+".jsonl.zst")) {
			got, err := v.Case.Play(played)
			if err != nil || !cmp.Equal(v.Want, got) {
				differences++
			}
		}
		if differences == 0 {
			t.Errorf("vectors of %s also hold for %s", recorded, played)
		}
	}
}

func TestUnknownVersionsAreErrors(t *testing.T) {
	for _, version := range []string{"", "v1.4.0", "nonsense"} {
		if _, err := (Case{}).Play(version); err == nil {
			t.Errorf("version %q was played", version)
		}
	}
}
