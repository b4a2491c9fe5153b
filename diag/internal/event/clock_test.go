package event

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/objecttest"
)

// dated are events of the kubelet of n1, one a minute, that arrived after some
// seconds each by a clock that is behind the node's by ahead seconds.
func dated(ahead int, late ...int) []*corev1.Event {
	var all []*corev1.Event
	for i, l := range late {
		at := time.Date(2026, 11, 21, 7, i, 0, 0, time.UTC)
		e := &corev1.Event{Source: corev1.EventSource{Component: "kubelet", Host: "n1"},
			FirstTimestamp: metav1.Time{Time: at}, Count: 1}
		e.CreationTimestamp = metav1.Time{Time: at.Add(time.Duration(l-ahead) * time.Second)}
		all = append(all, e)
	}
	return all
}

func TestTheClockOfANodeIsComparedByItsEvents(t *testing.T) {
	cases := map[string]struct {
		events []*corev1.Event
		offset time.Duration
		pairs  int
	}{
		"a clock that is right":       {dated(0, 0, 1, 0, 0), 0, 4},
		"two minutes ahead":           {dated(120, 0, 1, 0, 2), 120 * time.Second, 4},
		"behind":                      {dated(-90, 0, 0, 1), -90 * time.Second, 3},
		"one event had to wait":       {dated(120, 0, 0, 0, 70), 120 * time.Second, 3},
		"too few events":              {dated(120, 0, 0), 0, 0},
		"one connection for all":      {slices.Concat(dated(120, 0), dated(120, 0), dated(120, 0)), 0, 0},
		"events that do not agree":    {dated(0, 0, 20, 40, 60), 0, 0},
		"a clock that was set midway": {append(dated(0, 0, 0, 0), dated(300, 0, 0, 0)...), 0, 0},
	}
	for name, c := range cases {
		b := evidence.NewBuilder(objecttest.T0)
		Clocks(b, c.events)
		obs := b.Build().Observations
		if c.pairs == 0 {
			if len(obs) > 0 {
				t.Errorf("%s: %+v", name, obs)
			}
			continue
		}
		if len(obs) != 1 || obs[0].Subject.Node != "n1" {
			t.Fatalf("%s: %+v", name, obs)
		}
		if f := obs[0].Fact.(evidence.ClockCompared); f.Offset != c.offset || f.Pairs != c.pairs {
			t.Errorf("%s: %+v, want %v of %d", name, f, c.offset, c.pairs)
		}
	}
}

func TestOnlyTheKubeletTellsOfItsClock(t *testing.T) {
	for name, change := range map[string]func(*corev1.Event){
		"another component":       func(e *corev1.Event) { e.Source.Component = "mallory" },
		"no node":                 func(e *corev1.Event) { e.Source.Host = "" },
		"no time of its own":      func(e *corev1.Event) { e.FirstTimestamp = metav1.Time{} },
		"no time of the server's": func(e *corev1.Event) { e.CreationTimestamp = metav1.Time{} },
	} {
		events := dated(120, 0, 0, 0)
		for _, e := range events {
			change(e)
		}
		b := evidence.NewBuilder(objecttest.T0)
		Clocks(b, events)
		if obs := b.Build().Observations; len(obs) > 0 {
			t.Errorf("%s: %+v", name, obs)
		}
	}
}
