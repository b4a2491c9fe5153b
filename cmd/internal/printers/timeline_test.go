package printers

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// teller tells one story about everything, or fails.
type teller struct {
	story *report.Story
	err   error
}

func (t teller) Story(string) (*report.Story, error)           { return t.story, t.err }
func (t teller) NodeStory(string) (*report.NodeStory, error)   { return nil, errors.ErrUnsupported }
func (t teller) Around(string, int) ([]report.Evidence, error) { return nil, errors.ErrUnsupported }
func names(lanes []report.Lane) (all []string) {
	for _, l := range lanes {
		all = append(all, l.Name)
	}
	return all
}

func TestAnItemIsDrawnFromWhatTheReportKnows(t *testing.T) {
	r := fixture()
	got := itemTimeline(&r.Items[0], newIndex(r), nil)
	if diff := cmp.Diff([]string{"a", "kubelet-log", "api"}, names(got.lanes)); diff != "" {
		t.Errorf("lanes: %s", diff)
	}
	if n := len(got.lanes[0].Spans); n != 2 || !got.lanes[0].Spans[0].Bad || got.lanes[0].Spans[1].Bad {
		t.Errorf("spans %+v: exit 137 is bad, a running container is not", got.lanes[0].Spans)
	}
	if got.start.After(*r.Items[0].Time) || got.end.Before(*r.Items[0].Time) || got.end.Sub(got.start) < leastSpan {
		t.Errorf("drawn from %s to %s", got.start, got.end)
	}
}

func TestAStoryIsDrawnInstead(t *testing.T) {
	story := &report.Story{Start: at(-60), End: at(60), Lanes: []report.Lane{
		{Kind: report.LaneProbe, Name: "liveness of a", Marks: []report.Mark{{At: t0, Text: "failed <3>", Decisive: true, Evidence: []string{"e2"}}}},
		{Kind: report.LaneSandbox, Name: "sandbox", Spans: []report.Span{{Text: "open at both ends"}}},
	}}
	r := fixture()
	r.Items = r.Items[:1]
	page := render(t, Options{Format: "html", Teller: teller{story: story}}, r)
	for _, want := range []string{"liveness of a", "failed &lt;3&gt;", "open at both ends", "2026-11-21 07:10:58Z – 2026-11-21 07:12:58Z"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for name, other := range map[string]teller{"one that fails": {err: errors.New("not known")}, "one that knows nothing": {story: &report.Story{}}} {
		if page := render(t, Options{Format: "html", Teller: other}, r); !strings.Contains(page, "kubelet-log</text>") {
			t.Errorf("with a teller that is %s, nothing is drawn", name)
		}
	}
}

func TestWhatIsFarAwayIsCountedAndNotDrawn(t *testing.T) {
	r := fixture()
	r.Evidence[0].Time, r.Evidence[3].Time = at(-7200), at(7200)
	got := itemTimeline(&r.Items[0], newIndex(r), nil)
	if got.before != 1 || got.after != 1 {
		t.Errorf("%d before, %d after", got.before, got.after)
	}
	if got.end.Sub(got.start) > 2*around {
		t.Errorf("drawn over %s", got.end.Sub(got.start))
	}
	if page := render(t, Options{Format: "html"}, r); !strings.Contains(page, "; 1 earlier not drawn; 1 later not drawn") {
		t.Error("the page does not say so")
	}
}

func TestNothingIsDrawnOfAnItemWithoutTimes(t *testing.T) {
	if got := itemTimeline(&report.Item{}, nil, nil); got != nil {
		t.Errorf("%+v", got)
	}
	if got := reportTimeline(&report.Report{Items: []report.Item{{}, {}}}); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestAReportIsDrawnByNode(t *testing.T) {
	r := fixture()
	r.Items[2].Node, r.Items[3].Kind = "n2", report.None
	got := reportTimeline(r)
	if diff := cmp.Diff([]string{"n1", "n2"}, names(got.lanes)); diff != "" {
		t.Errorf("lanes: %s", diff)
	}
	if len(got.lanes[0].Marks) != 2 || len(got.lanes[0].Spans) != 1 || got.lanes[0].Marks[0].At.After(got.lanes[0].Marks[1].At) {
		t.Errorf("n1: %+v", got.lanes[0])
	}
	var wide report.Report
	for i := range 3 * mostLanes {
		wide.Items = append(wide.Items, report.Item{Node: fmt.Sprintf("n%d", i), Time: at(i)})
	}
	if got := reportTimeline(&wide); len(got.lanes) != mostLanes || got.hiddenLanes != 2*mostLanes {
		t.Errorf("%d nodes are drawn, %d are not", len(got.lanes), got.hiddenLanes)
	}
	marks := make([]report.Mark, 10*mostMarks+1)
	if n := len(got.thin(marks, mostMarks)); n > mostMarks || got.hiddenMarks != len(marks)-n {
		t.Errorf("%d marks are left, %d were counted", n, got.hiddenMarks)
	}
	marks[7].Decisive = true
	if kept := got.thin(marks, storyMarks); !slices.ContainsFunc(kept, func(m report.Mark) bool { return m.Decisive }) || len(kept) > storyMarks+1 {
		t.Errorf("%d marks of a story are left, without the one that matters", len(kept))
	}
}

func TestTicksAreFewAndRound(t *testing.T) {
	for _, span := range []time.Duration{10 * time.Second, time.Minute, 7 * time.Minute, time.Hour, 26 * time.Hour, 40 * 24 * time.Hour, 20 * 365 * 24 * time.Hour} {
		all := ticks(t0, t0.Add(span))
		if len(all) == 0 || len(all) > mostTicks+1 {
			t.Errorf("%s: %d ticks", span, len(all))
		}
		for i, k := range all {
			if k.at.Before(t0) || k.at.After(t0.Add(span)) || k.text == "" || i > 0 && !all[i-1].at.Before(k.at) {
				t.Errorf("%s: tick %+v", span, k)
			}
		}
	}
}

// Every shape lies within the drawing, whatever the times are.
func TestNothingIsDrawnOutside(t *testing.T) {
	tl := timeline{start: t0, end: t0.Add(time.Minute)}
	for _, s := range []int{-1e6, -1, 0, 30, 60, 61, 1e6} {
		if x := tl.x(t0.Add(time.Duration(s) * time.Second)); x < svgLabels || x > svgWidth-svgRight {
			t.Errorf("%d s is drawn at %f", s, x)
		}
	}
}

// A ring that comes later lies below the diamond and leaves it its number.
func TestWhatTheVerdictRestsOnIsSeen(t *testing.T) {
	tl := timeline{start: t0, end: t0.Add(time.Minute), lanes: []report.Lane{{Name: "kubelet", Marks: []report.Mark{
		{At: *at(30), Text: "decisive", Decisive: true, Evidence: []string{"e1"}}, {At: *at(30), Text: "ring", Evidence: []string{"e2"}},
		{At: *at(50), Text: "far", Evidence: []string{"e3"}}, {At: *at(90), Text: "outside", Evidence: []string{"e4"}},
	}}}}
	var m markup
	tl.draw(&m, "x", func(ids []string) int { return int(ids[0][1] - '0') })
	got := m.b.String()
	if strings.Index(got, "decisive</title>") < strings.Index(got, "ring</title>") {
		t.Error("the ring lies on the diamond")
	}
	for text, want := range map[string]bool{">1</text>": true, ">2</text>": false, ">3</text>": true, ">4</text>": false, "outside": false} {
		if strings.Contains(got, text) != want {
			t.Errorf("%s is drawn: %v, want %v", text, !want, want)
		}
	}
}
