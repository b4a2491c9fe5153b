package vary

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
)

// Variant is an entry with changed evidence, and how it was changed.
type Variant struct {
	How   string
	Entry *entry.Entry
	// Change alters the snapshot that the entry is read into; nil leaves it.
	Change func(*evidence.Snapshot)
}

// Sources removes each file, each log level and all events in turn. The truth stays; the evidence for it may be gone.
func Sources(e *entry.Entry) []Variant {
	var out []Variant
	for _, p := range e.Paths() {
		out = append(out, Variant{How: "without " + p, Entry: e.Keep(func(q string) bool { return q != p })})
		if !strings.HasPrefix(p, "cluster/") {
			out = append(out, Variant{How: "with nothing but " + p,
				Entry: e.Keep(func(q string) bool { return q == p || strings.HasPrefix(q, "cluster/") })})
		}
	}
	for v := range 2 {
		out = append(out, Variant{How: fmt.Sprintf("kubelet at -v=%d", v), Entry: e,
			Change: func(s *evidence.Snapshot) { verbosity(s, v) }})
	}
	out = append(out,
		Variant{How: "events expired", Entry: e, Change: func(s *evidence.Snapshot) { eventsExpired(s) }},
		Variant{How: "logs rotated in the middle", Entry: e, Change: rotated},
		Variant{How: "no log claims to be whole", Entry: e, Change: func(s *evidence.Snapshot) { s.Coverage = nil }})
	return out
}

// level returns the klog level at which the kubelet logs a fact (kubelet log call sites of v1.20–v1.36; -1: errors and
// what is always logged).
func level(f evidence.Fact) int {
	switch f := f.(type) {
	case evidence.KillDecided, evidence.KillStarted, evidence.ContainerStarted,
		evidence.ContainerDied, evidence.ContainerFinished,
		evidence.SandboxJudged, evidence.PodConfig:
		return 2
	case evidence.ProbeFailed:
		if f.Errored {
			return -1
		}
		return 1
	}
	return -1
}

// verbosity reduces the kubelets' logs to what a lower -v would have logged.
func verbosity(s *evidence.Snapshot, v int) {
	s.Observations = slices.DeleteFunc(slices.Clone(s.Observations), func(o evidence.Observation) bool {
		return o.Source.Kind == evidence.SourceKubeletLog && level(o.Fact) > v
	})
	s.Coverage = slices.Clone(s.Coverage)
	for i := range s.Coverage {
		s.Coverage[i].Verbosity = min(s.Coverage[i].Verbosity, v)
	}
}

// eventsExpired removes the API's events and keeps the objects.
func eventsExpired(s *evidence.Snapshot) {
	s.Observations = slices.DeleteFunc(slices.Clone(s.Observations), func(o evidence.Observation) bool {
		return o.Source.Kind == evidence.SourceAPI && !strings.HasPrefix(o.Source.Where, "pod ")
	})
	s.Coverage = slices.DeleteFunc(slices.Clone(s.Coverage), func(c evidence.Coverage) bool {
		return c.Source == evidence.SourceAPI
	})
}

func rotated(s *evidence.Snapshot) {
	logs := []evidence.SourceKind{evidence.SourceKubeletLog, evidence.SourceRuntimeLog,
		evidence.SourceKernelLog, evidence.SourceSystemd}
	var times []int64
	for _, o := range s.Observations {
		if slices.Contains(logs, o.Source.Kind) && !o.Time.IsZero() {
			times = append(times, o.Time.UnixNano())
		}
	}
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	middle := times[len(times)/2]
	s.Observations = slices.DeleteFunc(slices.Clone(s.Observations), func(o evidence.Observation) bool {
		return slices.Contains(logs, o.Source.Kind) && o.Time.UnixNano() < middle
	})
	s.Coverage = slices.Clone(s.Coverage)
	for i := range s.Coverage {
		if c := &s.Coverage[i]; slices.Contains(logs, c.Source) && c.From.UnixNano() < middle {
			c.From = s.Observations[0].Time
			for _, o := range s.Observations {
				if o.Source.Kind == c.Source && o.Source.Node == c.Node {
					c.From = o.Time
					break
				}
			}
		}
	}
}

// Lines removes single lines of logs and single objects of lists: at most n, spread evenly.
func Lines(e *entry.Entry, n int) []Variant {
	type place struct {
		path string
		at   int
	}
	var places []place
	for _, p := range e.Paths() {
		count := entry.Objects(e.Files[p])
		if path.Ext(p) != ".json" {
			count = bytes.Count(e.Files[p], []byte("\n"))
		}
		for i := range count {
			places = append(places, place{p, i})
		}
	}
	var out []Variant
	step := max(1, (len(places)+n-1)/max(1, n))
	for i := 0; i < len(places); i += step {
		p := places[i]
		data, err := without(e.Files[p.path], path.Ext(p.path) == ".json", p.at)
		if err != nil {
			continue // not a list
		}
		some := e.Keep(func(string) bool { return true })
		some.Files[p.path] = data
		out = append(out, Variant{How: fmt.Sprintf("without %s:%d", p.path, p.at+1), Entry: some})
	}
	return out
}

func without(data []byte, list bool, n int) ([]byte, error) {
	if list {
		return entry.WithoutObject(data, n)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	return bytes.Join(slices.Delete(lines, n, n+1), nil), nil
}
