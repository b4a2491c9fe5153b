//go:build !linux

package cri

import (
	"context"
	"runtime"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Collect fails: the kubelet's container runtimes run on Linux nodes, and this program is not on one.
func (s *Source) Collect(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	return nil, []evidence.Gap{s.gap("ask the container runtime: not possible from "+runtime.GOOS,
		"collect on the node itself")}
}
