package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/bench/crowd"
	"github.com/restartwhy/kubectl-restartwhy/test/bench/pairs"
)

// large are whole runs of the program over recorded evidence, with limits for each: the wall time on two cores, and MiB
// of memory, 0 for no limit.
var large = []struct {
	shape      crowd.Shape
	containers int
	output     string
	wall       time.Duration
	peak       float64
}{
	{crowd.OnePod, 16_000, "table", time.Second, 0},
	{crowd.OneNode, 16_000, "table", time.Second, 0},
	{crowd.Fleet, 16_000, "table", time.Second, 0},
	{crowd.Fleet, 16_000, "json", 2 * time.Second, 0},
	{crowd.OnePod, 100_000, "table", 5 * time.Second, 600},
	{crowd.OneNode, 100_000, "table", 5 * time.Second, 600},
	{crowd.Fleet, 100_000, "table", 5 * time.Second, 600},
}

// crowds runs the program count times over each; the best run counts.
func crowds(bin string, count int) (checks []check, err error) {
	dir, err := os.MkdirTemp("", "budget")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, l := range large {
		path := filepath.Join(dir, "objects.json")
		if err := writeCrowd(path, l.shape, l.containers); err != nil {
			return nil, err
		}
		var best pairs.Cost
		for range max(1, count) {
			// Its output goes to the null device.
			c, err := pairs.Of(exec.Command(bin, "analyze", path, "-o", l.output))
			if err != nil {
				return nil, err
			}
			if best.Wall == 0 {
				best = c
			}
			best.Wall, best.Peak = min(best.Wall, c.Wall), min(best.Peak, c.Peak)
		}
		what := fmt.Sprintf("analyze -o %s, %d containers, %s", l.output, l.containers, l.shape)
		checks = append(checks, check{what, best.Wall.Seconds(), l.wall.Seconds(), "s", false})
		if l.peak > 0 {
			checks = append(checks, check{what, float64(best.Peak) / (1 << 20), l.peak, "MiB", false})
		}
	}
	return checks, nil
}

func writeCrowd(path string, s crowd.Shape, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := crowd.Write(f, s, n); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
