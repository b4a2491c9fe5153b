package machine

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// hostPackages are what the host needs; nodePackages are what a node contains.
var (
	hostPackages = map[Kind][]string{
		Namespaced: {"debootstrap", "systemd-container", "etcd-server", "busybox-static", "iproute2", "zstd"},
		Emulated: {"debootstrap", "qemu-system-x86", "openssh-client", "e2fsprogs", "etcd-server", "busybox-static",
			"iproute2", "zstd"},
	}
	nodePackages = map[Kind][]string{
		Namespaced: {"systemd", "systemd-sysv", "dbus", "containerd", "runc", "containernetworking-plugins",
			"iproute2", "iptables", "busybox-static", "procps"},
		// containerd is built: Debian's version is too old.
		Emulated: {"systemd", "systemd-sysv", "dbus", "runc", "containernetworking-plugins", "iproute2", "iptables",
			"busybox-static", "procps", "kmod", "initramfs-tools", "linux-image-cloud-amd64", "openssh-server"},
	}
	baseNames = map[Kind]string{Namespaced: "rootfs-bookworm-1", Emulated: "rootfs-bookworm-emulated-1"}
)

// InstallPackages installs what the host lacks for some kinds of nodes, with apt, and returns what it installed.
func InstallPackages(ctx context.Context, kinds ...Kind) ([]string, error) {
	var wanted, missing []string
	for _, k := range kinds {
		wanted = append(wanted, hostPackages[k]...)
	}
	slices.Sort(wanted)
	for _, p := range slices.Compact(wanted) {
		out, err := exec.CommandContext(ctx, "dpkg-query", "-W", "-f=${db:Status-Status}", p).Output()
		if err != nil || string(out) != "installed" {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	// Installing etcd-server would start another etcd.
	env := append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "RUNLEVEL=1")
	for _, args := range [][]string{
		{"apt-get", "update", "-qq"},
		append([]string{"apt-get", "install", "-y", "-qq", "--no-install-recommends"}, missing...),
	} {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Env = env
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("install packages %s: %w: %s", strings.Join(missing, " "), err, tail(out))
		}
	}
	return missing, nil
}

// EnsureBase builds the root file system that every node of a kind starts from, once. Packages come from the source of
// the host's debootstrap.
func EnsureBase(ctx context.Context, cache string, kind Kind) (path string, built bool, err error) {
	path = filepath.Join(cache, baseNames[kind])
	if _, err := os.Stat(path); err == nil {
		return path, false, nil
	}
	part := path + ".part"
	if err := os.RemoveAll(part); err != nil {
		return "", false, fmt.Errorf("make node file system: %w", err)
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", false, fmt.Errorf("make node file system: %w", err)
	}
	cmd := exec.CommandContext(ctx, "debootstrap", "--variant=minbase",
		"--include="+strings.Join(nodePackages[kind], ","), "bookworm", part)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", false, fmt.Errorf("make node file system: debootstrap: %w: %s", err, tail(out))
	}
	// Every node is a copy, so files that no node reads are removed.
	for _, waste := range []string{"var/cache/apt", "var/lib/apt/lists", "usr/share/doc",
		"usr/share/man", "usr/share/locale", "var/log/bootstrap.log"} {
		if err := os.RemoveAll(filepath.Join(part, waste)); err != nil {
			return "", false, fmt.Errorf("make node file system: %w", err)
		}
	}
	if err := os.Rename(part, path); err != nil {
		return "", false, fmt.Errorf("make node file system: %w", err)
	}
	return path, true, nil
}

// tail returns the end of a program's output, where it says why it failed.
func tail(out []byte) string {
	s := strings.TrimSpace(string(out))
	return s[max(0, len(s)-500):]
}
