// Package promtest makes up the past of a cluster as its exporters would have shown it, and fakes a Prometheus that
// scraped them: it answers the queries of package prometheus over HTTP in the shapes of the API. test/metrics writes
// the same past for a real Prometheus and compares the two.
package promtest

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// World is what was scraped.
type World struct {
	From, Until time.Time
	// Interval is the scrape interval; scrapes are at whole multiples of it.
	Interval time.Duration
	Series   []*Series
	// Down are times in which no scrape succeeded.
	Down [][2]time.Time
}

// Series is one series: a step function of time. It has no value before the first step.
type Series struct {
	Name   string
	Labels map[string]string
	Steps  []Step // by time
}

// Step is a value from a time on; Gone says that the series ends there.
type Step struct {
	At   time.Time
	V    float64
	Gone bool
}

// Add adds a series with labels given as "name=value".
func (w *World) Add(name string, steps []Step, labels ...string) *Series {
	s := &Series{Name: name, Labels: map[string]string{}, Steps: steps}
	for _, l := range labels {
		k, v, _ := strings.Cut(l, "=")
		s.Labels[k] = v
	}
	w.Series = append(w.Series, s)
	return s
}

// once adds a series that several containers may share.
func (w *World) once(name string, steps []Step, labels ...string) {
	s := w.Add(name, steps, labels...)
	if slices.ContainsFunc(w.Series[:len(w.Series)-1],
		func(o *Series) bool { return o.Name == name && maps.Equal(o.Labels, s.Labels) }) {
		w.Series = w.Series[:len(w.Series)-1]
	}
}

// Const is a value that is constant from a time on.
func Const(at time.Time, v float64) []Step { return []Step{{At: at, V: v}} }

// At is the value of the last scrape up to a time; ok is false where there is none.
func (w *World) At(s *Series, t time.Time) (v float64, ok bool) {
	t = t.Truncate(w.Interval)
	for _, d := range w.Down {
		if !t.Before(d[0]) && t.Before(d[1]) {
			return 0, false
		}
	}
	if t.After(w.Until) {
		return 0, false
	}
	i, found := slices.BinarySearchFunc(s.Steps, t, func(x Step, t time.Time) int { return x.At.Compare(t) })
	if !found {
		i--
	}
	if i < 0 || s.Steps[i].Gone {
		return 0, false
	}
	return s.Steps[i].V, true
}
