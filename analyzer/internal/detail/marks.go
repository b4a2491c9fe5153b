package detail

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// mostMarks bounds a lane: a node in trouble writes tens of thousands of lines.
const mostMarks = 1000

// order is that of the lanes with marks.
var order = []report.LaneKind{report.LaneInstance, report.LaneSandbox,
	report.LaneProbe, report.LaneKubelet, report.LaneRuntime, report.LaneKernel, report.LaneSystemd, report.LaneAPI}

// laneNames are what lanes with marks are called.
var laneNames = map[report.LaneKind]string{
	report.LaneInstance: "restarts", report.LaneSandbox: "sandbox", report.LaneProbe: "probes",
	report.LaneKubelet: "kubelet",
	report.LaneRuntime: "runtime", report.LaneKernel: "kernel", report.LaneSystemd: "systemd", report.LaneAPI: "API",
}

// board gathers the marks of lanes.
type board struct {
	marks map[report.LaneKind][]report.Mark
	// lines finds the mark of a log line by what an event of the same would say.
	lines map[likeness]int
}

// likeness is what an event and a log line about one thing have in common: events
// carry whole seconds.
type likeness struct {
	statement, container, message string
	second                        int64
}

func newBoard() *board {
	return &board{marks: map[report.LaneKind][]report.Mark{}, lines: map[likeness]int{}}
}

// put adds one occurrence. What two sources say of one thing is one mark.
func (b *board) put(x told, o *evidence.Observation, container string, decisive bool) {
	key := likeness{o.Fact.Statement(), container, messageOf(o.Fact), x.at.Unix()}
	list := b.marks[x.lane]
	if o.Source.Kind == evidence.SourceAPI {
		if i, ok := b.lines[key]; ok {
			b.join(&list[i], o.ID, decisive)
			return
		}
	}
	for i := len(list) - 1; i >= 0 && i >= len(list)-4; i-- {
		if list[i].At.Equal(x.at) && list[i].Text == x.text || list[i].At.Sub(x.at).Abs() < oneLook &&
			saysMore(list[i].Text, x.text) {
			b.join(&list[i], o.ID, decisive)
			return
		}
		if list[i].At.Sub(x.at).Abs() < oneLook && saysMore(x.text, list[i].Text) {
			list[i].Text = x.text
			b.join(&list[i], o.ID, decisive)
			return
		}
	}
	if o.Source.Kind != evidence.SourceAPI {
		b.lines[key] = len(list)
	}
	b.marks[x.lane] = append(list, report.Mark{At: x.at.UTC(), Text: x.text, Decisive: decisive, Evidence: []string{o.ID}})
}

// oneLook is within what time the kubelet writes two lines about one end.
const oneLook = 5 * time.Millisecond

// saysMore tells "sees that a ended with exit code 1" from "sees that a ended".
func saysMore(long, short string) bool {
	rest, ok := strings.CutPrefix(long, short)
	return ok && strings.HasPrefix(rest, " with exit code ")
}

func (b *board) join(m *report.Mark, id string, decisive bool) {
	m.Decisive = m.Decisive || decisive
	if !slices.Contains(m.Evidence, id) {
		m.Evidence = append(m.Evidence, id)
	}
}

// say adds what no observation stands for: it is read from an object.
func (b *board) say(lane report.LaneKind, at time.Time, text string) {
	b.marks[lane] = append(b.marks[lane], report.Mark{At: at.UTC(), Text: text, Evidence: []string{}})
}

func (b *board) cited() (ids []string) {
	for _, kind := range order {
		for _, m := range b.marks[kind] {
			ids = append(ids, m.Evidence...)
		}
	}
	return ids
}

// messageOf is the text that an event and a log line of one fact share.
func messageOf(f evidence.Fact) string {
	switch f := f.(type) {
	case evidence.KillDecided:
		return f.Message.String()
	case evidence.ProbeFailed:
		return string(f.Probe) + f.Output.String()
	case evidence.HookFailed:
		return f.Hook
	case evidence.StartFailed:
		return f.Reason
	}
	return ""
}

// lanes returns the lanes that have marks, in order. Of a lane with too many it
// keeps the decisive ones and those nearest to the moment, and says so.
func (b *board) lanes(near time.Time) (lanes []report.Lane) {
	for _, kind := range order {
		marks := b.marks[kind]
		if len(marks) == 0 {
			continue
		}
		name := laneNames[kind]
		if all := len(marks); all > mostMarks {
			slices.SortStableFunc(marks, func(x, y report.Mark) int {
				return cmp.Or(falseFirst(y.Decisive, x.Decisive), cmp.Compare(x.At.Sub(near).Abs(), y.At.Sub(near).Abs()))
			})
			marks = marks[:mostMarks]
			name = fmt.Sprintf("%s (%d of %d)", name, mostMarks, all)
		}
		slices.SortStableFunc(marks, func(x, y report.Mark) int {
			return cmp.Or(x.At.Compare(y.At), strings.Compare(x.Text, y.Text))
		})
		lanes = append(lanes, report.Lane{Kind: kind, Name: name, Marks: marks})
	}
	return lanes
}

// twice calls do for log lines first and for events then, so that an event finds
// the line that says the same.
func twice(obs []*evidence.Observation, at []int32, do func(o *evidence.Observation)) {
	for _, events := range []bool{false, true} {
		for _, i := range at {
			if o := obs[i]; (o.Source.Kind == evidence.SourceAPI) == events {
				do(o)
			}
		}
	}
}

// falseFirst compares two truths: the true one comes later.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
