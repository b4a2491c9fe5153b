package cli

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
	"github.com/restartwhy/kubectl-restartwhy/diag/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletdir"
	"github.com/restartwhy/kubectl-restartwhy/diag/logfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/packages"
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
	o := diag.Options{Timeout: localTimeout, Progress: p.step}
	y = diag.Collect(ctx, []diag.Source{
		hostfiles.New(hostfiles.Options{Node: node}),
		journal.NewSource(node, journal.Options{Since: since}),
		cri.New(cri.Options{Node: node, Configured: host.Kubelet.ContainerRuntimeEndpoint}),
		cgroup.New(cgroup.Options{Node: node, CgroupRoot: host.Kubelet.CgroupRoot, Driver: host.Kubelet.CgroupDriver}),
		systemd.New(systemd.Options{Node: node}),
		kubeletdir.New(kubeletdir.Options{Node: node, RootDir: host.Kubelet.RootDir, StaticPodPath: host.Kubelet.StaticPodPath}),
		packages.New(packages.Options{Node: node, Since: since}),
		logfiles.New(logfiles.Options{Node: node, Since: since}),
	}, o)
	has := func(p string) bool {
		return slices.ContainsFunc(y.Files(), func(f evidence.File) bool { return f.Path == p })
	}
	if !has(nodefile.Path(node, "cri.json")) {
		// The runtime did not answer. Its files tell less, but they are there.
		y.Add(diag.Collect(ctx, []diag.Source{cri.NewDisk(cri.Options{Node: node})}, o))
	}
	if has(journal.Path(node, "kernel")) {
		return node, y, nil
	}
	// The kernel's own buffer is shorter than a journal, but it is there. What the
	// journal lacked is then no gap.
	kmsg := diag.Collect(ctx, []diag.Source{kernel.NewSource(node, kernel.Options{})}, o)
	if len(kmsg.Pieces) > 0 {
		y.Gaps = slices.DeleteFunc(y.Gaps, func(g evidence.Gap) bool { return g.Source == evidence.SourceKernelLog })
	}
	y.Add(kmsg)
	return node, y, nil
}
