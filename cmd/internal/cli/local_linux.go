package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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

// localNode reads the node that this runs on, or that is mounted below l.root,
// and returns its name.
func localNode(ctx context.Context, l local, p *progress) (node string, y diag.Collection, err error) {
	if info, err := os.Stat(l.root); err != nil || !info.IsDir() {
		return "", y, usage("--root %s: not a directory", l.root)
	}
	here := filepath.Clean(l.root) == "/"
	host, _ := hostfiles.Read(hostfiles.Options{Root: l.root}) // its gaps come from the source below
	if node = l.node; node == "" {
		node = host.NodeName
	}
	if node == "" {
		return "", y, hint(errors.New("collect --local: this machine's name is not valid for a node"),
			"is this a node? --node NAME names it")
	}
	journals := journal.Options{Since: l.since, Root: l.root}
	// Without a Mount the processes of this machine are looked at too. Those of a
	// mounted node are not: a process in another cgroup namespace sees their cgroups
	// under other names.
	cgroups := cgroup.Options{Node: node, CgroupRoot: host.Kubelet.CgroupRoot, Driver: host.Kubelet.CgroupDriver}
	if !here {
		cgroups.Mount = filepath.Join(l.root, "sys/fs/cgroup")
		journals.Runner = journal.Command{"journalctl", "--root=" + l.root}
	}
	all := map[string]diag.Source{
		"host":    hostfiles.New(hostfiles.Options{Node: node, Root: l.root}),
		"journal": journal.NewSource(node, journals),
		"cri":     cri.New(cri.Options{Node: node, Root: l.root, Configured: host.Kubelet.ContainerRuntimeEndpoint}),
		"cgroup":  cgroup.New(cgroups),
		"systemd": systemd.New(systemd.Options{Node: node, Root: l.root}),
		"kubelet": kubeletdir.New(kubeletdir.Options{Node: node, Root: l.root,
			RootDir: host.Kubelet.RootDir, StaticPodPath: host.Kubelet.StaticPodPath}),
		"packages": packages.New(packages.Options{Node: node, Root: l.root, Since: l.since}),
		"logfiles": logfiles.New(logfiles.Options{Node: node, Root: l.root, Since: l.since}),
	}
	var chosen []diag.Source
	for _, name := range localSources() {
		if s := all[name]; s != nil && l.wants(name) {
			chosen = append(chosen, s)
		}
	}
	o := diag.Options{Timeout: localTimeout, Progress: p.step}
	y = diag.Collect(ctx, chosen, o)
	has := func(p string) bool {
		return slices.ContainsFunc(y.Files(), func(f evidence.File) bool { return f.Path == p })
	}
	if l.wants("cri") && !has(nodefile.Path(node, "cri.json")) {
		// The runtime did not answer. Its files tell less, but they are there.
		y.Add(diag.Collect(ctx, []diag.Source{cri.NewDisk(cri.Options{Node: node, Root: l.root})}, o))
	}
	if has(journal.Path(node, "kernel")) || !l.wants("kernel") {
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
