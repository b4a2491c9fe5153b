package collect

import (
	"context"

	"github.com/restartwhy/kubectl-restartwhy/diag/access"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// Review checks the rights for steps within the connection's deadline.
func Review(ctx context.Context, cl *Cluster, questions ...access.Review) []access.Denial {
	ctx, cancel := pace.Within(ctx, cl.Deadline)
	defer cancel()
	return access.Ask(ctx, cl.Client, questions...)
}

// mayReadAPI checks the rights for everything but the pods. Requests that would be refused are not sent; a gap says
// what they would have returned. The pods are not checked: without them there is no answer, and the refusal of the
// request itself gives the better reason.
func mayReadAPI(ctx context.Context, cl *Cluster, asked apiserver.Scope) (denied []string, gaps []evidence.Gap) {
	nodes := access.Review{Step: access.Find(access.Nodes), Verbs: []string{"get"}}
	if asked.Namespace == "" && len(asked.Names) == 0 {
		nodes.Verbs = []string{"list"}
	}
	for _, d := range Review(ctx, cl, access.Review{Step: access.Find(access.Events), Namespace: asked.Namespace},
		nodes) {
		denied = append(denied, d.Step.Name)
		if d.Step.Name != access.Nodes || len(asked.Nodes) == 0 { // a named node is read anyway
			gaps = append(gaps, d.Gap())
		}
	}
	return denied, gaps
}

// mayListNodes checks only the nodes, for a walk over a cluster.
func mayListNodes(ctx context.Context, cl *Cluster) (denied []string, gaps []evidence.Gap) {
	for _, d := range Review(ctx, cl, access.Review{Step: access.Find(access.Nodes), Verbs: []string{"list"}}) {
		denied, gaps = append(denied, d.Step.Name), append(gaps, d.Gap())
	}
	return denied, gaps
}

// mayReadLogs checks whether this user may read logs through nodes; it returns the gap if not.
func mayReadLogs(ctx context.Context, cl *Cluster) *evidence.Gap {
	for _, d := range Review(ctx, cl, access.Review{Step: access.Find(access.Logs)}) {
		gap := d.Gap()
		gap.Hint += "; logs copied from a node can be given with --from"
		return &gap
	}
	return nil
}

// mayCollect checks whether this user may create collector pods in a namespace.
func mayCollect(ctx context.Context, cl *Cluster, namespace string) (gaps []evidence.Gap) {
	for _, d := range Review(ctx, cl, access.Review{Step: access.Find(access.Pod), Namespace: namespace}) {
		gaps = append(gaps, d.Gap())
	}
	return gaps
}
