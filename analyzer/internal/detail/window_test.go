package detail

import (
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
)

func TestTheWindowReachesFromTheOldStartToAfterTheNewOne(t *testing.T) {
	base := func() *timeline.Restart {
		return &timeline.Restart{
			From: &timeline.Instance{Started: at(0), Finished: at(600)},
			To:   &timeline.Instance{Started: at(601)},
		}
	}
	for _, c := range []struct {
		name   string
		change func(*timeline.Restart)
		last   time.Time
		want   window
	}{
		{name: "an ordinary life", want: window{at(0), at(631)}},
		{name: "a short life: the two minutes before are shown", change: func(r *timeline.Restart) {
			r.From.Started = at(599)
		}, want: window{at(480), at(631)}},
		{name: "a life of months: its last twenty minutes", change: func(r *timeline.Restart) { r.From.Started = at(-1e7) },
			want: window{at(-600), at(631)}},
		{name: "made and never started", change: func(r *timeline.Restart) {
			r.From.Started, r.From.Created = time.Time{}, at(100)
		}, want: window{at(100), at(631)}},
		{name: "a beginning that nobody knows", change: func(r *timeline.Restart) { r.From.Started = time.Time{} },
			want: window{at(480), at(631)}},
		{name: "a death: five minutes after it", change: func(r *timeline.Restart) { r.To = nil },
			want: window{at(0), at(900)}},
		{name: "a successor whose start is not known", change: func(r *timeline.Restart) { r.To = &timeline.Instance{} },
			want: window{at(0), at(900)}},
		{name: "only the new start is known", change: func(r *timeline.Restart) { r.From = &timeline.Instance{} },
			want: window{at(481), at(631)}},
		{name: "no time at all: up to what was last seen of the pod",
			change: func(r *timeline.Restart) { r.From, r.To = &timeline.Instance{}, nil },
			last:   at(50), want: window{at(50 - 1200), at(50)}},
		{name: "nothing was ever seen", change: func(r *timeline.Restart) { r.From, r.To = &timeline.Instance{}, nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := base()
			if c.change != nil {
				c.change(r)
			}
			if got := windowOf(r, c.last); !got.from.Equal(c.want.from) || !got.to.Equal(c.want.to) {
				t.Errorf("window %v – %v, want %v – %v", got.from, got.to, c.want.from, c.want.to)
			}
		})
	}
}

func TestWhatAWindowHolds(t *testing.T) {
	w := window{at(10), at(20)}
	for _, c := range []struct {
		name string
		at   time.Time
		want bool
	}{
		{"its first moment", at(10), true}, {"its last moment", at(20), true},
		{"before", at(9), false}, {"after", at(21), false}, {"no time", time.Time{}, false},
	} {
		if w.holds(c.at) != c.want {
			t.Errorf("%s: held %v", c.name, !c.want)
		}
		if (window{}).holds(c.at) {
			t.Errorf("%s: the empty window holds it", c.name)
		}
	}
	for _, c := range []struct {
		name     string
		from, to time.Time
		want     bool
	}{
		{"within", at(12), at(13), true}, {"over both ends", at(1), at(30), true}, {"still there", at(15), time.Time{}, true},
		{"there before what is known", time.Time{}, at(11), true}, {"ended before", at(1), at(9), false},
		{"began after", at(21), time.Time{}, false},
	} {
		if w.meets(c.from, c.to) != c.want {
			t.Errorf("%s: meets %v", c.name, !c.want)
		}
	}
}

func TestAWindowIsMadeWider(t *testing.T) {
	w := window{at(10), at(20)}
	if got := w.with(at(5)).with(at(30)).with(time.Time{}).with(at(15)); got != (window{at(5), at(30)}) {
		t.Errorf("got %v", got)
	}
	if got := (window{}).with(at(5)); got != (window{at(5), at(5)}) {
		t.Errorf("from nothing: %v", got)
	}
}
