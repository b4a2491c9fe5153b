package timelineview

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// Ten columns of a second each, from 08:00:00: what lies on an edge belongs to the
// column that begins there.
func TestWhatLiesOnTheEdgeOfTheView(t *testing.T) {
	origin, second := at("08:00:00").UnixNano(), int64(1e9)
	for _, c := range []struct {
		name     string
		from, to string
		want     map[int]count
	}{
		{"it begins with the view", "08:00:00", "08:00:02",
			map[int]count{0: {begins: 1, lasts: true}, 1: {lasts: true}, 2: {ends: 1, bad: 1, lasts: true}}},
		{"it begins just before the view", "07:59:59.999", "08:00:01",
			map[int]count{0: {lasts: true}, 1: {ends: 1, bad: 1, lasts: true}}},
		{"it ends with the view's beginning", "07:00:00", "08:00:00", map[int]count{0: {ends: 1, bad: 1, lasts: true}}},
		{"it ends before the view", "07:00:00", "07:59:59.999", nil},
		{"it ends in the last column", "08:00:09", "08:00:09.999",
			map[int]count{9: {begins: 1, ends: 1, bad: 1, lasts: true}}},
		{"it ends just behind the view", "08:00:09", "08:00:10", map[int]count{9: {begins: 1, lasts: true}}},
		{"it begins just behind the view", "08:00:10", "08:00:11", nil},
		{"its begin is unknown", "", "08:00:00.5", map[int]count{0: {openBegin: true, ends: 1, bad: 1, lasts: true}}},
		{"its end is unknown", "08:00:09.5", "", map[int]count{9: {begins: 1, openEnd: true, lasts: true}}},
		{"a clock that was set back: the end counts as the begin", "08:00:05",
			"08:00:03", map[int]count{5: {begins: 1, ends: 1, bad: 1, lasts: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRow(&report.Lane{Spans: []report.Span{span(c.from, c.to, "", true)}})
			got := map[int]count{}
			for column, n := range r.counts(origin, second, 10) {
				if n != (count{}) {
					got[column] = n
				}
			}
			if d := cmp.Diff(c.want, got, cmp.AllowUnexported(count{}), cmpopts.EquateEmpty()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestMarksAreCountedWhereTheyAre(t *testing.T) {
	r := newRow(&report.Lane{Marks: []report.Mark{
		mark("07:59:59.999", "before the view"), mark("08:00:00", "first"), mark("08:00:00.999", "first too"),
		decisive(mark("08:00:01", "second")), mark("08:00:09.999", "last"), mark("08:00:10", "behind the view"),
	}})
	got := r.counts(at("08:00:00").UnixNano(), 1e9, 10)
	want := make([]count, 10)
	want[0].marks, want[1].marks, want[1].decisive, want[9].marks = 2, 1, 1, 1
	if d := cmp.Diff(want, got, cmp.AllowUnexported(count{})); d != "" {
		t.Error(d)
	}
}

// What happened in a column is read in order of time, ends of spans among marks;
// what only lasted meanwhile comes last, what the verdict rests on first.
func TestAColumnIsReadInOrder(t *testing.T) {
	lane := &report.Lane{
		Marks: []report.Mark{mark("08:00:00.1", "a"), mark("08:00:00.5", "c"), decisive(mark("08:00:00.8", "lit"))},
		Spans: []report.Span{span("07:00:00", "09:00:00", "meanwhile", false),
			span("07:30:00", "08:00:00.3", "b ends", true), span("08:00:00.7", "", "d begins", false)},
	}
	r := newRow(lane)
	var got []string
	for _, e := range r.found(at("08:00:00").UnixNano(), at("08:00:01").UnixNano()) {
		if e.span {
			got = append(got, lane.Spans[e.i].Text)
		} else {
			got = append(got, lane.Marks[e.i].Text)
		}
	}
	if d := cmp.Diff([]string{"lit", "a", "b ends", "c", "d begins", "meanwhile"}, got); d != "" {
		t.Error(d)
	}
}

func TestTimesThatNobodyCanHaveMeantAreOpenEnds(t *testing.T) {
	zero, far := at("08:00:00").AddDate(-2025, 0, 0), at("08:00:00").AddDate(5000, 0, 0)
	if got := nanos(zero); got != lowest {
		t.Errorf("year %d is %d", zero.Year(), got)
	}
	if got := nanos(far); got != highest {
		t.Errorf("year %d is %d", far.Year(), got)
	}
	if now := at("08:00:00"); nanos(now) != now.UnixNano() {
		t.Errorf("%s is %d", now, nanos(now))
	}
}
