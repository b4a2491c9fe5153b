package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashcase"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
)

// timed is how many containers are hashed over and over; timeFor how long each side does so.
const (
	timed   = 1000
	timeFor = time.Second / 2
)

// pace is one side's cost of a hash.
type pace struct {
	nanoseconds int64
	allocations float64
}

func (p pace) String() string {
	return fmt.Sprintf("%d ns, %.1f allocations", p.nanoseconds, p.allocations)
}

// measure times HashContainer, ours and upstream's, on the same decoded containers, one after the other.
func measure(ctx context.Context, path string, d hashdriver.Driver, seed uint64) (ours, theirs pace, err error) {
	g := hashcase.NewGenerator(seed)
	var lines bytes.Buffer
	containers := make([]*corev1.Container, timed)
	for i := range containers {
		line := g.Next()
		lines.Write(line)
		if containers[i], err = hashcase.Read(line); err != nil {
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
	minor, rounds, best, began := d.Minor(), 0, time.Hour, time.Now()
	for ; time.Since(began) < timeFor; rounds++ {
		round := time.Now()
		for _, c := range containers {
			if _, err := hash.Hash(minor, c); err != nil {
				return pace{}, pace{}, err
			}
		}
		best = min(best, time.Since(round))
	}
	runtime.ReadMemStats(&after)
	return pace{best.Nanoseconds() / timed, float64(after.Mallocs-before.Mallocs) / float64(rounds*timed)}, theirs, nil
}
