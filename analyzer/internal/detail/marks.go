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

// mostMarks limits a lane: a node with problems writes tens of thousands of lines.
const mostMarks = 1000

// order is the order of the lanes with marks.
var order = []report.LaneKind{report.LaneInstance, report.LaneSandbox,
	report.LaneProbe, report.LaneKubelet, report.LaneRuntime, report.LaneKernel, report.LaneSystemd, report.LaneAPI}

// laneNames are the names of lanes with marks.
var laneNames = map[report.LaneKind]string{
	report.LaneInstance: "restarts", report.LaneSandbox: "sandbox", report.LaneProbe: "probes",
	report.LaneKubelet: "kubelet",
	report.LaneRuntime: "runtime", report.LaneKernel: "kernel", report.LaneSystemd: "systemd", report.LaneAPI: "API",
}

// board collects the marks of lanes.
type board struct {
	marks map[report.LaneKind][]report.Mark
	// lines finds the mark of a log line by its likeness to an event.
	lines map[likeness]int
}

// likeness is what an event and a log line about one thing have in common: events have whole seconds.
type likeness struct {
	statement, container, message string
	second                        int64
}

func newBoard() *board {
	return &board{marks: map[report.LaneKind][]report.Mark{}, lines: map[likeness]int{}}
}

// put adds one occurrence. What two sources report about one thing is one mark.
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

// oneLook is the most time between two lines of the kubelet about one end.
const oneLook = 5 * time.Millisecond

// saysMore reports whether long is "sees that a ended with exit code 1" and short "sees that a ended".
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

// say adds a mark without an observation: it is read from an object.
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

// messageOf returns the text that an event and a log line of one fact share.
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

// lanes returns the lanes that have marks, in order. If a lane has too many, it keeps the decisive ones and those
// nearest to the moment, and says so.
func (b *board) lanes(near time.Time) (lanes []report.Lane) {
	for _, kind := range order {
		marks := b.marks[kind]
		if len(marks) == 0 {
			continue
		}
		name := laneNames[kind]
		if all := len(marks); all > mostMarks {
			slices.SortStableFunc(marks, func(x, y report.Mark) int {
				switch {
				case x.Decisive == y.Decisive:
					return cmp.Compare(x.At.Sub(near).Abs(), y.At.Sub(near).Abs())
				case x.Decisive:
					return -1
				}
				return 1
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

// twice calls do for log lines first and then for events, so that an event finds the line with the same content.
func twice(obs []*evidence.Observation, at []int32, do func(o *evidence.Observation)) {
	for _, events := range []bool{false, true} {
		for _, i := range at {
			if o := obs[i]; (o.Source.Kind == evidence.SourceAPI) == events {
				do(o)
			}
		}
	}
}
