package journalfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// Which values journalctl writes as text was seen with journalctl 252.
func TestAValueIsALineOnlyIfItIsPlainText(t *testing.T) {
	for _, c := range []struct {
		name, value string
		line        bool
	}{
		{"text", "plain text", true},
		{"nothing", "", true},
		{"a tab", "a\tb", true},
		{"an equals sign", "a=b=c", true},
		{"letters of other scripts", "ünïcödé ☃ 𝄞", true},
		{"the first character behind the controls", "\u00a0", true},
		{"the replacement character itself", "\ufffd", true},
		{"a newline", "a\nb", false},
		{"a carriage return", "a\r", false},
		{"a zero", "a\x00", false},
		{"an escape", "\x1b[31m", false},
		{"delete", "\x7f", false},
		{"the last of the upper controls", "\u009f", false},
		{"half a character", "a\xc3", false},
		{"a byte that is never UTF-8", "\xff", false},
		{"a surrogate", "\xed\xa0\x80", false},
	} {
		want := "NAME=" + c.value + "\n"
		if !c.line {
			want = "NAME\n" + string(binary.LittleEndian.AppendUint64(nil, uint64(len(c.value)))) + c.value + "\n"
		}
		if got := string(AppendField(nil, []byte("NAME"), []byte(c.value))); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

func TestAnEntryIsWrittenAsJournalctlWritesIt(t *testing.T) {
	seqnum, err := ParseID("c65151b3047f43729ec039e5f3d55f87")
	if err != nil {
		t.Fatal(err)
	}
	boot, err := ParseID("904dc9692186409b9fbb5fcf727be42d")
	if err != nil {
		t.Fatal(err)
	}
	c := Cursor{SeqnumID: seqnum, Boot: boot, Seqnum: 0x9ab, Monotonic: 6296573480, Realtime: 1795249956497849,
		Xor: 0xc53c6528aec49cfe}
	const written = "s=c65151b3047f43729ec039e5f3d55f87;i=9ab;b=904dc9692186409b9fbb5fcf727be42d;m=1774e1628;t=660c533f0a9b9;x=c53c6528aec49cfe"
	e := Entry{Cursor: c, Fields: []Field{{[]byte("_BOOT_ID"), []byte("left out")},
		{[]byte("MESSAGE"), []byte("hello")}, {[]byte("MESSAGE"), []byte("again")}}}
	want := "__CURSOR=" + written + "\n__REALTIME_TIMESTAMP=1795249956497849\n__MONOTONIC_TIMESTAMP=6296573480\n" +
		"_BOOT_ID=904dc9692186409b9fbb5fcf727be42d\nMESSAGE=hello\nMESSAGE=again\n\n"
	if got := string(e.AppendExport([]byte("before "))); got != "before "+want {
		t.Errorf("%q", got)
	}
	if string(e.Get("MESSAGE")) != "hello" {
		t.Errorf("%q", e.Get("MESSAGE"))
	}
}

// failing breaks on reading behind an offset.
type failing struct {
	*bytes.Reader
	from int64
}

var errDisk = errors.New("input/output error")

func (f failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > f.from {
		return 0, errDisk
	}
	return f.Reader.ReadAt(p, at)
}

func TestADiskThatFailsIsAHole(t *testing.T) {
	w := write(plain(), 0, 3000)
	b := w.Bytes()
	var s Set
	if err := s.Add("system.journal", failing{bytes.NewReader(b), int64(len(b) / 2)}, int64(len(b))); err != nil {
		t.Fatal(err)
	}
	got := messages(t, &s, Query{})
	if n := len(got); n < 500 || n > 2900 || !strings.Contains(strings.Join(got, "\n"), "!read system.journal at byte") {
		t.Errorf("%d: %q", n, got[max(0, n-3):])
	}
	if err := s.Add("bad", failing{bytes.NewReader(b), 0}, int64(len(b))); !errors.Is(err, errDisk) ||
		len(s.Files()) != 1 {
		t.Errorf("%v", err)
	}
}

// Objects lie across the borders of windows, and many files share the windows.
func TestManyFilesShareTheWindows(t *testing.T) {
	var files [][]byte
	for i := range 40 {
		o := plain()
		o.FileID = string(rune('a' + i))
		w := journalfiletest.New(o)
		for k := range 25 {
			e := nth(k*40 + i)
			e.Seqnum = uint64(k*40 + i + 1)
			e.Fields = append(e.Fields, "PAD="+strings.Repeat("x", 5000+k*777+i))
			w.Add(e)
		}
		files = append(files, w.Bytes())
	}
	s := setOf(t, files...)
	n := 0
	for e, err := range s.Entries(t.Context(), Query{OnHole: func(h Hole) { t.Errorf("%+v", h) }}) {
		if err != nil {
			t.Fatal(err)
		}
		if want := 5000 + n/40*777 + n%40; len(e.Get("PAD")) != want || e.Cursor.Seqnum != uint64(n+1) {
			t.Fatalf("entry %d: number %d, %d bytes instead of %d", n, e.Cursor.Seqnum, len(e.Get("PAD")), want)
		}
		n++
	}
	if n != 1000 {
		t.Errorf("%d entries", n)
	}
}
