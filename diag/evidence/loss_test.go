package evidence

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestACoverageWithoutItsLosses(t *testing.T) {
	at := func(s int) time.Time {
		if s == never {
			return time.Time{}
		}
		return time.Date(2026, 3, 1, 10, 0, s, 0, time.UTC)
	}
	type span struct{ from, until int }
	for name, c := range map[string]struct {
		losses []span
		want   []span // of [0, 100], in whole seconds
	}{
		"none":                       {nil, []span{{0, 100}}},
		"one within":                 {[]span{{40, 60}}, []span{{0, 40}, {60, 100}}},
		"one at its beginning":       {[]span{{-10, 20}}, []span{{20, 100}}},
		"one at its end":             {[]span{{90, 110}}, []span{{0, 90}}},
		"one that lasts":             {[]span{{30, never}}, []span{{0, 30}}},
		"one at any time":            {[]span{{never, never}}, nil},
		"before and behind":          {[]span{{-30, -20}, {120, 130}}, []span{{0, 100}}},
		"two that touch":             {[]span{{20, 40}, {30, 60}}, []span{{0, 20}, {60, 100}}},
		"a short one in a long one":  {[]span{{20, 60}, {30, 40}}, []span{{0, 20}, {60, 100}}},
		"any order":                  {[]span{{70, 80}, {20, 40}}, []span{{0, 20}, {40, 70}, {80, 100}}},
		"one that lasts, others in":  {[]span{{30, never}, {50, 60}}, []span{{0, 30}}},
		"two that are told together": {[]span{{30, 40}, {39, 50}, {51, 60}}, []span{{0, 30}, {50, 51}, {60, 100}}},
	} {
		b := NewBuilder(at(200))
		for _, l := range c.losses {
			b.Lose(Loss{Node: "n1", From: at(l.from), Until: at(l.until)})
			b.Lose(Loss{Node: "n2", From: at(never)})
		}
		losses := b.Build().Losses
		for len(losses) > 0 && losses[len(losses)-1].Node == "n2" {
			losses = losses[:len(losses)-1]
		}
		var got []span
		cover := Coverage{Node: "n1", From: at(0), Until: at(100)}
		cover.Without(losses, func(p *Coverage) {
			got = append(got, span{p.From.Round(time.Second).Second() + 60*p.From.Round(time.Second).Minute(),
				p.Until.Round(time.Second).Second() + 60*p.Until.Round(time.Second).Minute()})
		})
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(span{})); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

const never = -1000
