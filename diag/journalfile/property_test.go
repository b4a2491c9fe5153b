package journalfile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// world is a journal of any shape, as entries and as files.
type world struct {
	r       *rand.Rand
	entries []journalfiletest.Entry
	set     *Set
}

// newWorld makes some entries with a few fields of few values, and spreads them
// over one sequence of files.
func newWorld(t *testing.T, seed uint64) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 0))}
	at, mono := uint64(t0), uint64(1)
	for i := range 1 + w.r.IntN(120) {
		step := w.r.Uint64N(3) * 500_000 // several entries of one moment, too
		at, mono = at+step, mono+step+1
		e := journalfiletest.Entry{Seqnum: uint64(i + 1), Realtime: at, Monotonic: mono,
			Boot: "boot", Fields: []string{fmt.Sprintf("MESSAGE=%d", i)}}
		for _, name := range []string{"A", "B", "C"} {
			if w.r.IntN(3) > 0 {
				e.Fields = append(e.Fields, fmt.Sprintf("%s=%d", name, w.r.IntN(3)))
			}
		}
		w.entries = append(w.entries, e)
	}
	var files [][]byte
	for rest := w.entries; len(rest) > 0; {
		n := 1 + w.r.IntN(len(rest))
		o := plain()
		o.FileID, o.State = fmt.Sprint(len(files)), 2
		o.Compact, o.Keyed = w.r.IntN(2) == 0, w.r.IntN(2) == 0
		o.Buckets, o.ArrayItems = 1+w.r.IntN(20), 1+w.r.IntN(5)
		f := journalfiletest.New(o)
		for _, e := range rest[:n] {
			f.Add(e)
		}
		b := f.Bytes()
		if w.r.IntN(4) == 0 {
			b = put(b, 104, 0) // without an index
		}
		files, rest = append(files, b), rest[n:]
	}
	w.r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	w.set = setOf(t, files...)
	return w
}

// query makes a query of any kind.
func (w *world) query() (q Query) {
	for range w.r.IntN(4) {
		var group []Match
		for range 1 + w.r.IntN(3) {
			group = append(group, Match{string(rune('A' + w.r.IntN(4))), fmt.Sprint(w.r.IntN(3))})
		}
		q.Any = append(q.Any, group)
	}
	if span := int64(w.entries[len(w.entries)-1].Realtime-t0) + 2_000_000; w.r.IntN(2) == 0 {
		q.Since = time.UnixMicro(t0 - 1_000_000 + w.r.Int64N(span))
	}
	return q
}

// meets says plainly what a query means.
func meets(q Query, e journalfiletest.Entry) bool {
	at := time.UnixMicro(int64(e.Realtime))
	switch {
	case !q.Since.IsZero() && at.Before(q.Since):
		return false
	case len(q.Any) == 0:
		return true
	}
	return slices.ContainsFunc(q.Any, func(group []Match) bool {
		return !slices.ContainsFunc(group, func(m Match) bool { return !slices.Contains(e.Fields, m.Field+"="+m.Value) })
	})
}

func TestAnyQueryOfAnyJournalGivesWhatItSays(t *testing.T) {
	found := 0
	seeds := uint64(150)
	for seed := range seeds {
		w := newWorld(t, seed)
		for range 5 {
			q := w.query()
			var want []string
			for i, e := range w.entries {
				if meets(q, e) {
					want = append(want, fmt.Sprint(i))
				}
			}
			found += len(want)
			if diff := cmp.Diff(want, messages(t, w.set, q)); diff != "" {
				t.Fatalf("seed %d, %d files, %+v: %s", seed, len(w.set.Files()), q, diff)
			}
		}
	}
	if found < 6*int(seeds) {
		t.Errorf("only %d entries were found: the queries ask for nothing", found)
	}
}

// Entries of two machines that interleave come in the order of their clocks,
// each machine's in its own.
func TestSequencesStayInOrderWhenTheyInterleave(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		var files [][]byte
		for _, machine := range []string{"one", "two", "three"} {
			o := plain()
			o.SeqnumID, o.MachineID = machine, machine
			w := journalfiletest.New(o)
			at := uint64(t0)
			for range r.IntN(40) {
				at += 1 + r.Uint64N(5_000_000)
				w.Add(journalfiletest.Entry{Realtime: at, Monotonic: at - t0, Boot: machine,
					Fields: []string{"MESSAGE=" + machine}})
			}
			files = append(files, w.Bytes())
		}
		s := setOf(t, files...)
		last, numbers, n := uint64(0), map[string]uint64{}, uint64(0)
		for e, err := range s.Entries(t.Context(), Query{}) {
			if err != nil {
				t.Fatal(err)
			}
			machine := string(e.Get("MESSAGE"))
			if e.Cursor.Realtime < last || e.Cursor.Seqnum != numbers[machine]+1 {
				t.Fatalf("seed %d: %s number %d at %d, after number %d and %d", seed,
					machine, e.Cursor.Seqnum, e.Cursor.Realtime, numbers[machine], last)
			}
			last, numbers[machine] = e.Cursor.Realtime, e.Cursor.Seqnum
			n++
		}
		if all := s.files[0].Entries + s.files[1].Entries + s.files[2].Entries; n != all {
			t.Errorf("seed %d: %d entries of %d", seed, n, all)
		}
	}
}

// A byte changed anywhere may cost entries, but then there is a hole, unless what
// was changed is what an entry says.
func TestNoEntryIsLostWithoutAHole(t *testing.T) {
	w := write(plain(), 0, 40)
	base := w.Bytes()
	lost := 0
	for name, c := range map[string]struct {
		q    Query
		want int
	}{
		"all":    {Query{}, 40},
		"unit":   {Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}}, 20},
		"both":   {Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}, {"_HOSTNAME", "n1"}}}}, 20},
		"since":  {Query{Since: second(20)}, 20},
		"of one": {Query{Since: second(20), Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}}, 10},
	} {
		for _, at := range slices.Concat(w.Arrays, w.Entries) {
			for _, offset := range []int{0, 8, 9, 16, 17, 24, 25} {
				for _, state := range []byte{0, 1} {
					b := flag(flag(base, at+offset, base[at+offset]^0x81), 16, state)
					got := messages(t, setOf(t, b), c.q)
					holes := 0
					for _, m := range got {
						if m[0] == '!' {
							holes++
						}
					}
					if len(got)-holes < c.want && (slices.Contains(w.Arrays, at) || offset < 16) {
						if lost++; holes == 0 {
							t.Errorf("%s, state %d, byte %d of the object at %d: %d of %d entries and no hole",
								name, state, offset, at, len(got), c.want)
						}
					}
				}
			}
		}
	}
	if lost < 20 {
		t.Errorf("only %d changes cost anything", lost)
	}
}
