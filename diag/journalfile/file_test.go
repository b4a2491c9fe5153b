package journalfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// plain is the base of the tests: a compact keyed file of ten entries, one a
// second, in two boots. Entry i says "message i"; even ones are the kubelet's.
func plain() journalfiletest.Options {
	return journalfiletest.Options{Compact: true, Keyed: true, FileID: "file",
		MachineID: "machine", SeqnumID: "sequence", Hash: Hash}
}

const t0 = 1_795_249_956_000_000

func second(i int) time.Time { return time.UnixMicro(t0 + int64(i)*1_000_000).UTC() }

func nth(i int) journalfiletest.Entry {
	unit, boot := "kubelet.service", "boot one"
	if i%2 == 1 {
		unit = "cron.service"
	}
	if i >= 5 {
		boot = "boot two"
	}
	return journalfiletest.Entry{Realtime: t0 + uint64(i)*1_000_000, Monotonic: uint64(1 + i), Boot: boot,
		Fields: []string{"_HOSTNAME=n1", "_SYSTEMD_UNIT=" + unit, fmt.Sprintf("MESSAGE=message %d", i)}}
}

func write(o journalfiletest.Options, from, to int) *journalfiletest.Writer {
	w := journalfiletest.New(o)
	for i := from; i < to; i++ {
		w.Add(nth(i))
	}
	return w
}

func setOf(t testing.TB, files ...[]byte) *Set {
	t.Helper()
	var s Set
	for i, b := range files {
		if err := s.Add(fmt.Sprintf("system@%d.journal", i), bytes.NewReader(b), int64(len(b))); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

// messages reads what a query gives; a hole stands between them as "!why".
func messages(t testing.TB, s *Set, q Query) (out []string) {
	t.Helper()
	q.OnHole = func(h Hole) { out = append(out, "!"+h.Why) }
	for e, err := range s.Entries(context.Background(), q) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(e.Get("MESSAGE")))
	}
	return out
}

func numbered(ns ...int) (out []string) {
	for _, n := range ns {
		out = append(out, fmt.Sprintf("message %d", n))
	}
	return out
}

func TestEveryVariantComesBackWhole(t *testing.T) {
	long := "LONG=" + strings.Repeat("a long value that compresses ", 3000)
	for _, compact := range []bool{false, true} {
		for _, keyed := range []bool{false, true} {
			for _, compress := range []string{"", "zstd", "lz4", "xz"} {
				o := plain()
				o.Compact, o.Keyed, o.Compress = compact, keyed, compress
				w := write(o, 0, 10)
				e := nth(10)
				e.Fields = append(e.Fields, long, "EMPTY=", "BINARY=\x00\n\xff")
				w.Add(e)
				s := setOf(t, w.Bytes())
				name := s.Files()[0].String()
				if diff := cmp.Diff(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), messages(t, s, Query{})); diff != "" {
					t.Errorf("%s: %s", name, diff)
				}
				for e, err := range s.Entries(context.Background(), Query{Any: [][]Match{{{"LONG", long[5:]}, {"EMPTY", ""}}}}) {
					if err != nil || string(e.Get("LONG")) != long[5:] || string(e.Get("BINARY")) != "\x00\n\xff" ||
						e.Get("EMPTY") == nil || e.Get("NONE") != nil {
						t.Errorf("%s: %v %.200v", name, err, e)
					}
					name = ""
				}
				if name != "" {
					t.Errorf("%s: the long field is not found", name)
				}
			}
		}
	}
}

func TestQueriesSelect(t *testing.T) {
	unit := func(u string) []Match { return []Match{{"_SYSTEMD_UNIT", u + ".service"}} }
	message := func(i int) []Match { return []Match{{"MESSAGE", fmt.Sprintf("message %d", i)}} }
	for _, c := range []struct {
		name string
		q    Query
		want []int
	}{
		{"everything", Query{}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"one unit", Query{Any: [][]Match{unit("kubelet")}}, []int{0, 2, 4, 6, 8}},
		{"a unit that is not there", Query{Any: [][]Match{unit("none")}}, nil},
		{"either of two", Query{Any: [][]Match{unit("cron"), message(4)}}, []int{1, 3, 4, 5, 7, 9}},
		{"either of two that overlap", Query{Any: [][]Match{unit("cron"), message(3), unit("cron")}}, []int{1, 3, 5, 7, 9}},
		{"both of two",
			Query{Any: [][]Match{append(unit("kubelet"), Match{"_BOOT_ID", fmt.Sprintf("%x", journalfiletest.ID("boot two"))})}},
			[]int{6, 8}},
		{"both of two that never meet", Query{Any: [][]Match{append(unit("kubelet"), message(3)...)}}, nil},
		{"all of three", Query{Any: [][]Match{append(append(unit("kubelet"), message(8)...), Match{"_HOSTNAME", "n1"})}},
			[]int{8}},
		{"one that is there and one that is not",
			Query{Any: [][]Match{append(unit("kubelet"), Match{"NO", "PE"}), message(1)}}, []int{1}},
		{"no condition is met by all", Query{Any: [][]Match{{}}}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"since an entry", Query{Since: second(7)}, []int{7, 8, 9}},
		{"since a moment between two", Query{Since: second(6).Add(time.Microsecond)}, []int{7, 8, 9}},
		{"since the beginning of time", Query{Since: time.Unix(0, 0)}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"since before 1970", Query{Since: time.Unix(-5, 0)}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"since after the end", Query{Since: second(10)}, nil},
	} {
		for _, first := range []int{1, 4, 100} { // the arrays' sizes must not matter
			o := plain()
			o.ArrayItems = first
			if diff := cmp.Diff(numbered(c.want...), messages(t, setOf(t, write(o, 0, 10).Bytes()), c.q)); diff != "" {
				t.Errorf("%s, arrays of %d: %s", c.name, first, diff)
			}
		}
	}
}

func TestOnlyTheFieldsThatAreAskedForAreThere(t *testing.T) {
	for e := range setOf(t, write(plain(), 0, 1).Bytes()).Entries(context.Background(),
		Query{Fields: []string{"MESSAGE", "_HOST"}}) {
		if len(e.Fields) != 1 || string(e.Get("MESSAGE")) != "message 0" {
			t.Errorf("%q", e.Fields)
		}
		if !e.Time().Equal(second(0)) || e.File != "system@0.journal" {
			t.Errorf("%+v", e)
		}
	}
}

func TestFilesOfOneSequenceComeOutAsOne(t *testing.T) {
	old, live := plain(), plain()
	old.State, live.FileID, live.State = 2, "another", 1
	a := write(old, 0, 6)
	b := journalfiletest.New(live)
	for i := 6; i < 10; i++ {
		e := nth(i)
		e.Seqnum = uint64(i + 1)
		b.Add(e)
	}
	// In whatever order they are added.
	for _, s := range []*Set{setOf(t, a.Bytes(), b.Bytes()), setOf(t, b.Bytes(), a.Bytes())} {
		if diff := cmp.Diff(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), messages(t, s, Query{})); diff != "" {
			t.Error(diff)
		}
	}
	// The same entry in two files comes once.
	s := setOf(t, a.Bytes(), b.Bytes(), write(old, 0, 3).Bytes(), a.Bytes())
	if diff := cmp.Diff(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), messages(t, s, Query{})); diff != "" {
		t.Error(diff)
	}
}

func TestFilesOfSeveralSequencesInterleave(t *testing.T) {
	even, odd := plain(), plain()
	odd.SeqnumID, odd.FileID, odd.MachineID = "other", "other", "other"
	a, b := journalfiletest.New(even), journalfiletest.New(odd)
	for i := range 10 {
		if i%2 == 0 {
			a.Add(nth(i))
		} else {
			e := nth(i)
			e.Boot = "other"
			b.Add(e)
		}
	}
	if diff := cmp.Diff(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
		messages(t, setOf(t, a.Bytes(), b.Bytes()), Query{})); diff != "" {
		t.Error(diff)
	}
	// Within a boot the wall clock may be set; the monotonic one tells.
	b = journalfiletest.New(odd)
	e := nth(1)
	e.Realtime += 3_600_000_000
	b.Add(e)
	if diff := cmp.Diff(numbered(0, 1, 2, 4, 6, 8), messages(t, setOf(t, a.Bytes(), b.Bytes()), Query{})); diff != "" {
		t.Error(diff)
	}
}

func TestTheReadingCanBeStopped(t *testing.T) {
	s := setOf(t, write(plain(), 0, 10).Bytes())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for e, err := range s.Entries(ctx, Query{}) {
		if n++; n == 3 {
			cancel()
		}
		if n == 4 && (!errors.Is(err, context.Canceled) || e != nil) || n > 4 {
			t.Errorf("entry %d: %v, %v", n, e, err)
		}
	}
	if n != 4 {
		t.Errorf("%d entries", n)
	}
	for range s.Entries(context.Background(), Query{}) {
		break
	}
}

func TestAnEmptySetHasNothing(t *testing.T) {
	var s Set
	if got := messages(t, &s, Query{}); got != nil || s.BytesRead() != 0 {
		t.Errorf("%q", got)
	}
	if got := messages(t, setOf(t, write(plain(), 0, 0).Bytes()), Query{}); got != nil {
		t.Errorf("a file without entries: %q", got)
	}
}

// What was written after the opening is not seen: the snapshot is one.
func TestALiveFileIsReadAsItWasOpened(t *testing.T) {
	o := plain()
	o.State = 1
	w := write(o, 0, 4)
	grown := write(o, 0, 9).Bytes()
	file := append(w.Bytes(), make([]byte, len(grown)-len(w.Bytes()))...)
	var s Set
	if err := s.Add("system.journal", bytes.NewReader(file), int64(len(file))); err != nil {
		t.Fatal(err)
	}
	copy(file, grown)
	if diff := cmp.Diff(numbered(0, 1, 2, 3), messages(t, &s, Query{})); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(numbered(0, 2),
		messages(t, &s, Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}})); diff != "" {
		t.Error(diff)
	}
}
