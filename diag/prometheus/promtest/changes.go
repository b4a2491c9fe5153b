package promtest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// changed returns the points at which a group's value differs from the one a step before.
func (w *World) changed(all []*Series, g grid, ends bool) (out []model.SamplePair) {
	places := map[int64]bool{0: true, 1: true}
	near := func(t time.Time) {
		for _, d := range []time.Duration{0, w.Interval} {
			n := int64(t.Add(d).Sub(g.from) / g.step)
			for k := n - 1; k <= n+2; k++ {
				places[k] = true
			}
		}
	}
	for _, s := range all {
		for _, x := range s.Steps {
			near(x.At)
		}
	}
	for _, d := range w.Down {
		near(d[0])
		near(d[1])
	}
	for _, k := range slices.Sorted(maps.Keys(places)) {
		t := g.from.Add(time.Duration(k) * g.step)
		if k < 0 || t.After(g.until) {
			continue
		}
		now, there := w.max(all, t)
		was, before := w.max(all, t.Add(-g.step))
		switch {
		case there && (!before || was != now):
			out = append(out, pair(t, now))
		case ends && !there && before:
			out = append(out, pair(t, -1))
		}
	}
	return out
}

func (s *Server) changes(g grid, name string, key func(*Series) model.Metric) (out model.Matrix) {
	for _, x := range s.Series {
		if x.Name == name {
			if v := s.changed([]*Series{x}, g, false); len(v) > 0 {
				out = append(out, &model.SampleStream{Metric: key(x), Values: v})
			}
		}
	}
	return out
}

// kubelets joins starts, versions and nodes: at one time, or where the joined series changes.
func (s *Server) kubelets(g grid, now bool) (out model.Matrix) {
	for _, start := range s.Series {
		if start.Name != "process_start_time_seconds" {
			continue
		}
		for _, build := range s.Series {
			if build.Name != "kubernetes_build_info" || build.Labels["instance"] != start.Labels["instance"] {
				continue
			}
			joined := &Series{}
			for _, x := range slices.Concat(start.Steps, build.Steps) {
				at := x.At.Add(s.Interval - 1).Truncate(s.Interval)
				v, ok := s.At(start, at)
				_, is := s.At(build, at)
				joined.Steps = append(joined.Steps, Step{At: x.At, V: v, Gone: !ok || !is})
			}
			slices.SortStableFunc(joined.Steps, func(a, b Step) int { return a.At.Compare(b.At) })
			key := model.Metric{
				"node":        model.LabelValue(strings.TrimSuffix(start.Labels["instance"], ":10250")),
				"git_version": model.LabelValue(build.Labels["git_version"]),
			}
			if now {
				if v, ok := s.At(joined, g.from); ok {
					out = append(out, one(key, v))
				}
			} else if v := s.changed([]*Series{joined}, g, false); len(v) > 0 {
				out = append(out, &model.SampleStream{Metric: key, Values: v})
			}
		}
	}
	return out
}
