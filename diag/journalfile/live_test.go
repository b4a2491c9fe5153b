package journalfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile/journalfiletest"
)

// growing is a file to which an entry is added between any two readings.
type growing struct {
	states [][]byte // each as long as the last one
	i      int
	every  int
	reads  int
}

func (g *growing) ReadAt(p []byte, at int64) (int, error) {
	if g.reads++; g.reads%g.every == 0 && g.i < len(g.states)-1 {
		g.i++
	}
	n := copy(p, g.states[g.i][min(int(at), len(g.states[g.i])):])
	if n < len(p) {
		return n, fmt.Errorf("read behind the end")
	}
	return n, nil
}

func grow(items, entries int, pad string) *growing {
	g := &growing{every: 1}
	o := plain()
	o.State, o.ArrayItems = 1, items
	w := journalfiletest.New(o)
	for i := range entries {
		e := nth(i)
		e.Fields = append(e.Fields, fmt.Sprint("PAD=", i, strings.Repeat(pad, 200)))
		w.Add(e)
		g.states = append(g.states, w.Bytes())
	}
	size := len(g.states[entries-1])
	for i, b := range g.states {
		g.states[i] = append(b, make([]byte, size-len(b))...) // journald allocates ahead
	}
	return g
}

// Whenever a file is opened and however it grows meanwhile: what it had is read,
// in order and without a hole.
func TestAFileThatGrowsWhileItIsReadHasNoHoles(t *testing.T) {
	queries := map[string]Query{
		"all":  {},
		"unit": {Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}},
		"several": {Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}, {"_HOSTNAME", "n1"}},
			{{"_SYSTEMD_UNIT", "cron.service"}}}},
		"since": {Since: second(2)},
	}
	for _, items := range []int{1, 3, 30} {
		for _, pad := range []string{"x", "fifty characters of what makes a window full so."} {
			g := grow(items, 50, pad)
			for name, q := range queries {
				for open := range 14 {
					open *= 3
					for _, every := range []int{1, 4} {
						g.i, g.every, g.reads = open, every, 0
						size := int64(len(g.states[0]))
						if open%2 == 1 { // allocated no further than it is full
							size = int64(len(strings.TrimRight(string(g.states[open]), "\x00"))+15) / 8 * 8
						}
						var s Set
						if err := s.Add("system.journal", g, size); err != nil {
							t.Fatal(err)
						}
						for range 2 { // the second reading uses the windows of the first
							var want []string
							for i := range int(s.Files()[0].Entries) {
								if (name != "unit" || i%2 == 0) && (name != "since" || i >= 2) {
									want = append(want, fmt.Sprintf("message %d", i))
								}
							}
							if diff := cmp.Diff(want, messages(t, &s, q)); diff != "" {
								t.Fatalf("%s, arrays of %d, opened with %d entries, grown every %d readings to %d: %s",
									name, items, open+1, every, g.i+1, diff)
							}
						}
					}
				}
			}
		}
	}
}

// A file that only looks as if it were being written has the holes that it has.
func TestABrokenFileIsNotTakenForALiveOne(t *testing.T) {
	o := plain()
	o.State, o.Compact = 1, false
	w := write(o, 0, 10)
	base := w.Bytes()
	for name, b := range map[string][]byte{
		"a list leads behind the end":   put(base, w.Arrays[0]+24, uint64(len(base)+64)),
		"a list leads far away":         put(base, w.Arrays[0]+24, 1<<62),
		"an array lies behind the end":  put(base, w.Arrays[0]+16, uint64(len(base)+64)),
		"an entry was never written":    flag(base, w.Entries[4], 0),
		"a list was not written to end": put(base, w.Arrays[0]+24, 0),
	} {
		got := append(messages(t, setOf(t, b), Query{}),
			messages(t, setOf(t, b), Query{Any: [][]Match{{{"_HOSTNAME", "n1"}}}})...)
		got = append(got, messages(t, setOf(t, b), Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}})...)
		if !slices.ContainsFunc(got, func(m string) bool { return m[0] == '!' }) {
			t.Errorf("%s: %q", name, got)
		}
	}
	// Entries that the header does not count are read: the header is what is old.
	b := put(put(base, 152, 5), 160, 5)
	got := messages(t, setOf(t, b), Query{Any: [][]Match{{{"_SYSTEMD_UNIT", "kubelet.service"}}}})
	if diff := cmp.Diff(numbered(0, 2, 4, 6, 8), got); diff != "" {
		t.Error(diff)
	}
}
