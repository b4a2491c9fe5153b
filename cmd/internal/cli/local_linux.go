package cli

import (
	"context"
	"errors"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/systemd"
)

// localTimeout is the deadline of each source on a node. Journals are the
// slowest by far.
const localTimeout = 2 * time.Minute

// localNode reads the node that this runs on, from since on, and returns its
// name.
func localNode(ctx context.Context, since time.Time, p *progress) (node string, y diag.Yield, err error) {
	host, _ := hostfiles.Read(hostfiles.Options{}) // its gaps come from the source below
	node = host.NodeName
	if node == "" {
		return "", y, hint(errors.New("collect --local: this machine has no name that a node could have"), "is this a node?")
	}
	y = diag.Collect(ctx, append([]diag.Source{
		hostfiles.New(hostfiles.Options{Node: node}),
		cri.New(cri.Options{Node: node, Timeout: localTimeout}),
		cgroup.New(cgroup.Options{Node: node, CgroupRoot: host.Kubelet.CgroupRoot}),
		systemd.New(systemd.Options{Node: node}),
	}, localLogs(node, since)...), diag.Options{Timeout: localTimeout, Progress: p.step})
	return node, y, nil
}
