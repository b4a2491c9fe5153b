package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/bench/crowd"
)

// large are whole runs of the program over recorded evidence, and the most that each may take: the wall time of two
// cores, and MiB of memory, 0 for no budget.
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

// crowds runs the program over each, count times; the best counts.
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
		best, peak := time.Duration(0), 0.0
		for range max(1, count) {
			wall, rss, err := analyse(bin, path, l.output)
			if err != nil {
				return nil, err
			}
			if best == 0 || wall < best {
				best = wall
			}
			if peak == 0 || rss < peak {
				peak = rss
			}
		}
		what := fmt.Sprintf("analyze -o %s, %d containers, %s", l.output, l.containers, l.shape)
		checks = append(checks, check{what, best.Seconds(), l.wall.Seconds(), "s", false})
		if l.peak > 0 {
			checks = append(checks, check{what, peak, l.peak, "MiB", false})
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

// analyse runs the program once; peak is in MiB.
func analyse(bin, path, output string) (wall time.Duration, peak float64, err error) {
	cmd := exec.Command(bin, "analyze", path, "-o", output)
	start := time.Now()
	if err := cmd.Run(); err != nil { // what it prints goes to the null device
		return 0, 0, fmt.Errorf("%s: %w", cmd, err)
	}
	wall = time.Since(start)
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(usage.Maxrss) / 1024 // Linux counts KiB
	}
	return wall, peak, nil
}
