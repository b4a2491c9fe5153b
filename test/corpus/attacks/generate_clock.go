package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/clocks"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/attacks/internal/story"
)

// near returns a whole second around the target's exit, or any within its life.
func (t *target) near(r *rand.Rand) time.Time {
	if life := t.finish.Sub(t.began); r.IntN(4) == 0 && life > time.Second {
		return t.began.Add(time.Duration(r.Int64N(int64(life)))).Truncate(time.Second)
	}
	return t.finish.Truncate(time.Second).Add(time.Duration(r.IntN(9)-5) * time.Second)
}

func clockAttacks() []attack {
	return []attack{
		{"clock step", "The node's clock is set, once or twice, near the end or at any time.",
			func(r *rand.Rand, t *target) (*variant, bool) {
				by := clocks.Steps[r.IntN(len(clocks.Steps))]
				if r.IntN(2) == 0 {
					by = -by
				}
				from := t.near(r)
				v := &variant{how: fmt.Sprintf("%s at %s", by, from.Format(time.TimeOnly)),
					entry: clocks.Stepped(t.put(t.Machine), t.Machine, t.form, from, by)}
				return v, true
			}},
		{"local time", "klog's headers are in another zone than UTC, or its summer time begins or ends near the end.",
			func(r *rand.Rand, t *target) (*variant, bool) {
				from, by := time.Time{}, story.Zones[r.IntN(len(story.Zones))]
				if r.IntN(2) == 0 {
					from, by = t.near(r), []time.Duration{time.Hour, -time.Hour}[r.IntN(2)]
				}
				return &variant{how: fmt.Sprintf("%s from %s", by, from.Format(time.TimeOnly)),
					entry: t.put(story.Local(t.Machine, from, by))}, true
			}},
		{"stall", "The journal takes nothing for 1 to 10 s; what lines tell of their own time is right.",
			func(r *rand.Rand, t *target) (*variant, bool) {
				long := time.Duration(1000+r.IntN(9000)) * time.Millisecond
				from := t.finish.Add(-time.Duration(r.IntN(12000)) * time.Millisecond)
				return &variant{how: fmt.Sprintf("%s from %s", long, from.Format(time.TimeOnly)),
					entry: clocks.Stalled(t.put(t.Machine), t.Machine, t.form, from, long)}, true
			}},
	}
}
