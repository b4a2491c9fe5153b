package main

import (
	"bytes"
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/hash"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashcase"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// measure times HashContainer, ours and upstream's, on the same decoded containers, one after the other.
func measure(ctx context.Context, path string, d hashdriver.Driver, seed uint64) (ours, theirs peer.Pace, err error) {
	g := hashcase.NewGenerator(seed)
	var lines bytes.Buffer
	containers := make([]*corev1.Container, peer.Timed)
	for i := range containers {
		line := g.Next()
		lines.Write(line)
		if containers[i], err = hashcase.Read(line); err != nil {
			return peer.Pace{}, peer.Pace{}, err
		}
	}
	minor := d.Minor()
	return peer.Measure(ctx, path, lines.Bytes(), func() error {
		for _, c := range containers {
			if _, err := hash.Hash(minor, c); err != nil {
				return err
			}
		}
		return nil
	})
}
