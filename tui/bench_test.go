package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// large is a report of n items: a tenth of them in incidents of 50.
func large(b *testing.B, n int) *report.Report {
	base := fixture(b)
	r := &report.Report{GeneratedAt: base.GeneratedAt, Scope: base.Scope, Items: make([]report.Item, n)}
	for i := range r.Items {
		it := base.Items[i%len(base.Items)]
		at := base.GeneratedAt.Add(-time.Duration(i) * time.Second)
		it.ID, it.Pod, it.Time, it.Incident = fmt.Sprintf("r-%d", i), fmt.Sprintf("pod-%d", i), &at, ""
		if i < n/10 {
			it.Incident = fmt.Sprintf("i-%d", i/50)
		}
		r.Items[i] = it
	}
	for i := 0; i < n/500; i++ {
		r.Incidents = append(r.Incidents, report.Incident{ID: fmt.Sprintf("i-%d", i), Cause: "node-reboot", Summary: "the node was rebooted"})
	}
	r.Evidence = base.Evidence
	return r
}

// BenchmarkFirstFrame is the time from a report to its first frame.
func BenchmarkFirstFrame(b *testing.B) {
	r := large(b, 100_000)
	for b.Loop() {
		m := newModel(r, settings{colour: true})
		m.resize(120, 40)
		m.View()
	}
}

// BenchmarkKeyToFrame is the time from a key to its frame.
func BenchmarkKeyToFrame(b *testing.B) {
	r := large(b, 100_000)
	for _, bench := range []struct{ name, before, keys string }{
		{"move", "", "j"},
		{"page", "", "pgdown"},
		{"open", "G", "enter esc"},
		{"fold", "", "enter enter"},
		{"filter", "/", "a backspace"},
		{"filter-rare", "/ text:pod-9999", "9 backspace"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			d := drive(b, r, "120x40").play(bench.before)
			var slowest time.Duration
			for b.Loop() {
				for _, k := range keysOf(b, bench.keys) {
					from := time.Now()
					d.m.Update(k)
					d.m.View()
					slowest = max(slowest, time.Since(from))
				}
			}
			b.ReportMetric(float64(slowest.Microseconds()), "µs/slowest")
		})
	}
}

func keysOf(b *testing.B, script string) []tea.KeyPressMsg {
	var out []tea.KeyPressMsg
	for _, k := range strings.Fields(script) {
		out = append(out, press(b, k))
	}
	return out
}
