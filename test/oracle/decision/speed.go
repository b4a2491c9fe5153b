package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
)

// timed is how many cases are decided over and over; timeFor how long each side does so.
const (
	timed   = 1000
	timeFor = time.Second / 2
)

// pace is one side's cost of a decision.
type pace struct {
	nanoseconds int64
	allocations float64
}

func (p pace) String() string {
	return fmt.Sprintf("%d ns, %.1f allocations", p.nanoseconds, p.allocations)
}

// measure times computePodActions, ours without a trace and upstream's, on the same cases with the release's default
// gates, one after the other.
func measure(ctx context.Context, path, release string, seed uint64) (ours, theirs pace, err error) {
	p, err := cases.Profile(release, nil)
	if err != nil {
		return pace{}, pace{}, err
	}
	g := cases.NewGenerator(seed, p, nil)
	var lines bytes.Buffer
	questions := make([]cases.Case, timed)
	for i := range questions {
		c := g.Next()
		line, err := c.Line()
		if err != nil {
			return pace{}, pace{}, err
		}
		lines.Write(line)
		if questions[i], err = cases.Read(line); err != nil {
			return pace{}, pace{}, err
		}
	}
	cmd := exec.CommandContext(ctx, path, "time")
	cmd.Stdin = &lines
	out, err := cmd.Output()
	if err != nil {
		return pace{}, pace{}, fmt.Errorf("time %s: %w", path, err)
	}
	if _, err := fmt.Sscan(string(out), &theirs.nanoseconds, &theirs.allocations); err != nil {
		return pace{}, pace{}, fmt.Errorf("read time of %s: %w", path, err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	// The quickest round counts, as on the other side: the others were disturbed.
	rounds, best, began := 0, time.Hour, time.Now()
	for ; time.Since(began) < timeFor; rounds++ {
		round := time.Now()
		for i := range questions {
			decide.ComputePodActions(p, questions[i].Pod, &questions[i].Status, decide.Options{})
		}
		best = min(best, time.Since(round))
	}
	runtime.ReadMemStats(&after)
	return pace{best.Nanoseconds() / timed, float64(after.Mallocs-before.Mallocs) / float64(rounds*timed)}, theirs, nil
}
