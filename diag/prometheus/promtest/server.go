package promtest

import (
	"cmp"
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/common/model"
)

// Server answers the queries of package prometheus like a Prometheus that scraped the world. It recognizes those
// queries by their shapes, and no others.
type Server struct {
	*World
	// Queries counts the requests, Longest is the size of the longest answer in bytes.
	Queries, Longest atomic.Int64
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Queries.Add(1)
	q := r.FormValue("query")
	var answer any
	data := map[string]any{}
	switch {
	case strings.HasSuffix(r.URL.Path, "/api/v1/label/__name__/values"):
		answer = s.names(r.FormValue("match[]"), moment(r.FormValue("start")), moment(r.FormValue("end")))
	case strings.HasSuffix(r.URL.Path, "/api/v1/query"):
		v := model.Vector{}
		t := moment(r.FormValue("time"))
		for _, x := range s.instant(q, t) {
			v = append(v,
				&model.Sample{Metric: x.Metric, Value: x.Values[0].Value, Timestamp: model.TimeFromUnixNano(t.UnixNano())})
		}
		data["resultType"], data["result"] = "vector", v
	case strings.HasSuffix(r.URL.Path, "/api/v1/query_range"):
		step, _ := strconv.ParseFloat(r.FormValue("step"), 64)
		m := s.overTime(q,
			grid{moment(r.FormValue("start")), moment(r.FormValue("end")), time.Duration(step * float64(time.Second))})
		data["resultType"], data["result"] = "matrix", append(model.Matrix{}, m...)
	default:
		http.NotFound(w, r)
		return
	}
	if answer == nil {
		answer = data
	}
	body, err := json.Marshal(map[string]any{"status": "success", "data": answer})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.Longest.Store(max(s.Longest.Load(), int64(len(body))))
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

func moment(s string) time.Time {
	f, _ := strconv.ParseFloat(s, 64)
	return time.UnixMilli(int64(math.Round(f * 1000))).UTC()
}

// grid holds the points of a range query.
type grid struct {
	from, until time.Time
	step        time.Duration
}

var (
	grouped  = regexp.MustCompile(`by \(([^)]*)\)`)
	selected = regexp.MustCompile(`(\w+)?\{([^}]*)\}`)
	matcher  = regexp.MustCompile(`(\w+)(=~|!=|=)"((?:[^"\\]|\\.)*)"`)
	spans    = regexp.MustCompile(`\[(\d+)s(?::(\d+)s)?\]`)
)

// choose returns the series that match the first selector of a query.
func (w *World) choose(q string) (out []*Series) {
	m := selected.FindStringSubmatch(q)
	type check struct {
		name, value string
		want        bool
		re          *regexp.Regexp
	}
	var checks []check
	for _, x := range matcher.FindAllStringSubmatch(m[2], -1) {
		value, _ := strconv.Unquote(`"` + x[3] + `"`)
		c := check{name: x[1], value: value, want: x[2] != "!="}
		if x[2] == "=~" {
			c.re = regexp.MustCompile("^(?:" + value + ")$")
		}
		checks = append(checks, c)
	}
	for _, s := range w.Series {
		if m[1] != "" && s.Name != m[1] {
			continue
		}
		if !slices.ContainsFunc(checks, func(c check) bool {
			v := s.Labels[c.name]
			if c.name == "__name__" {
				v = s.Name
			}
			if c.re != nil {
				return !c.re.MatchString(v)
			}
			return (v == c.value) != c.want
		}) {
			out = append(out, s)
		}
	}
	return out
}

// group groups series by the labels of the query's first aggregation.
func group(q string, series []*Series) ([]model.Metric, [][]*Series) {
	labels := strings.Split(grouped.FindStringSubmatch(q)[1], ", ")
	places := map[model.Fingerprint]int{}
	var keys []model.Metric
	var groups [][]*Series
	for _, s := range series {
		key := model.Metric{}
		for _, l := range labels {
			v := s.Labels[l]
			if l == "series" || l == "__name__" {
				v = s.Name
			}
			if v != "" {
				key[model.LabelName(l)] = model.LabelValue(v)
			}
		}
		i, ok := places[key.Fingerprint()]
		if !ok {
			i = len(groups)
			places[key.Fingerprint()] = i
			keys, groups = append(keys, key), append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return keys, groups
}

func one(m model.Metric, v float64) *model.SampleStream {
	return &model.SampleStream{Metric: m, Values: []model.SamplePair{{Value: model.SampleValue(v)}}}
}

// extremes returns the lowest and highest value of series within a time.
func (w *World) extremes(all []*Series, from, until time.Time) (least, most float64, ok bool) {
	least, most = math.Inf(1), math.Inf(-1)
	take := func(s *Series, t time.Time) {
		if v, there := w.At(s, t); there {
			least, most, ok = min(least, v), max(most, v), true
		}
	}
	for _, s := range all {
		take(s, from.Add(w.Interval))
		take(s, until)
		for _, x := range s.Steps {
			if t := x.At.Add(w.Interval - 1).Truncate(w.Interval); t.After(from) && !t.After(until) {
				take(s, t)
			}
		}
	}
	return least, most, ok
}

func (w *World) max(all []*Series, t time.Time) (v float64, ok bool) {
	for _, s := range all {
		if x, there := w.At(s, t); there && (!ok || x > v) {
			v, ok = x, true
		}
	}
	return v, ok
}

// instant answers an instant query.
func (s *Server) instant(q string, t time.Time) (out model.Matrix) {
	var window, look time.Duration
	if m := spans.FindStringSubmatch(q); m != nil {
		n, _ := strconv.Atoi(m[1])
		k, _ := strconv.Atoi(m[2])
		window, look = time.Duration(n)*time.Second, time.Duration(k)*time.Second
	}
	switch {
	case strings.HasPrefix(q, "max(min by (job) ("):
		return model.Matrix{one(model.Metric{}, s.Interval.Seconds())}
	case strings.Contains(q, "kube_node_status_condition"):
		return s.conditions(t)
	case strings.HasPrefix(q, "count by (node)"):
		for _, x := range s.Series {
			if x.Name == "kubelet_node_name" && slices.ContainsFunc(s.Series, func(p *Series) bool {
				_, there := s.At(p, t)
				return there && p.Name == "prober_probe_total" && p.Labels["instance"] == x.Labels["instance"]
			}) {
				out = append(out, one(model.Metric{"node": model.LabelValue(x.Labels["node"])}, 1))
			}
		}
		for _, x := range s.choose("node_vmstat_oom_kill{}") {
			m := ofHost(x)
			m["series"] = "kills"
			out = append(out, one(m, sec(x.Steps[0].At)))
		}
		return out
	case strings.HasPrefix(q, "max by (node, git_version)"):
		return s.kubelets(grid{t, t, time.Second}, true)
	}
	asked := q
	if inner, ok := strings.CutPrefix(q, "topk("); ok {
		_, asked, _ = strings.Cut(inner, ", ")
	}
	asked = strings.Replace(asked, `exported_pod!=""`, `exported_pod=~".+"`, 1)
	keys, groups := group(asked, s.choose(asked))
	for i, g := range groups {
		switch {
		case strings.HasPrefix(asked, "count by"):
			n := 0
			for _, x := range g {
				if _, ok := s.At(x, t); ok {
					n++
				}
			}
			if n > 0 {
				out = append(out, one(keys[i], float64(n)))
			}
		case strings.Contains(asked, "timestamp("):
			for at := t.Add(-window).Truncate(look).Add(look); !at.After(t); at = at.Add(look) {
				if v, ok := s.max(g, at); ok && v == 1 {
					out = append(out, one(keys[i], float64(at.Truncate(s.Interval).Unix())))
					break
				}
			}
		case strings.HasPrefix(asked, "count_over_time("):
			n := 0
			for at := t.Add(-window).Truncate(look).Add(look); !at.After(t); at = at.Add(look) {
				if least, most, ok := s.extremes(g, at.Add(-s.Interval), at); ok && least != most && len(g) > 1 {
					n++
				}
			}
			if n > 0 {
				out = append(out, one(keys[i], float64(n)))
			}
		case strings.HasPrefix(asked, "(max by"): // rose
			least, most, ok := s.extremes(g, t.Add(-window), t)
			_, before := s.max(g, t.Add(-window))
			if ok && most > least {
				out = append(out, one(keys[i], most-least))
			} else if ok && most > 0 && !before {
				out = append(out, one(keys[i], most))
			}
		case window > 0:
			if _, most, ok := s.extremes(g, t.Add(-window), t); ok && (most > 0 || !strings.Contains(asked, "> 0")) {
				out = append(out, one(keys[i], most))
			}
		default:
			if v, ok := s.max(g, t); ok {
				out = append(out, one(keys[i], v))
			}
		}
	}
	if q != asked {
		slices.SortStableFunc(out,
			func(a, b *model.SampleStream) int { return cmp.Compare(b.Values[0].Value, a.Values[0].Value) })
		k, _, _ := strings.Cut(strings.TrimPrefix(q, "topk("), ",")
		if n, err := strconv.Atoi(k); err == nil && len(out) > n {
			out = out[:n]
		}
	}
	return out
}

// overTime answers a range query.
func (s *Server) overTime(q string, g grid) (out model.Matrix) {
	switch {
	case strings.HasPrefix(q, "count(count by"):
		x := &model.SampleStream{Metric: model.Metric{}}
		for t := g.from; !t.After(g.until); t = t.Add(g.step) {
			for _, n := range s.Series {
				if n.Name == "kube_node_info" {
					if _, ok := s.At(n, t); ok {
						x.Values = append(x.Values, pair(t, 1))
						break
					}
				}
			}
		}
		return model.Matrix{x}
	case strings.Contains(q, "kubelet_node_name"):
		return s.kubelets(g, false)
	case strings.Contains(q, "node_boot_time_seconds"):
		boots := s.changes(g, "node_boot_time_seconds", func(x *Series) model.Metric { return ofHost(x) })
		return append(boots, s.kills(g)...)
	}
	chosen := s.choose(q)
	if strings.Contains(q, "== 1)") { // only while it holds
		for i, x := range chosen {
			only := &Series{Name: x.Name, Labels: x.Labels, Steps: slices.Clone(x.Steps)}
			for k := range only.Steps {
				only.Steps[k].Gone = only.Steps[k].Gone || only.Steps[k].V != 1
			}
			chosen[i] = only
		}
	}
	keys, groups := group(q, chosen)
	for i, series := range groups {
		x := &model.SampleStream{Metric: keys[i]}
		if strings.Contains(q, "> 0.9 *") {
			for t := g.from; !t.After(g.until); t = t.Add(g.step) {
				if v, ok := s.max(series, t); ok && v > 0.9*limit {
					x.Values = append(x.Values, pair(t, v))
				}
			}
		} else {
			x.Values = s.changed(series, g, strings.Contains(q, "- 1)"))
		}
		if len(x.Values) > 0 {
			out = append(out, x)
		}
	}
	return out
}

func ofHost(x *Series) model.Metric {
	return model.Metric{"nodename": model.LabelValue(strings.TrimSuffix(x.Labels["instance"], ":9100"))}
}

// kills returns the increases of the hosts' counters of kills for memory, per step.
func (s *Server) kills(g grid) (out model.Matrix) {
	for _, x := range s.choose("node_vmstat_oom_kill{}") {
		m := &model.SampleStream{Metric: ofHost(x)}
		m.Metric["series"] = "kills"
		for t := g.from; !t.After(g.until); t = t.Add(g.step) {
			now, here := s.At(x, t)
			was, there := s.At(x, t.Add(-g.step))
			if here && there && now > was {
				m.Values = append(m.Values, pair(t, now-was))
			}
		}
		if len(m.Values) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// conditions counts the known conditions of each node.
func (s *Server) conditions(t time.Time) (out model.Matrix) {
	known := map[string]float64{}
	for _, x := range s.Series {
		if _, there := s.At(x, t); there && x.Name == "kube_node_status_condition" {
			known[x.Labels["node"]]++
		}
	}
	for node, n := range known {
		out = append(out, one(model.Metric{"node": model.LabelValue(node)}, n))
	}
	return out
}

// names returns the names of the series that existed between two times.
func (s *Server) names(match string, from, until time.Time) []string {
	out := []string{}
	for _, x := range s.choose(strings.Replace(match, `exported_pod!=""`, `exported_pod=~".+"`, 1)) {
		there := false
		for i, step := range x.Steps {
			ends := until.Add(time.Second)
			if i+1 < len(x.Steps) {
				ends = x.Steps[i+1].At
			}
			there = there || !step.Gone && !step.At.After(until) && ends.After(from)
		}
		if there && !slices.Contains(out, x.Name) {
			out = append(out, x.Name)
		}
	}
	return out
}

func pair(t time.Time, v float64) model.SamplePair {
	return model.SamplePair{Timestamp: model.TimeFromUnixNano(t.UnixNano()), Value: model.SampleValue(v)}
}
