package journalfile

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func unzstd(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dec, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	out, err := dec.DecodeAll(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// recorded are files that systemd-journal-remote wrote, by name, and what
// journalctl -o export says of them (test/journals record).
func recorded(t testing.TB) map[string][2][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.journal.zst")
	if err != nil || len(paths) < 12 {
		t.Fatalf("%d recorded journals: %v", len(paths), err)
	}
	out := map[string][2][]byte{}
	for _, p := range paths {
		name := strings.TrimSuffix(p, ".journal.zst")
		out[filepath.Base(name)] = [2][]byte{unzstd(t, p), unzstd(t, name+".export.zst")}
	}
	return out
}

func exportOf(t testing.TB, s *Set, q Query) (out []byte, n int) {
	t.Helper()
	q.OnHole = func(h Hole) { t.Errorf("a hole: %+v", h) }
	for e, err := range s.Entries(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		out = e.AppendExport(out)
		n++
	}
	return out, n
}

func TestRecordedJournalsSayWhatJournalctlSays(t *testing.T) {
	variants := map[string]bool{}
	for name, files := range recorded(t) {
		s := setOf(t, files[0])
		got, n := exportOf(t, s, Query{})
		if !bytes.Equal(got, files[1]) || n < 10 {
			t.Errorf("%s: %d entries, %d bytes instead of %d", name, n, len(got), len(files[1]))
		}
		variants[s.Files()[0].String()] = true
		// Every entry is found by each of its fields, through the file's own index.
		for e, err := range s.Entries(t.Context(), Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			f := e.Fields[len(e.Fields)-1]
			q := Query{Any: [][]Match{{{string(f.Name), string(f.Value)}, {"_BOOT_ID", e.Cursor.Boot.String()}}}}
			again, _ := exportOf(t, setOf(t, files[0]), q)
			if !bytes.Contains(again, []byte(e.Cursor.String())) {
				t.Errorf("%s: %s is not found by %s", name, e.Cursor, f.Name)
			}
		}
	}
	if len(variants) < 7 {
		t.Errorf("only %v", variants)
	}
}

// extent is where the tables end and where what follows on them does.
func extent(t testing.TB, b []byte) (tables, end int) {
	t.Helper()
	f := setOf(t, b).Files()[0]
	return int(f.dataTable + f.dataTableSize), len(bytes.TrimRight(b, "\x00"))
}

// A byte that is wrong, anywhere, costs no more than what it belongs to, and
// never makes an entry out of nothing.
func TestRecordedJournalsWithDamageAreReadOn(t *testing.T) {
	for name, files := range recorded(t) {
		tables, end := extent(t, files[0])
		whole := map[string]bool{}
		for e := range setOf(t, files[0]).Entries(t.Context(), Query{}) {
			whole[e.Cursor.String()] = true
		}
		for i := range 12 {
			b := bytes.Clone(files[0])
			at := tables + (end-tables)*i/12
			if i%4 == 0 {
				at = 300 + (tables-300)*i/12
			}
			for k := range 24 {
				b[min(at+k, end)] ^= 0x5a
			}
			s := setOf(t, b)
			foreign, n := 0, 0
			for e, err := range s.Entries(t.Context(), Query{}) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; !whole[e.Cursor.String()] {
					foreign++
				}
			}
			if foreign > 1 {
				t.Errorf("%s, damaged at %d: %d entries of %d are none of the file", name, at, foreign, n)
			}
		}
	}
}

func TestACutJournalIsReadUpToTheCut(t *testing.T) {
	for name, files := range recorded(t) {
		tables, end := extent(t, files[0])
		_, all := exportOf(t, setOf(t, files[0]), Query{})
		last := 0
		for i := range 20 {
			var s Set
			size := tables + (end-tables)*i/20
			if err := s.Add(name, bytes.NewReader(files[0][:size]), int64(size)); err != nil {
				continue
			}
			n, holes := 0, 0
			for range s.Entries(t.Context(), Query{OnHole: func(Hole) { holes++ }}) {
				n++
			}
			if n < last || n > all || n < all && holes == 0 {
				t.Errorf("%s cut at %d: %d entries, %d holes; %d before", name, size, n, holes, last)
			}
			last = n
		}
		if last < all/2 {
			t.Errorf("%s: never more than %d of %d", name, last, all)
		}
	}
}
