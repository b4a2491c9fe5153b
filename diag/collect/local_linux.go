package collect

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cgroup"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kubeletdir"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/logfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/packages"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/systemd"
	"github.com/restartwhy/kubectl-restartwhy/diag/journal"
)

// localTimeout is the deadline of each source on a node. Journals are the
// slowest by far.
const localTimeout = 2 * time.Minute

// Read reads the node that this runs on, or that is mounted below l.Root, and returns its name.
func (l *Local) Read(ctx context.Context, p Listener) (node string, y diag.Collection, err error) {
	if info, err := os.Stat(l.Root); err != nil || !info.IsDir() {
		return "", y, ErrNoRoot
	}
	here := filepath.Clean(l.Root) == "/"
	host, _ := hostfiles.Read(hostfiles.Options{Root: l.Root}) // the source below reports the gaps
	if node = l.Node; node == "" {
		node = host.NodeName
	}
	if node == "" {
		return "", y, ErrNoName
	}
	journals := journal.Options{Since: l.Since, Root: l.Root}
	// Without a Mount the processes of this machine are inspected too. Those of a mounted node are not: a process in
	// another cgroup namespace sees their cgroups under other names.
	cgroups := cgroup.Options{Node: node, CgroupRoot: host.Kubelet.CgroupRoot, Driver: host.Kubelet.CgroupDriver}
	if !here {
		cgroups.Mount = filepath.Join(l.Root, "sys/fs/cgroup")
		journals.Runner = journal.Command{"journalctl", "--root=" + l.Root}
	}
	all := map[string]diag.Source{
		"host":    hostfiles.New(hostfiles.Options{Node: node, Root: l.Root}),
		"journal": journal.NewSource(node, journals),
		"cri":     cri.New(cri.Options{Node: node, Root: l.Root, Configured: host.Kubelet.ContainerRuntimeEndpoint}),
		"cgroup":  cgroup.New(cgroups),
		"systemd": systemd.New(systemd.Options{Node: node, Root: l.Root}),
		"kubelet": kubeletdir.New(kubeletdir.Options{Node: node, Root: l.Root,
			RootDir: host.Kubelet.RootDir, StaticPodPath: host.Kubelet.StaticPodPath}),
		"packages": packages.New(packages.Options{Node: node, Root: l.Root, Since: l.Since}),
		"logfiles": logfiles.New(logfiles.Options{Node: node, Root: l.Root, Since: l.Since}),
	}
	var chosen []diag.Source
	for _, name := range LocalSources() {
		if s := all[name]; s != nil && l.wants(name) {
			chosen = append(chosen, s)
		}
	}
	o := diag.Options{Timeout: localTimeout, Progress: p.Step}
	y = diag.Collect(ctx, chosen, o)
	has := func(p string) bool {
		return slices.ContainsFunc(y.Files(), func(f evidence.File) bool { return f.Path == p })
	}
	if l.wants("cri") && !has(nodefile.Path(node, "cri.json")) {
		// The runtime did not answer. Its files have less, but they are there.
		y.Add(diag.Collect(ctx, []diag.Source{cri.NewOnDisk(cri.Options{Node: node, Root: l.Root})}, o))
	}
	if has(journal.Path(node, "kernel")) || !l.wants("kernel") {
		return node, y, nil
	}
	// The kernel's own buffer reaches less far back than a journal, but it is there. A gap in the journal then no
	// longer matters.
	kmsg := diag.Collect(ctx, []diag.Source{kernel.NewSource(node)}, o)
	if len(kmsg.Pieces) > 0 {
		y.Gaps = slices.DeleteFunc(y.Gaps, func(g evidence.Gap) bool { return g.Source == evidence.SourceKernelLog })
	}
	y.Add(kmsg)
	return node, y, nil
}
