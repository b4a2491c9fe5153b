package analyzer

import (
	"maps"
	"runtime"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/predict"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/verdict"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// decided holds items with their verdicts, and for each its restart and its root.
type decided struct {
	items    []report.Item
	restarts []*timeline.Restart
	roots    []*causes.Root
	cited    ids
	resting  extrapolation
}

// together is the least number of restarts that is worth a goroutine.
const together = 256

// decide judges restarts on all processors: a verdict reads the timeline and no other verdict.
func (o Options) decide(t *timeline.History, all []*timeline.Restart) decided {
	step := max(together, (len(all)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	room := make([]report.Item, len(all))
	parts := make([]decided, (len(all)+step-1)/step)
	var wg sync.WaitGroup
	for i := range parts {
		from, to := i*step, min((i+1)*step, len(all))
		wg.Go(func() { parts[i] = o.decideSome(t, all[from:to], room[from:from:to]) })
	}
	wg.Wait()
	out := decided{items: room[:0], cited: ids{}, resting: extrapolation{}}
	for i, p := range parts {
		out.items = append(out.items, p.items...) // moves them into place
		out.restarts, out.roots = append(out.restarts, p.restarts...), append(out.roots, p.roots...)
		if i == 0 {
			out.cited = p.cited
		}
		maps.Copy(out.cited, p.cited)
		for of, items := range p.resting {
			out.resting[of] = append(out.resting[of], items...)
		}
	}
	if o.Rows && len(out.items) > 0 {
		o.Rows = false
		newest := o.decideSome(t, out.restarts[:1], room[:0:1])
		out.cited = newest.cited
	}
	return out
}

// idsOf returns a set sized for what the verdicts of n restarts cite.
func (o Options) idsOf(n int) ids {
	if o.Rows {
		n = 1
	}
	return make(ids, 4*n)
}

// decideSome judges restarts one after the other, and appends the items to room.
func (o Options) decideSome(t *timeline.History, some []*timeline.Restart, room []report.Item) decided {
	d := decided{items: room, cited: o.idsOf(len(some)), resting: extrapolation{}}
	judge := verdict.NewJudge(catalogue.Rules(), predict.New(t).Against)
	decide := judge.Decide
	if o.Rows {
		decide = judge.Row
	}
	f := &finding.Findings{} // one for all: no verdict points into it
	cut := t.Cut()
	for _, x := range some {
		f.Derive(t, x)
		if !tells(f, cut) {
			continue
		}
		res := decide(f)
		if x.Kind == timeline.KindNone && res.Verdict.Confidence == report.Unknown {
			continue // nothing ended, and its apparent restart has no name
		}
		if o.Cause != "" && res.Verdict.Cause != o.Cause && res.Verdict.Mechanism != o.Cause {
			continue
		}
		it := item(x, res.Verdict)
		if !o.Rows {
			it.From = instance(x.From)
		}
		if res.Kind != "" {
			it.Kind = res.Kind
		}
		d.cited.add(res.Cited...)
		d.resting.add(f.Versions.Extrapolated, &it)
		d.items, d.restarts, d.roots = append(d.items, it), append(d.restarts, x), append(d.roots, res.Root)
	}
	return d
}
