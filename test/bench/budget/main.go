// Command budget checks the program against its budgets of time and size: the results of Go's benchmarks, the start-up
// time compared with kubectl, the size of its binaries. It prints a line for each and fails if one is exceeded.
//
//	budget -bin bin/kubectl-restartwhy -darwin FILE
//
// The ratios to grep, journalctl and upstream's hash are checked by other programs (make bench). The figures are only
// as reliable as the machine is idle.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/bench/pairs"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/program"
)

func main() {
	bin := flag.String("bin", "bin/kubectl-restartwhy", "the program for this machine")
	darwin := flag.String("darwin", "", "the program for darwin, which has no CRI client; empty leaves its size out")
	count := flag.Int("count", 3, "how often each benchmark runs; the best counts")
	program.Main(func(context.Context) error {
		checks, err := measure(*bin, *darwin, *count)
		if err != nil {
			return err
		}
		over := 0
		for _, c := range checks {
			fmt.Println(c)
			if c.over() {
				over++
			}
		}
		fmt.Printf("bench-check: %d budgets, %d over\n", len(checks), over)
		return program.Hold(over == 0)
	})
}

// check is one figure and its limit.
type check struct {
	what      string
	got, most float64
	unit      string
	ratio     bool // a ratio of two times, which has noise
}

func (c check) over() bool {
	if c.ratio {
		return pairs.Over(c.got, c.most)
	}
	return c.got > c.most
}

func (c check) String() string {
	word := "ok"
	if c.over() {
		word = "OVER"
	}
	return fmt.Sprintf("%-4s %-58s %10.2f of at most %8.2f %s", word, c.what, c.got, c.most, c.unit)
}

func measure(bin, darwin string, count int) ([]check, error) {
	figures := figures{}
	for _, b := range benchmarks {
		cmd := exec.Command("go", "test", "-run", "^$", "-bench", b.pattern, "-benchmem", "-count", fmt.Sprint(count), b.pkg)
		cmd.Env = append(os.Environ(), b.env...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		if err := cmd.Run(); err != nil {
			return nil, fmt.Errorf("run the benchmarks of %s: %w: %s", b.pkg, err, out.String())
		}
		figures.read(out.String())
	}
	checks, err := figures.checks()
	if err != nil {
		return nil, err
	}
	start, err := startUp(bin)
	if err != nil {
		return nil, err
	}
	checks = append(checks, start...)
	large, err := crowds(bin, count)
	if err != nil {
		return nil, err
	}
	checks = append(checks, large...)
	for _, size := range []struct {
		file string
		most float64
	}{{bin, 55}, {darwin, 40}} {
		if size.file == "" {
			continue
		}
		info, err := os.Stat(size.file)
		if err != nil {
			return nil, err
		}
		checks = append(checks, check{"size of " + size.file, float64(info.Size()) / 1e6, size.most, "MB", false})
	}
	return checks, nil
}

// startUp compares --help with kubectl's, in turn, many times. On a machine without kubectl it says that there is
// nothing to compare with.
func startUp(bin string) ([]check, error) {
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		fmt.Println("     start-up: not compared, there is no kubectl on this machine")
		return nil, nil
	}
	help := func(program string) func() (time.Duration, error) {
		return func() (time.Duration, error) {
			c, err := pairs.Of(exec.Command(program, "--help"))
			return c.Wall, err
		}
	}
	all, err := pairs.Run(15, help(bin), help(kubectl))
	if err != nil {
		return nil, err
	}
	return []check{{"start-up, --help", pairs.Ratio(all), 1, "× kubectl --help", true}}, nil
}
