package main

import (
	"bytes"
	"context"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/decide"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// measure times computePodActions, ours without a trace and upstream's, on the same cases with the release's default
// gates, one after the other.
func measure(ctx context.Context, path, release string, seed uint64) (ours, theirs peer.Pace, err error) {
	p, err := cases.Profile(release, nil)
	if err != nil {
		return peer.Pace{}, peer.Pace{}, err
	}
	g := cases.NewGenerator(seed, p, nil)
	var lines bytes.Buffer
	questions := make([]cases.Case, peer.Timed)
	for i := range questions {
		c := g.Next()
		line, err := c.Line()
		if err != nil {
			return peer.Pace{}, peer.Pace{}, err
		}
		lines.Write(line)
		if questions[i], err = cases.Read(line); err != nil {
			return peer.Pace{}, peer.Pace{}, err
		}
	}
	return peer.Measure(ctx, path, lines.Bytes(), func() error {
		for i := range questions {
			decide.ComputePodActions(p, questions[i].Pod, &questions[i].Status, decide.Options{})
		}
		return nil
	})
}
