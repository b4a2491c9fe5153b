package journalfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// put writes a number into a copy of a file.
func put(b []byte, at int, v uint64) []byte {
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint64(b[at:], v)
	return b
}

func flag(b []byte, at int, v byte) []byte {
	b = bytes.Clone(b)
	b[at] = v
	return b
}

func TestWhatIsNoJournalIsRefused(t *testing.T) {
	base := write(plain(), 0, 4).Bytes()
	for _, c := range []struct {
		name string
		file []byte
		is   error
		says string
	}{
		{"nothing", nil, ErrNotJournal, ""},
		{"text", []byte("Nov 21 07:00:00 n1 kubelet[80]: hello\n"), ErrNotJournal, ""},
		{"the first bytes of a journal", base[:100], errCorrupt, "less than a header"},
		{"a flag of a later systemd", flag(base, 12, base[12]|1<<5), ErrUnsupported, "0x20"},
		{"a header that is too short", put(base, 88, 8), errCorrupt, "a header of 8 bytes"},
		{"a header that is longer than the file", put(base, 88, 1<<40), errCorrupt, "a header of"},
		{"a header that ends between two objects", put(base, 88, 273), errCorrupt, "a header of 273"},
	} {
		var s Set
		err := s.Add("f", bytes.NewReader(c.file), int64(len(c.file)))
		if !errors.Is(err, c.is) || !strings.HasPrefix(err.Error(), "open f: ") || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(s.Files()) != 0 {
			t.Errorf("%s: it is in the set", c.name)
		}
	}
	var s Set
	if err := s.Add("f", bytes.NewReader(base[:300]), int64(len(base))); err == nil {
		t.Error("a file that became shorter was opened")
	}
}

func TestAHeaderTellsItsVariant(t *testing.T) {
	o := plain()
	for _, c := range []struct{ want string }{{"compact, keyed, OFFLINE"}} {
		if got := setOf(t, write(o, 0, 1).Bytes()).Files()[0].String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	o.Compact, o.Keyed, o.Compress, o.State = false, false, "lz4", 2
	b := flag(write(o, 0, 1).Bytes(), 8, flagSealed)
	f := setOf(t, b).Files()[0]
	if got := f.String(); got != "regular, jenkins, lz4, sealed, ARCHIVED" {
		t.Error(got)
	}
	if f.Name() != "system@0.journal" || f.Size() != int64(len(b)) || f.Entries != 1 ||
		f.HeadSeqnum != 1 || f.TailSeqnum != 1 {
		t.Errorf("%+v", f)
	}
	if got := Online.String() + FileState(9).String(); got != "ONLINEstate 9" {
		t.Error(got)
	}
}

func TestIdentifiersAreReadWithAndWithoutDashes(t *testing.T) {
	const want = "904dc9692186409b9fbb5fcf727be42d"
	for _, s := range []string{want, "904dc969-2186-409b-9fbb-5fcf727be42d", strings.ToUpper(want)} {
		if id, err := ParseID(s); err != nil || id.String() != want || id == (ID128{}) {
			t.Errorf("%s: %v %v", s, id, err)
		}
	}
	for _, s := range []string{"", "904d", want + "00", "z04dc9692186409b9fbb5fcf727be42d"} {
		if id, err := ParseID(s); err == nil || id != (ID128{}) {
			t.Errorf("%q: %v", s, id)
		}
	}
}

func TestFindListsJournalsOfADirectoryAndOfThoseBelow(t *testing.T) {
	id, files := "904dc9692186409b9fbb5fcf727be42d", map[string][]byte{}
	for _, p := range []string{"system.journal", id + "/system.journal", id + "/system@1.journal",
		id + "/x.journal~", id + "/deeper/y.journal", id + "/fss", "notes.txt"} {
		files[p] = write(plain(), 0, 1).Bytes()
	}
	dir := filetest.Plant(t, files)
	got, err := Find(dir)
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], dir+"/")
	}
	want := []string{id + "/system.journal", id + "/system@1.journal", id + "/x.journal~", "system.journal"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := Find(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestASetOpensAndClosesFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "system.journal")
	if err := os.WriteFile(path, write(plain(), 0, 3).Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "text.journal"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var s Set
	if err := s.Open(path); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(dir); !errors.Is(err, ErrNotJournal) {
		t.Errorf("a directory: %v", err)
	}
	if err := s.Open(filepath.Join(dir, "text.journal")); !errors.Is(err, ErrNotJournal) {
		t.Errorf("text: %v", err)
	}
	if err := s.Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing: %v", err)
	}
	if got := messages(t, &s, Query{}); len(got) != 3 {
		t.Errorf("%q", got)
	}
	if got := messages(t, s.Some(func(f *File) bool { return f.Entries > 3 }), Query{}); got != nil {
		t.Errorf("a part of the set: %q", got)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	// What is closed cannot be read: a hole, not a crash.
	s.pool.slots = [poolSlots]window{}
	if got := messages(t, &s, Query{}); len(got) == 0 || !strings.Contains(got[0], "closed") {
		t.Errorf("%q", got)
	}
}
