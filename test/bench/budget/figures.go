package main

import (
	"fmt"
	"strconv"
	"strings"
)

// bench is a run of one package's benchmarks.
type bench struct {
	pkg, pattern string
	env          []string
}

var benchmarks = []bench{
	{"./analyzer", "^BenchmarkAnalyze$/^(10000|100000)$", []string{"GOMAXPROCS=1"}},
	{"./tui", "^Benchmark(FirstFrame|KeyToFrame|Memory)$", nil},
}

// budgets are benchmark figures and their limits.
var budgets = []struct {
	bench, unit string
	most        float64
	// scale converts the figure to the budget's own unit.
	scale float64
	what  string
	shown string
}{
	{"Analyze/100000", "cpu-µs/restart", 20, 1, "analysis of 100 000 restarts, each", "µs of one core"},
	{"Analyze/100000", "retained-B/restart", 2048, 1, "memory of the report beyond the evidence, each restart", "B"},
	{"FirstFrame", "ns/op", 100, 1e-6, "viewer, 100 000 restarts: first frame", "ms"},
	{"KeyToFrame", "µs/slowest", 16, 1e-3, "viewer, 100 000 restarts: a key to its frame, the slowest", "ms"},
	{"Memory", "B/row", 1024, 1, "viewer, 100 000 restarts: memory of a row", "B"},
}

// linear is how much more a restart may cost among ten times as many.
const linear = 1.5

// figures are the best results of benchmarks, by name and unit.
type figures map[string]map[string]float64

// read parses the output of `go test -bench`: a name, a count, then pairs of a figure and its unit.
func (f figures) read(out string) {
	for _, line := range strings.Split(out, "\n") {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := strings.TrimPrefix(fields[0], "Benchmark")
		if i := strings.LastIndexByte(name, '-'); i > 0 {
			if _, err := strconv.Atoi(name[i+1:]); err == nil {
				name = name[:i] // -2 is GOMAXPROCS
			}
		}
		for i := 2; i+1 < len(fields); i += 2 {
			n, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				break
			}
			f.keep(name, fields[i+1], n)
		}
	}
}

func (f figures) keep(name, unit string, n float64) {
	if f[name] == nil {
		f[name] = map[string]float64{}
	}
	if was, ok := f[name][unit]; !ok || n < was {
		f[name][unit] = n
	}
}

// worst returns the highest of the best figures of a benchmark and its sub-benchmarks.
func (f figures) worst(name, unit string) (worst float64, ok bool) {
	for n, units := range f {
		if n != name && !strings.HasPrefix(n, name+"/") {
			continue
		}
		if v, has := units[unit]; has {
			worst, ok = max(worst, v), true
		}
	}
	return worst, ok
}

// checks compares the figures with their budgets. A missing figure is an error: nothing is left out silently.
func (f figures) checks() ([]check, error) {
	var out []check
	for _, b := range budgets {
		n, ok := f.worst(b.bench, b.unit)
		if !ok {
			return nil, fmt.Errorf("no benchmark told %s of %s", b.unit, b.bench)
		}
		out = append(out, check{b.what, n * b.scale, b.most, b.shown, false})
	}
	few, ok := f.worst("Analyze/10000", "cpu-µs/restart")
	many, ok2 := f.worst("Analyze/100000", "cpu-µs/restart")
	if !ok || !ok2 || few <= 0 {
		return nil, fmt.Errorf("no benchmark told what a restart costs among 10 000 and 100 000")
	}
	return append(out, check{"analysis, a restart among 100 000 against 10 000", many / few, linear, "×", true}), nil
}
