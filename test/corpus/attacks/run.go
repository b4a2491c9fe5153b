package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
)

func attacks() []attack {
	return slices.Concat(foreignAttacks(), clockAttacks(), forgedAttacks(),
		nodeAttacks(), insideAttacks(), twinAttacks(), guiseAttacks(), writtenAttacks(), crowdAttacks(),
		printedAttacks(), handedAttacks(), keptAttacks(), tenantAttacks(), joinedAttacks(), yearlessAttacks(),
		copiedAttacks(), lookAttacks(), signalAttacks())
}

// failure is a wrong verdict that an attack made proven.
type failure struct {
	class, story, how, said string
	report                  *report.Report
}

func (f failure) String() string {
	return fmt.Sprintf("%s: %s, %s: %s", f.class, f.story, f.how, f.said)
}

// plain are the classes of hand-written stories in which every line is from its alleged writer.
var plain = []string{"clock step", "late kill", "memory", "stall"}

// all returns the targets of all entries, and of the plain hand-written stories that have a truth.
func all(entries []*entry.Entry) []*target {
	var out []*target
	for _, e := range entries {
		out = append(out, targets(e)...)
	}
	told := classes()
	for _, class := range plain {
		for _, w := range told[class] {
			if s := w.Story(); s.Truth.Cause != story.Undecided {
				out = append(out, targets(s.Entry(class+"/"+w.Name, machine.Text))...)
			}
		}
	}
	for _, t := range out {
		t.others = out
	}
	return out
}

func generate(a attack, on []*target, seed uint64, n int) (tried int, failed []failure) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	draw := fnv.New64a()
	_, _ = draw.Write([]byte(a.name)) // never fails
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			r := rand.New(rand.NewPCG(seed, uint64(i)^draw.Sum64()))
			for range 50 { // until one fits
				t := *on[r.IntN(len(on))]
				t.form = machine.Forms[r.IntN(len(machine.Forms))]
				if t.form == machine.Kmsg && len(t.Boots) > 2 {
					t.form = machine.Journal // the ring has one boot
				}
				v, ok := a.apply(r, &t)
				if !ok {
					continue
				}
				said, r, err := v.wrong()
				if err != nil {
					continue // nothing left to read
				}
				mu.Lock()
				defer mu.Unlock()
				tried++
				for _, s := range said {
					failed = append(failed, failure{a.name, cmp.Or(v.of, fmt.Sprintf("%s (%s)", t.Entry.Name, t.form)),
						fmt.Sprintf("case %d, %s", i, v.how), s, r})
				}
				return
			}
		})
	}
	wg.Wait()
	slices.SortFunc(failed, func(a, b failure) int { return strings.Compare(a.String(), b.String()) })
	return tried, failed
}

// wrong returns the verdicts that the variant makes proven and that are wrong, or that only worthless evidence proves.
func (v *variant) wrong() ([]string, *report.Report, error) {
	if v.judge != nil {
		return v.judge()
	}
	r, err := analysed(v.entry, v.change)
	if err != nil {
		return nil, nil, err
	}
	out := wrong(v.entry, r)
	if v.less == nil {
		return out, r, nil
	}
	less, err := analysed(v.less, nil)
	if err != nil {
		return nil, nil, err
	}
	with, without := proven(r), proven(less)
	for _, t := range v.entry.Truths {
		key := t.Pod + "/" + t.Container
		if with[key] != "" && without[key] == "" {
			out = append(out, fmt.Sprintf("%s is called proven, and is not without it: %s", key, with[key]))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), r, nil
}
