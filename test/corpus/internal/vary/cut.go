package vary

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"iter"
	"math/rand/v2"
	"path"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Cuts removes parts of one or two logs at random, n times: a stretch, everything before or after a line, or single
// lines all over, as a log store under load does. A journal loses whole entries or, as a damaged file does, lines of
// them. The same seed gives the same cuts.
func Cuts(e *entry.Entry, n int, seed uint64) iter.Seq[Variant] {
	name := fnv.New64()
	_, _ = name.Write([]byte(e.Name))
	r := rand.New(rand.NewPCG(seed, name.Sum64()))
	var logs []string
	for _, p := range e.Paths() {
		if path.Ext(p) != ".json" && path.Ext(p) != ".yaml" && bytes.Count(e.Files[p], []byte("\n")) > 3 {
			logs = append(logs, p)
		}
	}
	return func(yield func(Variant) bool) {
		for i := 0; i < n && len(logs) > 0; i++ {
			some := e.Keep(func(string) bool { return true })
			var how []string
			for range 1 + r.IntN(2) {
				p := logs[r.IntN(len(logs))]
				data, what := cut(r, p, some.Files[p])
				some.Files[p] = data
				how = append(how, what)
			}
			if !yield(Variant{How: strings.Join(how, ", "), Entry: some}) {
				return
			}
		}
	}
}

// cut removes one part of a log, and says which.
func cut(r *rand.Rand, name string, data []byte) ([]byte, string) {
	sep, unit := "\n", "lines"
	if path.Ext(name) == ".export" && r.IntN(3) > 0 {
		sep, unit = "\n\n", "entries"
	}
	all := bytes.SplitAfter(data, []byte(sep))
	at := r.IntN(len(all))
	switch r.IntN(4) {
	case 0:
		return bytes.Join(all[:at], nil), fmt.Sprintf("the first %d %s of %s", at, unit, name)
	case 1:
		return bytes.Join(all[at:], nil), fmt.Sprintf("%s from %d on of %s", unit, at+1, name)
	case 2:
		end := min(len(all), at+[]int{1, 2, 5, 13, 30, 100, 300, 1000}[r.IntN(8)])
		return bytes.Join(append(all[:at:at], all[end:]...), nil),
			fmt.Sprintf("without %s %d to %d of %s", unit, at+1, end, name)
	default:
		share := []float64{.02, .1, .3, .6}[r.IntN(4)]
		var kept [][]byte
		for _, piece := range all {
			if r.Float64() >= share {
				kept = append(kept, piece)
			}
		}
		return bytes.Join(kept, nil), fmt.Sprintf("without %.0f %% of the %s of %s", 100*share, unit, name)
	}
}
