package journalfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// Each is one damage to a file of ten entries: what can be read is read, and
// where something is missing it is said at that place.
func TestWhatIsBrokenCostsOnlyItselfAndIsSaid(t *testing.T) {
	o := plain()
	o.Compact = false // offsets of 64 bits can lead anywhere
	w := write(o, 0, 10)
	base := w.Bytes()
	array := w.Arrays[0]
	for _, at := range w.Arrays { // the first of the file's own list is the first that the header names
		if uint64(at) == binary.LittleEndian.Uint64(base[176:]) {
			array = at
		}
	}
	second := int(binary.LittleEndian.Uint64(base[array+16:]))
	host := w.Data["_HOSTNAME=n1"]
	message := w.Data["MESSAGE=message 4"]
	whole := numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	without4 := append(numbered(0, 1, 2, 3), append([]string{"!"}, numbered(5, 6, 7, 8, 9)...)...)
	cut := func(n int) []string { return append(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)[:n], "!") }
	for _, c := range []struct {
		name string
		file []byte
		want []string
	}{
		{"nothing", base, whole},
		{"an entry is no entry", flag(base, w.Entries[4], 1), without4},
		{"an entry of no size", put(base, w.Entries[4]+8, 0), without4},
		{"an entry larger than the file", put(base, w.Entries[4]+8, 1<<60), without4},
		{"an entry without data", put(base, w.Entries[4]+8, 64), without4},
		{"an entry of odd size", put(base, w.Entries[4]+8, 64+17), without4},
		{"an entry without a number", put(base, w.Entries[4]+16, 0), without4},
		{"an entry without a time", put(base, w.Entries[4]+24, 0), without4},
		{"an entry beyond all times", put(base, w.Entries[4]+24, 1<<60), without4},
		{"a list that names no entry", put(base, second+24+16, 0), without4},
		{"a list that leads out", put(base, second+24+16, 1<<40), without4},
		{"a list that leads between objects", put(base, second+24+16, uint64(w.Entries[4]+4)), without4},
		{"a list that leads back", put(base, second+24+16, uint64(w.Entries[1])), without4},
		{"an array that is no array", flag(base, second, 9), cut(2)},
		{"an array of no size", put(base, second+8, 16), cut(2)},
		{"an array without items", put(base, second+8, 24), cut(2)},
		{"an array that leads to itself", put(base, second+16, uint64(second)), cut(2)},
		{"an array that leads back", put(base, second+16, uint64(array)), cut(2)},
		{"an array that overlaps the next", put(base, second+16, uint64(second+32)), cut(2)},
		{"an array that leads out", put(base, second+16, 1<<50), cut(6)},
		{"more entries than there are", put(base, 152, 1<<40), append(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), "!")},
		{"a list that ends too early", put(base, array+16, 0), cut(2)},
		{"fewer entries than there are", put(base, 152, 3), append(numbered(0, 1, 2), "!")},
		{"an entry names no data", put(base, w.Entries[4]+64+2*16, 0),
			append(append(numbered(0, 1, 2, 3), "!", ""), numbered(5, 6, 7, 8, 9)...)},
		{"a message is no data", flag(base, message, 2),
			append(append(numbered(0, 1, 2, 3), "!", ""), numbered(5, 6, 7, 8, 9)...)},
		{"a message without bytes", put(base, message+8, 64),
			append(append(numbered(0, 1, 2, 3), "!", ""), numbered(5, 6, 7, 8, 9)...)},
		{"a message that is compressed by something", flag(base, message+1, 3),
			append(append(numbered(0, 1, 2, 3), "!", ""), numbered(5, 6, 7, 8, 9)...)},
		{"a message that is not compressed at all", flag(base, message+1, 4),
			append(append(numbered(0, 1, 2, 3), "!", ""), numbered(5, 6, 7, 8, 9)...)},
		{"a field without a name", flag(base, message+64+7, 'x'),
			append(append(numbered(0, 1, 2, 3), "!", ""), numbered(5, 6, 7, 8, 9)...)},
		{"the file ends in the middle of an entry", base[:w.Entries[9]+20], append(numbered(0, 1, 2, 3, 4, 5, 6, 7, 8), "!")},
		{"a host that is broken is missed by all", put(base, host+8, 0), strings.Split(strings.Repeat("! ", 10), " ")[:0]},
	} {
		var got []string
		for _, m := range messages(t, setOf(t, c.file), Query{}) {
			if strings.HasPrefix(m, "!") {
				m = "!"
			}
			got = append(got, m)
		}
		if strings.HasPrefix(c.name, "a host") {
			if strings.Count(strings.Join(got, ","), "!,message") != 10 {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Where the index is broken the entries are found without it, the slow way.
func TestABrokenIndexIsGoneAround(t *testing.T) {
	o := plain()
	o.Buckets = 1 // all data in one chain
	w := write(o, 0, 10)
	base := w.Bytes()
	kubelet := [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}, {"_HOSTNAME", "n1"}}, {{"MESSAGE", "message 3"}}}
	host := w.Data["_HOSTNAME=n1"]
	for name, b := range map[string][]byte{
		"no table":                        put(base, 104, 0),
		"a table outside":                 put(base, 104, 1<<60),
		"a table without end":             put(base, 112, 1<<60),
		"a bucket that leads out":         put(base, w.DataTable(), 1<<50),
		"a chain that leads out":          put(base, host+24, 1<<50),
		"a chain that loops":              put(base, w.Data["_SYSTEMD_UNIT=cron.service"]+24, uint64(host)),
		"a chain that leads to the field": put(base, host+24, uint64(w.Fields["_HOSTNAME"])),
	} {
		if diff := cmp.Diff(numbered(0, 2, 3, 4, 6, 8), messages(t, setOf(t, b), Query{Any: kubelet})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	// Then an entry that cannot be read may be a wanted one.
	b := flag(put(base, 104, 0), w.Entries[5], 1)
	got := messages(t, setOf(t, b), Query{Any: kubelet})
	if len(got) != 7 || !strings.HasPrefix(got[4], "!") {
		t.Errorf("%q", got)
	}
	// So may one whose fields cannot.
	b = flag(put(base, 104, 0), w.Data["MESSAGE=message 5"], 9)
	if got := messages(t, setOf(t, b), Query{Any: kubelet}); len(got) != 7 || !strings.HasPrefix(got[4], "!") {
		t.Errorf("%q", got)
	}
}

func TestAHoleOfTheIndexIsSaidWhereItIs(t *testing.T) {
	o := plain()
	o.Compact, o.ArrayItems = false, 1
	w := write(o, 0, 10)
	b := w.Bytes()
	unit := w.Data["_SYSTEMD_UNIT=kubelet.service"]
	array := int(binary.LittleEndian.Uint64(b[unit+48:]))  // holds entry 2
	third := int(binary.LittleEndian.Uint64(b[array+16:])) // holds 4 and 6
	q := Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}}
	got := messages(t, setOf(t, flag(b, third, 1)), q)
	if len(got) != 3 || got[1] != "message 2" || !strings.HasPrefix(got[2], "!") {
		t.Errorf("%q", got)
	}
	got = messages(t, setOf(t, put(b, third+24, 8)), q)
	if len(got) != 5 || !strings.HasPrefix(got[2], "!") || got[3] != "message 6" {
		t.Errorf("%q", got)
	}
	// Both halves of a condition are watched.
	got = messages(t, setOf(t, put(b, third+24, 8)),
		Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}, {"_HOSTNAME", "n1"}}}})
	if !strings.Contains(strings.Join(got, "\n"), "!a list of entries has an entry at offset 8") {
		t.Errorf("%q", got)
	}
}

// Entries of another file may lie within a hole: it is told before and behind them.
func TestAHoleIsToldOnBothSidesOfWhatLiesWithin(t *testing.T) {
	o := plain()
	a := journalfiletest.New(o)
	for _, i := range []int{0, 2, 6} {
		a.Add(nth(i))
	}
	o.SeqnumID, o.MachineID = "other", "other"
	b := journalfiletest.New(o)
	for _, i := range []int{3, 4} {
		e := nth(i)
		e.Boot = "other"
		b.Add(e)
	}
	s := setOf(t, flag(a.Bytes(), a.Entries[1], 9), b.Bytes())
	var got []string
	for e, err := range s.Entries(context.Background(),
		Query{OnHole: func(h Hole) { got = append(got, h.File) }}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(e.Get("MESSAGE")))
	}
	want := []string{"message 0", "system@0.journal", "message 3", "message 4", "system@0.journal", "message 6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A search for a time goes around entries that cannot be read.
func TestASearchGoesAroundWhatIsBroken(t *testing.T) {
	w := write(plain(), 0, 30)
	base := w.Bytes()
	for broken := range 30 {
		b := base
		for i := broken; i < min(broken+4, 30); i++ {
			b = flag(b, w.Entries[i], 9)
		}
		for since := range 30 {
			got := messages(t, setOf(t, b), Query{Since: second(since)})
			last := ""
			n := 0
			for _, m := range got {
				if !strings.HasPrefix(m, "!") {
					n++
					last = m
				}
			}
			want := 0
			for i := since; i < 30; i++ {
				if i < broken || i >= broken+4 {
					want++
				}
			}
			if n < want || want > 0 && broken < 26 && last != "message 29" {
				t.Fatalf("%d… broken, since %d: %d entries of %d: %q", broken, since, n, want, got)
			}
		}
	}
}

// A file that shrinks while it is read, as journald does when it archives one,
// ends in a hole.
func TestAFileThatShrinksEndsInAHole(t *testing.T) {
	w := write(plain(), 0, 2000)
	b := w.Bytes()
	r := &shrinking{b: b}
	var s Set
	if err := s.Add("f", r, int64(len(b))); err != nil {
		t.Fatal(err)
	}
	n, holes := 0, 0
	for range s.Entries(context.Background(), Query{OnHole: func(Hole) { holes++ }}) {
		if n++; n == 100 {
			r.b = b[:len(b)/2]
		}
	}
	if n < 500 || n > 1500 || holes == 0 {
		t.Errorf("%d entries, %d holes", n, holes)
	}
}

// A live file's counts may be newer than what was read of its lists before: the
// data object of a unit stands in the first window, its lists in later ones.
func TestALiveFileThatGrowsHasNoHole(t *testing.T) {
	padded := func(items, n int) []byte {
		o := plain()
		o.State, o.ArrayItems = 1, items
		w := journalfiletest.New(o)
		for i := range n {
			e := nth(2 * i)
			e.Fields = append(e.Fields, "PAD="+strings.Repeat(fmt.Sprint(i), windowSize+100))
			w.Add(e)
		}
		return w.Bytes()
	}
	q := Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}}
	for _, items := range []int{1, 3, 8} {
		grown := padded(items, 14)
		for have := 1; have < 10; have++ {
			file := append(padded(items, have), make([]byte, len(grown))...)[:len(grown)]
			var s Set
			if err := s.Add("system.journal", bytes.NewReader(file), int64(len(file))); err != nil {
				t.Fatal(err)
			}
			want := messages(t, &s, q) // now windows are filled
			if len(want) != have {
				t.Fatalf("%q", want)
			}
			copy(file, grown)
			s.pool.slots[0].file, s.Files()[0].known = nil, nil
			if diff := cmp.Diff(want, messages(t, &s, q)); diff != "" {
				t.Errorf("arrays of %d, %d entries: %s", items, have, diff)
			}
		}
	}
}

type shrinking struct{ b []byte }

func (s *shrinking) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(s.b).ReadAt(p, at)
}

// A small file may name the same data in every entry, over and over: what comes
// out is bounded by what the file is.
func TestAFileThatRepeatsItselfWithoutEndIsGivenUp(t *testing.T) {
	o := plain()
	o.Compress = "zstd"
	w := journalfiletest.New(o)
	bomb := "BOMB=" + strings.Repeat("0", maxFieldBytes-5)
	for i := range 60 {
		e := nth(i)
		e.Fields = append(e.Fields, bomb)
		w.Add(e)
	}
	s := setOf(t, w.Bytes())
	n, last := 0, ""
	for e, err := range s.Entries(context.Background(), Query{OnHole: func(h Hole) { last = h.Why }}) {
		if err != nil {
			t.Fatal(err)
		}
		n += len(e.Get("BOMB"))
	}
	if n == 0 || n > 1<<30 || !strings.Contains(last, "out of all proportion") {
		t.Errorf("%d MiB out of %d KiB; %s", n>>20, s.Files()[0].Size()>>10, last)
	}
	// Where nobody asks for it, it is not in the way.
	q := Query{Fields: []string{"MESSAGE"}, Since: second(39)}
	if got := messages(t, setOf(t, w.Bytes()), q); len(got) != 21 {
		t.Errorf("%d entries", len(got))
	}
}

// A long field that nobody asked for is not copied.
func TestALongFieldThatIsNotWantedIsPassedOver(t *testing.T) {
	w := journalfiletest.New(plain())
	for i := range 200 {
		e := nth(i)
		e.Fields = append([]string{"LONG=" + strings.Repeat("0", 1<<20)}, e.Fields...)
		w.Add(e)
	}
	s := setOf(t, w.Bytes())
	if got := messages(t, s, Query{Fields: []string{"MESSAGE"}}); len(got) != 200 || got[199] != "message 199" {
		t.Errorf("%d entries", len(got))
	}
	if copied := s.Files()[0].copied; copied > 100_000 {
		t.Errorf("%d bytes were copied", copied)
	}
}
