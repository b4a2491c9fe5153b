package present

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report/reporttest"
)

func names(lanes []document.Lane) (all []string) {
	for _, l := range lanes {
		all = append(all, l.Name)
	}
	return all
}

func TestAnItemIsDrawnFromItsStory(t *testing.T) {
	r := reporttest.Report()
	at := r.Items[0].Time
	got := drawn(r, &report.ItemDetail{Activity: report.Activity{Start: at, End: at, Lanes: []report.Lane{
		{Name: "a", Spans: []report.Span{{From: at, Text: "attempt 0", Bad: true}}},
		{Name: "kubelet", Marks: []report.Mark{{At: *at, Text: "kills it", Decisive: true,
			Evidence: r.Items[0].Verdict.Chain[0].Evidence}}},
	}}})
	if diff := cmp.Diff([]string{"a", "kubelet"}, names(got.Lanes)); diff != "" {
		t.Errorf("lanes: %s", diff)
	}
	if !got.Lanes[0].Spans[0].Bad || !got.Lanes[1].Marks[0].Decisive || got.Lanes[1].Marks[0].Number != 1 {
		t.Errorf("drawn %+v", got.Lanes)
	}
	if got.Start.After(*at) || got.End.Before(*at) || got.End.Sub(got.Start) < leastSpan {
		t.Errorf("drawn from %s to %s", got.Start, got.End)
	}
}

func TestNothingIsDrawnOfAnItemWithoutTimes(t *testing.T) {
	if got := drawn(&report.Report{Items: []report.Item{{}}}, nil); got != nil {
		t.Errorf("%+v", got)
	}
	if got := overview(&report.Report{Items: []report.Item{{}, {}}}); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestAReportIsDrawnByNode(t *testing.T) {
	r := reporttest.Report()
	r.Items[2].Node, r.Items[3].Kind = "n2", report.None
	got := overview(r)
	if diff := cmp.Diff([]string{"n1", "n2"}, names(got.Lanes)); diff != "" {
		t.Errorf("lanes: %s", diff)
	}
	if len(got.Lanes[0].Marks) != 2 || len(got.Lanes[0].Spans) != 1 ||
		got.Lanes[0].Marks[0].At.After(got.Lanes[0].Marks[1].At) {
		t.Errorf("n1: %+v", got.Lanes[0])
	}
	var wide report.Report
	for i := range 3 * mostLanes {
		wide.Items = append(wide.Items, report.Item{Node: fmt.Sprintf("n%d", i), Time: reporttest.At(i)})
	}
	if got := overview(&wide); len(got.Lanes) != mostLanes || !strings.Contains(got.Caption, "48 are not drawn") {
		t.Errorf("%d nodes are drawn: %s", len(got.Lanes), got.Caption)
	}
	lane := document.Lane{Marks: make([]document.Mark, 10*mostMarks+1)}
	all := lane.Marks
	if hidden := thin(&lane, mostMarks); len(lane.Marks) > mostMarks || hidden != len(all)-len(lane.Marks) {
		t.Errorf("%d marks are left, %d were counted", len(lane.Marks), hidden)
	}
	all[7].Decisive = true
	lane.Marks = all
	thin(&lane, itemMarks)
	if !slices.ContainsFunc(lane.Marks, func(m document.Mark) bool { return m.Decisive }) ||
		len(lane.Marks) > itemMarks+1 {
		t.Errorf("%d marks of an item are left, without the one that matters", len(lane.Marks))
	}
}

// drawn returns the timeline on the page of the first item, nil for none.
func drawn(r *report.Report, story *report.ItemDetail) *document.Timeline {
	for _, b := range Item(&r.Items[0], Index(r), ItemOptions{Level: 2, Story: story}) {
		if t, ok := b.(document.Timeline); ok {
			return &t
		}
	}
	return nil
}
