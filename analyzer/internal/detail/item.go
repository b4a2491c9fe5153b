package detail

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/forensics"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/predict"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

func (t *Provider) tell(it *report.Item, r *timeline.Restart) *report.ItemDetail {
	c := t.sceneOf(r)
	s := &report.ItemDetail{Item: it.ID, Activity: report.Activity{Lanes: c.instanceLanes()}}
	if lane, ok := c.sandboxLane(); ok {
		s.Lanes = append(s.Lanes, lane)
	}
	s.Lanes = append(s.Lanes, c.markLanes(citedBy(it), citedIn(s.Lanes))...)
	f := finding.Derive(t.t, r)
	s.Decision = predict.Decision(t.t, r, f, catalogue.Supposes(causes.ID(it.Verdict.Cause), f))
	s.Hashes = forensics.OfRestart(t.t, f)
	w := c.shown(s.Lanes, t.t.Snapshot.CollectedAt)
	s.Start, s.End = report.Time(w.from), report.Time(w.to)
	s.Lanes = complete(s.Lanes)
	ids := citedIn(s.Lanes)
	if s.Hashes != nil {
		for i := range s.Hashes.Stored {
			ids = append(ids, s.Hashes.Stored[i].Evidence...)
		}
	}
	s.Evidence = c.ix.unreported(ids)
	return s
}

// shown returns the window without the empty time at its ends, and with what the verdict cites outside of it.
func (c *scene) shown(lanes []report.Lane, collected time.Time) window {
	w, all := c.w, bounds(lanes)
	if !collected.IsZero() && collected.Before(w.to) && collected.After(w.from) {
		w.to = collected
	}
	if all.from.After(w.from) && all.from.Before(w.to) {
		w.from = all.from
	}
	for _, l := range lanes {
		for _, m := range l.Marks {
			if m.Decisive {
				w = w.with(m.At)
			}
		}
	}
	return w
}

// markLanes returns the lanes of what happened in the window, and of what the verdict cites, at any time. spanned are
// the ids that spans cite already.
func (c *scene) markLanes(cited, spanned []string) []report.Lane {
	decisive := map[string]bool{}
	for _, id := range cited {
		decisive[id] = true
	}
	b := newBoard()
	twice(c.ix.obs, c.seen, func(o *evidence.Observation) {
		for _, x := range c.tellAll(o) {
			if c.w.holds(x.at) {
				b.put(c.lateLook(x, o), o, c.container(o), decisive[o.ID] && !c.ofNext(o))
			}
		}
	})
	shown := map[string]bool{}
	for _, id := range slices.Concat(spanned, b.cited()) {
		shown[id] = true
	}
	for _, id := range cited {
		if at, ok := c.ix.find(id); ok && !shown[id] {
			c.recall(b, c.ix.obs[at])
		}
	}
	c.objects(b)
	return b.lanes(c.middle())
}

// ofNext reports whether it is the end of the next instance: it may be cited as a record of that one, and decided
// nothing here.
func (c *scene) ofNext(o *evidence.Observation) bool {
	switch o.Fact.(type) {
	case evidence.ContainerFinished, evidence.ContainerDied, evidence.TaskExited:
		return c.r.To != nil && c.r.To.ID != "" && o.Subject.ContainerID == c.r.To.ID
	}
	return false
}

// lateLook changes the text of what a kubelet says about the time before its own start: it reports what it finds as if
// it had just started or ended (pleg/generic.go Relist).
func (c *scene) lateLook(x told, o *evidence.Observation) told {
	in := c.byID[o.Subject.ContainerID].instance
	run, _ := c.node.KubeletAt(o.Time)
	if in == nil || run == nil {
		return x
	}
	when := in.Finished
	switch o.Fact.(type) {
	case evidence.ContainerStarted:
		when = in.Begun()
	case evidence.ContainerFinished, evidence.ContainerDied:
	default:
		return x
	}
	if !when.IsZero() && when.Before(run.Start) {
		x.text = "newly started, " + strings.Replace(x.text, "sees", "finds", 1)
	}
	return x
}

// recall adds what the verdict cites outside of the window: the occurrence that is nearest to the end.
func (c *scene) recall(b *board, o *evidence.Observation) {
	all := c.tellAll(o)
	if len(all) == 0 {
		if o.Time.IsZero() {
			return
		}
		all = []told{{laneOf(o.Source.Kind), o.Time, short(o.Text.String())}}
	}
	b.put(all[len(all)-1], o, c.container(o), true)
}

// laneOf returns the lane of an observation without its own text.
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

// objects adds what only the pod's object shows, and no event: when it was created, and who wrote to its spec.
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

// middle returns the moment that the detail is about.
func (c *scene) middle() time.Time {
	if end := c.r.End(); !end.IsZero() {
		return end
	}
	return c.w.to
}

func citedBy(it *report.Item) (ids []string) {
	for _, l := range it.Verdict.Chain {
		ids = append(ids, l.Evidence...)
	}
	return report.Unique(ids)
}

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
	return x.cite(slices.Compact(at))
}
