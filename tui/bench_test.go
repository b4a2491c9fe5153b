package tui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/dataset"
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
		r.Incidents = append(r.Incidents, report.Incident{ID: fmt.Sprintf("i-%d", i),
			Cause: "node-reboot", Summary: "the node was rebooted"})
	}
	r.Evidence = base.Evidence
	return r
}

// BenchmarkFirstFrame is the time from a report to its first frame.
func BenchmarkFirstFrame(b *testing.B) {
	r := large(b, 100_000)
	for b.Loop() {
		m := newModel(b.Context(), Options{Report: r}, settings{colour: true})
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		m.View()
	}
}

// BenchmarkKeyToFrame is the time from a key to its frame.
func BenchmarkKeyToFrame(b *testing.B) {
	r := large(b, 100_000)
	for _, bench := range []struct{ name, before, keys string }{
		{"move", "2", "j"},
		{"page", "2", "pgdown"},
		{"open", "2 G", "enter esc"},
		{"incident", "", "enter esc"},
		{"panes", "", "tab"},
		{"evidence", "2 enter", "2 1"},
		{"group", "2", "b"},
		{"filter", "2 /", "a backspace"},
		{"filter-rare", "2 / text:pod-9999", "9 backspace"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			d := drive(b, r, "120x40").play(bench.before)
			var slowest time.Duration
			for b.Loop() {
				for _, k := range keysOf(b, bench.keys) {
					elapsed := clock.Stopwatch()
					d.m.Update(k)
					d.m.View()
					slowest = max(slowest, elapsed())
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

// BenchmarkArrange is the time until a filter, a group or an order is there, which is
// worked out beside the drawing.
func BenchmarkArrange(b *testing.B) {
	ds := dataset.New(large(b, 100_000), nil).Indexed()
	for _, bench := range []struct {
		name, typed string
		by          dataset.Grouping
	}{
		{"all", "", dataset.ByItem}, {"word", "a", dataset.ByItem}, {"overview", "shop", dataset.ByRoot},
		{"rare", "pod-99999", dataset.ByRoot}, {"not", "!proven", dataset.ByItem}, {"by-workload", "", dataset.ByWorkload},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				ds.Arrange(nil, bench.by, bench.typed)
			}
		})
	}
}

// BenchmarkMemory is what the viewer keeps for each row, beside the report.
func BenchmarkMemory(b *testing.B) {
	r := large(b, 100_000)
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		d := drive(b, r, "120x40").play("2 b b")
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(d)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(r.Items)), "B/row")
	}
}

// bigPreflight is a cluster of 1000 nodes with 30 containers each.
func bigPreflight() *report.Preflight {
	r := foretold()
	proto := r.Items
	r.Items, r.Nodes = nil, nil
	for n := range 1000 {
		name := fmt.Sprintf("node-%04d", n)
		r.Nodes = append(r.Nodes, report.PreflightNode{Node: name, From: "v1.30.14", To: "v1.31.4"})
		for i := range 30 {
			it := proto[i%len(proto)]
			it.Node, it.Pod = name, fmt.Sprintf("pod-%d-%d", n, i)
			r.Items = append(r.Items, it)
		}
	}
	r.Normalise()
	return r
}

// A search, and a step, in a large preflight.
func BenchmarkPreflightKeys(b *testing.B) {
	for name, keys := range map[string][2]string{
		"search": {"/ c a r t enter", "n"}, "step": {"n n", "j"}, "fold": {"n n", "enter"},
	} {
		b.Run(name, func(b *testing.B) {
			m := newModel(b.Context(), preflightOptions(bigPreflight()), settings{})
			m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			for _, k := range strings.Fields(keys[0]) {
				m.Update(press(b, k))
			}
			for b.Loop() {
				m.Update(press(b, keys[1]))
				_ = m.View()
			}
		})
	}
}
