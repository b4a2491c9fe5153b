package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const quiet = `goos: linux
BenchmarkAnalyze/10000 	       3	 417966249 ns/op	        18.5 cpu-µs/restart	      2010 retained-B/restart	166000461 B/op	 1773221 allocs/op
BenchmarkAnalyze/100000 	       1	7548636562 ns/op	        19.5 cpu-µs/restart	      2000 retained-B/restart	2173483456 B/op	 17607232 allocs/op
BenchmarkAnalyze/100000 	       1	9548636562 ns/op	        31.5 cpu-µs/restart	      2000 retained-B/restart	2173483456 B/op	 17607232 allocs/op
BenchmarkFirstFrame-2   	      50	  23000000 ns/op	  100 B/op	 3 allocs/op
BenchmarkKeyToFrame/move-2 	    3000	    300000 ns/op	     900 µs/slowest
BenchmarkKeyToFrame/open-2 	    3000	    300000 ns/op	    5100 µs/slowest
BenchmarkMemory-2 	 1	    300000 ns/op	    318 B/row
PASS
`

func judged(t *testing.T, out string) ([]check, error) {
	t.Helper()
	f := figures{}
	f.read(out)
	return f.checks()
}

func TestTheBestRunOfEachCountsAndTheWorstKey(t *testing.T) {
	checks, err := judged(t, quiet)
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, c := range checks {
		got = append(got, c.got)
		if c.over() || !strings.HasPrefix(c.String(), "ok ") {
			t.Errorf("%s", c)
		}
	}
	want := []float64{19.5, 2000, 23, 5.1, 318, 19.5 / 18.5}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })
	if d := cmp.Diff(want, got, near); d != "" {
		t.Errorf("figures (-want +got):\n%s", d)
	}
}

// Each mutation breaks one budget.
func TestEveryBudgetIsChecked(t *testing.T) {
	for name, m := range map[string][2]string{
		"a slow analysis":    {"19.5 cpu-µs/restart", "20.5 cpu-µs/restart"},
		"a large report":     {"2000 retained-B/restart", "2100 retained-B/restart"},
		"more than linear":   {"18.5 cpu-µs/restart", "11.5 cpu-µs/restart"},
		"a late first frame": {"23000000 ns/op", "123000000 ns/op"},
		"one slow key":       {"5100 µs/slowest", "17100 µs/slowest"},
		"large rows":         {"318 B/row", "1318 B/row"},
	} {
		checks, err := judged(t, strings.ReplaceAll(quiet, m[0], m[1]))
		if err != nil {
			t.Fatal(err)
		}
		over := 0
		for _, c := range checks {
			if c.over() && strings.HasPrefix(c.String(), "OVER") {
				over++
			}
		}
		if over != 1 {
			t.Errorf("%s: %d budgets are over, want 1: %v", name, over, checks)
		}
	}
}

func TestAFigureThatIsMissingIsNoPass(t *testing.T) {
	for _, gone := range []string{"BenchmarkMemory", "BenchmarkAnalyze/10000 ", "µs/slowest", "BenchmarkFirstFrame"} {
		var left []string
		for _, line := range strings.Split(quiet, "\n") {
			if !strings.Contains(line, gone) {
				left = append(left, line)
			}
		}
		if _, err := judged(t, strings.Join(left, "\n")); err == nil || !strings.Contains(err.Error(), "no benchmark told") {
			t.Errorf("without %s: %v", gone, err)
		}
	}
}

func TestAProgramThatDoesNotStartIsSaid(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if checks, err := startUp("none"); err != nil || len(checks) != 0 {
		t.Errorf("without kubectl: %v, %v", checks, err)
	}
}
