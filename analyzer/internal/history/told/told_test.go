package told_test

import (
	"slices"
	"testing"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/history/told"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/timeline"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

func after(seconds int) time.Time { return t0.Add(time.Duration(seconds) * time.Second) }

func event(seconds int, f evidence.Fact) timeline.Occurrence {
	return timeline.Occurrence{At: after(seconds), Obs: &evidence.Observation{ID: "e", Time: after(seconds), Fact: f}}
}

func started(seconds int) timeline.Occurrence {
	return event(seconds, evidence.APIEvent{Reason: "Started"})
}

// counted is an event with the times of the first and the last of several starts.
func counted(first, last, count int) timeline.Occurrence {
	return event(last, evidence.APIEvent{Reason: "Started", Count: count, First: after(first)})
}

func killed(first, last int) timeline.Occurrence {
	return event(last, evidence.KillDecided{Reason: evidence.KillLiveness, Count: 2, First: after(first)})
}

func TestStarts(t *testing.T) {
	for name, c := range map[string]struct {
		events told.Events
		want   []int
		count  int
	}{
		"none":                    {told.Events{killed(0, 5)}, nil, 0},
		"in the order of time":    {told.Events{started(9), started(3)}, []int{3, 9}, 2},
		"counted, first and last": {told.Events{counted(2, 30, 4)}, []int{2, 30}, 4},
		"the same one twice":      {told.Events{started(3), started(3)}, []int{3}, 2},
		"another event":           {told.Events{event(3, evidence.BackedOff{}), started(4)}, []int{4}, 1},
	} {
		starts, count := c.events.Starts()
		var got []int
		for _, m := range starts {
			got = append(got, int(m.At.Sub(t0).Seconds()))
		}
		if !slices.Equal(got, c.want) || count != c.count {
			t.Errorf("%s: %v, %d in all, want %v, %d", name, got, count, c.want, c.count)
		}
	}
}

func TestCountedKillsAreSeveralEnds(t *testing.T) {
	for name, c := range map[string]struct {
		first, last int
		events      told.Events
		want        bool
	}{
		"a start between them":       {0, 60, told.Events{started(30)}, true},
		"nothing began between them": {0, 60, told.Events{started(-30)}, false},
		"no start, time enough":      {0, 60, nil, true},
		"no start, at one moment":    {0, 0, nil, false},
	} {
		k := killed(c.first, c.last)
		if got := c.events.KilledAnew(k.Obs.Fact.(evidence.KillDecided), k); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestTheNewestOfSeveralStarts(t *testing.T) {
	if in := (told.Events{started(5)}).StartedAgain(); in != nil {
		t.Errorf("one start is the first: %+v", in)
	}
	in := told.Events{started(50), started(5), started(20)}.StartedAgain()
	if in == nil || !in.Started.Equal(after(50)) || in.Attempt != 2 {
		t.Errorf("%+v", in)
	}
}

func TestStartsOfAnEarlierInstance(t *testing.T) {
	only := &timeline.Instance{Started: after(60)}
	for name, c := range map[string]struct {
		events told.Events
		pod    evidence.Pod
		want   bool
	}{
		"two starts in the pod": {told.Events{started(10), started(60)}, evidence.Pod{CreatedAt: t0}, true},
		"the only one":          {told.Events{started(60)}, evidence.Pod{CreatedAt: t0}, false},
		"of an earlier pod":     {told.Events{started(10), started(60)}, evidence.Pod{CreatedAt: after(30)}, false},
		"a pod of unknown age":  {told.Events{started(10), started(60)}, evidence.Pod{}, false},
		"a clock that was set":  {told.Events{started(59), started(60)}, evidence.Pod{CreatedAt: t0}, false},
	} {
		if got := c.events.StartedBefore(only, &c.pod); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestEventsBeforeTheOldestInstance(t *testing.T) {
	all := told.Events{killed(0, 20), started(10), event(15, evidence.BackedOff{}), started(300), started(-4000)}
	oldest := &timeline.Instance{Started: after(200)}
	if got := all.Forgotten(oldest); len(got) != 3 || !got[0].At.Equal(after(-4000)) {
		t.Errorf("forgotten: %v", got)
	}
	if got := all.Forgotten(&timeline.Instance{}); got != nil {
		t.Errorf("nothing dates the instance: %v", got)
	}
	if got := all.BeforeFirst(&timeline.Instance{}, true); len(got) != len(all) {
		t.Errorf("a text that nothing dates: %v", got)
	}
	for _, m := range all.BeforeFirst(oldest, false) {
		if m.At.After(after(200)) || m.At.Equal(after(-4000)) {
			t.Errorf("too late or too old: %v", m.At)
		}
	}
}
