package preflight

import (
	"cmp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Same is the value of Report.To when kubelets are only restarted.
const Same = "same"

// Options are the question, and what the report says about itself.
type Options struct {
	// To is the version that replaces each node's kubelet; the zero value means each node's own.
	To kubelet.Version
	// APIServer is the version of the API server; the zero value looks for it among the pods.
	APIServer kubelet.Version
	// Nodes and Keep narrow the report; empty and nil keep everything.
	Nodes []string
	Keep  func(namespace, pod, uid string) bool

	ToolVersion string
	GeneratedAt time.Time
	Scope       report.Scope
}

// Run predicts what happens to every container of the snapshot that is bound to a node. The error is
// kubelet.ErrVersionNotModelled for a target that is not modelled; any other problem only costs the predictions of the
// containers that it concerns.
func Run(s *evidence.Snapshot, o Options) (*report.Preflight, error) {
	st, err := NewStream(s, o)
	if err != nil {
		return nil, err
	}
	st.Add(s)
	return st.Report(), nil
}

// bySeverity sorts nodes: those whose kubelet would not start, then those with most restarts.
func bySeverity(a, b report.PreflightNode) int {
	if a.Blocked != b.Blocked {
		if a.Blocked {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.Count.Restarts, a.Count.Restarts), cmp.Compare(b.Count.May, a.Count.May),
		cmp.Compare(b.Count.Unknown, a.Count.Unknown), cmp.Compare(a.Node, b.Node))
}
