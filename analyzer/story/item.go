package story

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// tell makes the story of one item.
func (t *Teller) tell(it *report.Item, r *timeline.Restart) *report.Story {
	c := t.sceneOf(r)
	s := &report.Story{Item: it.ID, Lanes: c.instanceLanes()}
	if lane, ok := c.sandboxLane(); ok {
		s.Lanes = append(s.Lanes, lane)
	}
	s.Lanes = append(s.Lanes, c.markLanes(citedBy(it), citedIn(s.Lanes))...)
	f := finding.Find(t.t, r)
	s.Hashes = hashesOf(f)
	w := c.w
	for _, l := range s.Lanes {
		for _, m := range l.Marks {
			if m.Decisive {
				w = w.with(m.At)
			}
		}
	}
	s.Start, s.End = report.Time(w.from), report.Time(w.to)
	s.Lanes = complete(s.Lanes)
	ids := citedIn(s.Lanes)
	if s.Hashes != nil {
		ids = slices.Concat(ids, stored(s.Hashes.Old), stored(s.Hashes.New))
	}
	s.Evidence = c.ix.unreported(ids)
	return s
}

// markLanes are the lanes of what happened in the window, and of what the verdict
// cites, whenever it was. spanned are the ids that spans cite already.
func (c *scene) markLanes(cited, spanned []string) []report.Lane {
	decisive := map[string]bool{}
	for _, id := range cited {
		decisive[id] = true
	}
	b := newBoard()
	// Log lines first, so that events find them.
	for _, events := range []bool{false, true} {
		for _, at := range c.seen {
			o := &c.ix.obs[at]
			if (o.Source.Kind == evidence.SourceAPI) != events {
				continue
			}
			for _, x := range c.tellAll(o) {
				if c.w.holds(x.at) {
					b.put(x, o, c.container(o), decisive[o.ID])
				}
			}
		}
	}
	for _, id := range cited {
		at, ok := c.ix.find(id)
		if _, seen := slices.BinarySearch(c.seen, at); ok && !seen {
			c.recall(b, &c.ix.obs[at], spanned)
		}
	}
	c.objects(b)
	return b.lanes(c.middle())
}

// recall adds what the verdict cites from outside of the window: the occurrence
// that is nearest to the end. A record that a span cites has been shown.
func (c *scene) recall(b *board, o *evidence.Observation, spanned []string) {
	all := c.tellAll(o)
	if len(all) == 0 {
		if o.Time.IsZero() || slices.Contains(spanned, o.ID) {
			return
		}
		all = []told{{laneOf(o.Source.Kind), o.Time, short(o.Text.String())}}
	}
	b.put(all[len(all)-1], o, c.container(o), true)
}

// laneOf is the lane of what has no words of its own.
func laneOf(source evidence.SourceKind) report.LaneKind {
	switch source {
	case evidence.SourceAPI:
		return report.LaneAPI
	case evidence.SourceKernelLog, evidence.SourceCgroup:
		return report.LaneKernel
	case evidence.SourceRuntimeLog, evidence.SourceCRI:
		return report.LaneRuntime
	case evidence.SourceKubeletLog:
		return report.LaneKubelet
	}
	return report.LaneSystemd
}

// objects adds what the pod's object tells and no event does: when it was made,
// and who wrote to its spec.
func (c *scene) objects(b *board) {
	p := c.r.Pod
	if p == nil {
		return
	}
	if c.w.holds(p.CreatedAt) {
		b.say(report.LaneAPI, p.CreatedAt, "the pod was created")
	}
	for _, w := range p.SpecWrites {
		if !c.w.holds(w.Time) || w.Time.Equal(p.CreatedAt) {
			continue
		}
		what := "the pod's spec"
		if w.OnlyImages {
			what = "the image of " + strings.Join(w.Images, ", ")
		}
		b.say(report.LaneAPI, w.Time, fmt.Sprintf("%s wrote %s", w.Manager, what))
	}
}

// middle is the moment that a story is about.
func (c *scene) middle() time.Time {
	if end := c.r.End(); !end.IsZero() {
		return end
	}
	return c.w.to
}

// citedBy are the ids that an item's chain cites.
func citedBy(it *report.Item) (ids []string) {
	for _, l := range it.Verdict.Chain {
		ids = append(ids, l.Evidence...)
	}
	return unique(ids)
}

// citedIn are the ids that lanes cite.
func citedIn(lanes []report.Lane) (ids []string) {
	for _, l := range lanes {
		for _, s := range l.Spans {
			ids = append(ids, s.Evidence...)
		}
		for _, m := range l.Marks {
			ids = append(ids, m.Evidence...)
		}
	}
	return ids
}

// complete makes every list a list.
func complete(lanes []report.Lane) []report.Lane {
	for i := range lanes {
		if lanes[i].Spans == nil {
			lanes[i].Spans = []report.Span{}
		}
		if lanes[i].Marks == nil {
			lanes[i].Marks = []report.Mark{}
		}
	}
	if lanes == nil {
		return []report.Lane{}
	}
	return lanes
}

// unreported returns the evidence with these ids that the report does not hold,
// in the order of the snapshot.
func (x *index) unreported(ids []string) []report.Evidence {
	var at []int32
	for _, id := range ids {
		if i, ok := x.find(id); ok && !x.reported[i] {
			at = append(at, i)
		}
	}
	slices.Sort(at)
	out := []report.Evidence{}
	for _, i := range slices.Compact(at) {
		out = append(out, Cite(&x.obs[i]))
	}
	return out
}
