package diag_test

import (
	"context"
	"fmt"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// silent is a source that has no way to fail but to say what it could not get.
type silent struct{}

func (silent) Name() string { return "kubelet log of n1" }

func (silent) Collect(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	return nil, []evidence.Gap{{Source: evidence.SourceKubeletLog, Node: "n1", Why: "no permission"}}
}

// What could not be had is evidence too: it is in the snapshot, and in every report made of it.
func ExampleCollect() {
	got := diag.Collect(context.Background(), []diag.Source{silent{}}, diag.Options{})
	snapshot := diag.Observe(got, time.Date(2026, 3, 1, 10, 10, 0, 0, time.UTC))
	for _, g := range snapshot.Gaps {
		fmt.Printf("%s of %s: %s\n", g.Source, g.Node, g.Why)
	}
	// Output: kubelet-log of n1: no permission
}
