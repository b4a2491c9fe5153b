package detail

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// instanceLanes returns the lanes of the pod's containers, the item's own first.
func (c *scene) instanceLanes() []report.Lane {
	by := map[string][]report.Span{}
	done := map[*timeline.Instance]bool{}
	known := map[string]bool{}
	add := func(name string, in *timeline.Instance, until time.Time) {
		if in == nil || done[in] {
			return
		}
		done[in], known[in.ID] = true, true
		if in.Begun().IsZero() && in.Finished.IsZero() {
			return // only its existence is known
		}
		if until = cmp.Or(in.Finished, until); c.w.meets(in.Begun(), until) {
			by[name] = append(by[name], instanceSpan(in, until))
		}
	}
	for _, r := range c.ix.restarts[c.r.PodUID] {
		var next time.Time // an unknown end was before the next start
		if r.To != nil {
			next = r.To.Begun()
		}
		add(r.Container, r.From, next)
		if r.Next == nil {
			add(r.Container, r.To, time.Time{})
		}
	}
	for _, at := range c.records { // containers that have run since their creation
		o := c.ix.obs[at]
		f, ok := o.Fact.(evidence.ContainerRecord)
		if id := o.Subject.ContainerID; ok && f.State == evidence.StateRunning &&
			!f.Started.IsZero() && id != "" && !known[id] && c.w.meets(f.Started, time.Time{}) {
			known[id] = true
			by[o.Subject.Container] = append(by[o.Subject.Container], instanceSpan(&timeline.Instance{
				ID: id, Attempt: f.Attempt, State: f.State, Started: f.Started, Records: []string{o.ID},
			}, time.Time{}))
		}
	}
	var lanes []report.Lane
	for name, spans := range by {
		lanes = append(lanes, report.Lane{Kind: report.LaneInstance, Name: name, Spans: inOrder(spans)})
	}
	own := func(l report.Lane) int {
		if l.Name == c.r.Container {
			return 0
		}
		return 1
	}
	slices.SortFunc(lanes, func(a, b report.Lane) int {
		return cmp.Or(cmp.Compare(own(a), own(b)), strings.Compare(a.Name, b.Name))
	})
	return lanes
}

// instanceSpan describes an instance: its attempt, and how it ended.
func instanceSpan(in *timeline.Instance, until time.Time) report.Span {
	text := "an instance"
	if in.Attempt >= 0 {
		text = fmt.Sprintf("attempt %d", in.Attempt)
	}
	switch {
	case in.ExitCode != nil:
		text += fmt.Sprintf(": exit code %d", *in.ExitCode)
		if in.Reason != "" {
			text += " (" + in.Reason + ")"
		}
	case in.Exited():
		text += ": ended, its exit code is not known"
	case !until.IsZero():
		text += ": when it ended is not known"
	default:
		text += ": runs"
	}
	return report.Span{
		From: report.Time(in.Begun()), To: report.Time(until), Text: text,
		Bad: in.ExitCode != nil && *in.ExitCode != 0, Evidence: idsOf(in),
	}
}

// idsOf returns the sources of an instance's times and codes: its records, else the marks of its start and end.
func idsOf(in *timeline.Instance) []string {
	ids := slices.Clone(in.Records)
	for _, m := range in.Marks {
		switch m.Obs.Fact.(type) {
		case evidence.RuntimeCreated, evidence.ContainerStarted, evidence.ContainerDied, evidence.TaskExited:
			ids = append(ids, m.Obs.ID)
		}
	}
	return report.Unique(ids)
}

func (c *scene) sandboxLane() (report.Lane, bool) {
	lane := report.Lane{Kind: report.LaneSandbox, Name: "sandbox"}
	for _, id := range c.ids() {
		if b := c.boxes[id]; b != nil && c.byID[id].sandbox && !b.Created.IsZero() {
			if s := c.sandboxSpan(b); c.w.meets(b.Created, value(s.To)) {
				lane.Spans = append(lane.Spans, s)
			}
		}
	}
	inOrder(lane.Spans)
	return lane, len(lane.Spans) > 0
}

// sandboxSpan describes a sandbox. It ended badly when it died before anyone requested its end.
func (c *scene) sandboxSpan(b *timeline.Sandbox) report.Span {
	s := report.Span{From: report.Time(b.Created), Text: "sandbox", Evidence: []string{}}
	if b.Attempt >= 0 {
		s.Text = fmt.Sprintf("attempt %d", b.Attempt)
	}
	for _, at := range c.records {
		if o := c.ix.obs[at]; o.Subject.SandboxID == b.ID && o.Subject.ContainerID == "" {
			s.Evidence = append(s.Evidence, o.ID)
		}
	}
	var asked time.Time
	if len(b.StopRequested) > 0 {
		asked = b.StopRequested[0].At
		s.Evidence = append(s.Evidence, b.StopRequested[0].Obs.ID)
	}
	switch {
	case len(b.Died) > 0:
		died := b.Died[0]
		s.To, s.Evidence = report.Time(died.At), append(s.Evidence, died.Obs.ID)
		s.Bad = asked.IsZero() || died.At.Before(asked)
		s.Text += ": ended"
		if s.Bad && !asked.IsZero() {
			s.Text += " before the stop request"
		}
	case !asked.IsZero():
		s.To = report.Time(asked)
		s.Text += ": stopped"
	case b.Ready:
		s.Text += ": ready"
	}
	s.Evidence = report.Unique(s.Evidence)
	return s
}

func value(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// inOrder sorts spans by beginning; those with an unknown beginning come first.
func inOrder(spans []report.Span) []report.Span {
	slices.SortStableFunc(spans, func(a, b report.Span) int {
		return cmp.Or(value(a.From).Compare(value(b.From)), value(a.To).Compare(value(b.To)), strings.Compare(a.Text, b.Text))
	})
	return spans
}
