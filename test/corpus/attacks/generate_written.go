package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/aged"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/apart"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/behind"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/breaks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/clocks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/dying"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/looks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/strangers"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/machine"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/vary"
)

// named is a story of a class.
type named struct {
	name string
	breaks.Written
}

// classes returns all stories by class.
func classes() map[string][]breaks.Written {
	out := breaks.All()
	maps.Copy(out, apart.All())
	maps.Copy(out, dying.All())
	maps.Copy(out, strangers.All())
	maps.Copy(out, looks.All())
	maps.Copy(out, aged.All())
	maps.Copy(out, behind.All())
	return out
}

func allWritten() []named {
	told := classes()
	var out []named
	for _, class := range slices.Sorted(maps.Keys(told)) {
		for _, w := range told[class] {
			out = append(out, named{class + "/" + w.Name, w})
		}
	}
	// Some come from maps, and a seed must draw the same ones every time.
	slices.SortStableFunc(out, func(a, b named) int { return strings.Compare(a.name, b.name) })
	return out
}

// writtenAttacks run the hand-written stories with less evidence, with duplicated evidence, under steps of the clock,
// and with one writer or the whole journal late.
func writtenAttacks() []attack {
	told := allWritten()
	draw := func(r *rand.Rand) (named, machine.Form, *story.Story, *entry.Entry) {
		w := told[r.IntN(len(told))]
		s := w.Story()
		f := s.Forms[r.IntN(len(s.Forms))]
		return w, f, s, s.Entry(w.name, f)
	}
	one := func(name, doc string, change func(*rand.Rand, *story.Story, machine.Form, *entry.Entry) *variant) attack {
		return attack{name, doc, func(r *rand.Rand, _ *target) (*variant, bool) {
			w, f, s, e := draw(r)
			v := change(r, s, f, e)
			if v == nil {
				return nil, false
			}
			v.of = fmt.Sprintf("%s (%s)", w.name, f)
			return v, true
		}}
	}
	return []attack{
		one("written, poorer", "A source, a log level, all events or a line is taken away.",
			func(r *rand.Rand, _ *story.Story, form machine.Form, e *entry.Entry) *variant {
				all := story.Poorer(e, form)
				if len(all) == 0 {
					return nil
				}
				v := all[r.IntN(len(all))]
				return &variant{how: v.How, entry: v.Entry, change: v.Change}
			}),
		one("written, doubled", "Every log is handed over twice.",
			func(_ *rand.Rand, _ *story.Story, _ machine.Form, e *entry.Entry) *variant {
				v := vary.Equal(e, 1)[0]
				return &variant{how: v.How, entry: v.Entry}
			}),
		one("written, stepped", "The clock is set around the end.",
			func(r *rand.Rand, s *story.Story, f machine.Form, e *entry.Entry) *variant {
				by := clocks.Steps[r.IntN(len(clocks.Steps))]
				if r.IntN(2) == 0 {
					by = -by
				}
				from := story.At([]float64{5, 35, 39, 40, 41, 42, 43, 44, 60}[r.IntN(9)])
				return &variant{how: fmt.Sprintf("%s at %s", by, from.Format(time.TimeOnly)),
					entry: clocks.Stepped(e, s.HandedOver(), f, from, by)}
			}),
		one("written, late", "The journal takes what is written late.",
			func(r *rand.Rand, s *story.Story, f machine.Form, e *entry.Entry) *variant {
				from, long := story.At(s.End-8+12*r.Float64()), time.Duration(200+r.IntN(10000))*time.Millisecond
				return &variant{how: fmt.Sprintf("%s from %s", long, from.Format("15:04:05.000")),
					entry: clocks.Stalled(e, s.HandedOver(), f, from, long)}
			}),
	}
}
