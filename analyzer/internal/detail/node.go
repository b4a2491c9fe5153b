package detail

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// tellNode makes the detail of one node: its restarts, what its daemons and its kernel did, and its kubelet's settings.
func (t *Provider) tellNode(n *timeline.NodeStory) *report.NodeDetail {
	ix := t.index()
	s := &report.NodeDetail{
		Node: n.Name, KubeletVersion: n.Info.KubeletVersion, Runtime: n.Info.Runtime,
		Kernel: n.Info.KernelVersion, OS: n.Info.OSImage,
		Notes: []report.NodeNote{}, Settings: []string{},
	}
	b := newBoard()
	nobody := names{}
	settings := map[string]string{}
	spans := map[report.LaneKind][]report.Span{}
	for _, at := range ix.node.of(n.Name) {
		o := ix.obs[at]
		set(settings, o.Fact)
		if u, ok := o.Fact.(evidence.UnitState); ok {
			spans[report.LaneSystemd] = append(spans[report.LaneSystemd], unitSpan(u, o.ID))
		}
	}
	twice(ix.obs, ix.node.of(n.Name), func(o *evidence.Observation) {
		for _, x := range nobody.tellAll(o) {
			b.put(x, o, "", false)
		}
	})
	t.ended(b, n.Name)
	spans[report.LaneKubelet] = kubeletSpans(n.Kubelet)
	spans[report.LaneRuntime] = startSpans(n.Runtime, "runtime")
	spans[report.LaneKernel] = startSpans(n.Boots, "boot")
	s.Lanes = b.lanes(t.t.Snapshot.CollectedAt)
	for _, kind := range order {
		if len(spans[kind]) == 0 {
			continue
		}
		i := slices.IndexFunc(s.Lanes, func(l report.Lane) bool { return l.Kind == kind })
		if i < 0 {
			i = len(s.Lanes)
			s.Lanes = append(s.Lanes, report.Lane{Kind: kind, Name: laneNames[kind]})
		}
		s.Lanes[i].Spans = inOrder(spans[kind])
	}
	slices.SortStableFunc(s.Lanes, func(a, b report.Lane) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
	w := bounds(s.Lanes)
	s.Start, s.End = report.Time(w.from), report.Time(w.to)
	s.Lanes = complete(s.Lanes)
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		s.Settings = append(s.Settings, name+": "+settings[name])
	}
	ids := citedIn(s.Lanes)
	for _, note := range t.r.NodeNotes {
		if note.Node == n.Name {
			s.Notes = append(s.Notes, note)
			ids = append(ids, note.Evidence...)
		}
	}
	s.Evidence = ix.unreported(ids)
	return s
}

func (t *Provider) ended(b *board, node string) {
	for i := range t.r.Items {
		it := &t.r.Items[i]
		if it.Node != node || it.Time == nil {
			continue
		}
		ids := []string{}
		if i < len(t.restarts) {
			ids = idsOf(t.restarts[i].From)
		}
		text := fmt.Sprintf("%s/%s %s: %s (%s)", it.Namespace, it.Pod, it.Container, it.Verdict.Cause, it.Verdict.Confidence)
		b.marks[report.LaneInstance] = append(b.marks[report.LaneInstance],
			report.Mark{At: it.Time.UTC(), Text: text, Evidence: ids})
	}
}

// kubeletSpans returns the kubelet's processes: each lasts until the next begins.
func kubeletSpans(runs []timeline.KubeletRun) (spans []report.Span) {
	for i, r := range runs {
		s := report.Span{From: report.Time(r.Start), Text: "kubelet" + where(r.Version, " "+r.Version) + pid(r.PID),
			Evidence: []string{}}
		if i+1 < len(runs) {
			s.To = report.Time(runs[i+1].Start)
		}
		if r.Obs != nil {
			s.Evidence = append(s.Evidence, r.Obs.ID)
		}
		spans = append(spans, s)
	}
	return spans
}

// startSpans returns the spans from each start of something to the next. Two sources that report a start within seconds
// mean the same one.
func startSpans(marks []timeline.Occurrence, what string) (spans []report.Span) {
	marks = slices.Clone(marks)
	slices.SortStableFunc(marks, func(a, b timeline.Occurrence) int { return a.At.Compare(b.At) })
	var last time.Time
	for _, m := range marks {
		if m.At.IsZero() {
			continue
		}
		if n := len(spans); n > 0 && m.At.Sub(last) <= sameStart {
			spans[n-1].Evidence = report.Unique(append(spans[n-1].Evidence, m.Obs.ID))
			if text := startText(m, what); len(text) > len(spans[n-1].Text) {
				spans[n-1].Text = text
			}
			continue
		} else if n > 0 {
			spans[n-1].To = report.Time(m.At)
		}
		last = m.At
		spans = append(spans, report.Span{From: report.Time(m.At), Text: startText(m, what), Evidence: []string{m.Obs.ID}})
	}
	return spans
}

// sameStart is how far apart two sources may date one start.
const sameStart = 15 * time.Second

func startText(m timeline.Occurrence, what string) string {
	switch f := m.Obs.Fact.(type) {
	case evidence.RuntimeStarted:
		return strings.TrimSpace(what + " " + f.Version)
	case evidence.KernelBooted:
		return strings.TrimSpace(what + " " + f.BootID)
	case evidence.NodeRebooted:
		return strings.TrimSpace(what + " " + f.BootID)
	}
	return what
}

// unitSpan returns a unit's present state since it was entered.
func unitSpan(u evidence.UnitState, id string) report.Span {
	s := report.Span{From: report.Time(u.ActiveEnterTime), Text: u.Unit + " " + u.Active,
		Bad: u.Active == "failed", Evidence: []string{id}}
	if u.Sub != "" {
		s.Text += " (" + u.Sub + ")"
	}
	if u.NRestarts > 0 {
		s.Text += fmt.Sprintf(", restarted %d times by systemd", u.NRestarts)
	}
	if u.Active != "active" {
		s.To = report.Time(u.ExitTime)
	}
	return s
}

// bounds returns the time between the first and the last moment in the lanes.
func bounds(lanes []report.Lane) (w window) {
	for _, l := range lanes {
		for _, s := range l.Spans {
			w = w.with(value(s.From)).with(value(s.To))
		}
		for _, m := range l.Marks {
			w = w.with(m.At)
		}
	}
	return w
}
