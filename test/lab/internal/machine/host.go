package machine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

// cgroupMount is where the cgroup v1 hierarchies of the host are.
const cgroupMount = "/sys/fs/cgroup"

// kubeletSysctls are the kernel settings that a kubelet or a container runtime changes. The kernel is shared with the
// host, so they are restored at the end.
var kubeletSysctls = []string{"vm/overcommit_memory", "vm/panic_on_oom", "kernel/panic", "kernel/panic_on_oops",
	"kernel/keys/root_maxkeys", "kernel/keys/root_maxbytes"}

// controlCgroup holds the lab's processes on the host, so that Remove also finds one that was started but not yet
// recorded when the lab's program died.
const (
	controlCgroup    = "lab-control"
	controlHierarchy = "pids"
)

// HostCommand is a program of the lab that runs on the host.
func HostCommand(name string, args ...string) *exec.Cmd {
	procs := filepath.Join(cgroupMount, controlHierarchy, controlCgroup, "cgroup.procs")
	return exec.Command("sh", append([]string{"-c", `echo $$ > "$1" && shift && exec "$@"`, "sh", procs, name},
		args...)...)
}

// PrepareHost creates the bridge and remembers the kernel's settings.
func PrepareHost(ctx context.Context, book *ledger.Ledger) error {
	if _, err := os.Stat(filepath.Join(cgroupMount, "memory")); err != nil {
		return fmt.Errorf("prepare host: no cgroup v1 memory controller: %w", err)
	}
	saved := map[string]string{}
	for _, s := range kubeletSysctls {
		if raw, err := os.ReadFile(filepath.Join("/proc/sys", s)); err == nil {
			saved[s] = strings.TrimSpace(string(raw))
		}
	}
	if err := book.Update(func(b *ledger.Book) {
		b.Sysctls, b.Links, b.Cgroups = saved, []string{Bridge}, []string{controlCgroup}
	}); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(cgroupMount, controlHierarchy, controlCgroup), 0o755); err != nil {
		return fmt.Errorf("prepare host: %w", err)
	}
	for _, args := range [][]string{
		{"link", "add", Bridge, "type", "bridge"},
		{"address", "add", HostAddress + "/24", "dev", Bridge},
		{"link", "set", Bridge, "up"},
	} {
		if out, err := exec.CommandContext(ctx, "ip", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("prepare host: ip %s: %w: %s", strings.Join(args, " "), err, tail(out))
		}
	}
	return nil
}

// hierarchies lists the cgroup v1 mounts, and that of v2 if it is mounted as well.
func hierarchies() ([]string, error) {
	entries, err := os.ReadDir(cgroupMount)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		// cpu,cpuacct and similar ones are links to each other on some machines.
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out, nil
}

// makeCgroups creates the node's cgroup in every hierarchy. A cpuset without CPUs and memory nodes refuses every
// process, so those are copied from its parent.
func (m *Machine) makeCgroups() error {
	name := cgroup(m.Name)
	if err := m.book.Update(func(b *ledger.Book) { b.Cgroups = append(b.Cgroups, name) }); err != nil {
		return err
	}
	all, err := hierarchies()
	if err != nil {
		return err
	}
	for _, h := range all {
		dir := filepath.Join(cgroupMount, h, name)
		if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if h != "cpuset" {
			continue
		}
		for _, setting := range []string{"cpuset.cpus", "cpuset.mems"} {
			value, err := os.ReadFile(filepath.Join(cgroupMount, h, setting))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, setting), value, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
