package machine

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/image"
	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

// Machine is one node. Root is its file system as the host sees it.
type Machine struct {
	Name  string
	Index int
	Root  string
	Init  int // process id of its PID 1, seen from the host
	book  *ledger.Ledger
}

// Attach finds a machine of the ledger that runs.
func Attach(book *ledger.Ledger, dir, name string) (*Machine, error) {
	for _, n := range book.Book().Nodes {
		if n.Name == name {
			if n.Init == 0 {
				return nil, fmt.Errorf("attach to node %s: it never booted", name)
			}
			return &Machine{Name: name, Index: n.Index, Root: rootOf(dir, name), Init: n.Init, book: book}, nil
		}
	}
	return nil, fmt.Errorf("attach to node %s: no such node in this lab", name)
}

func rootOf(dir, name string) string { return filepath.Join(dir, "nodes", name) }

// New copies the base file system and writes the node's configuration.
// dir is the directory of this run of the lab.
func New(ctx context.Context, book *ledger.Ledger, dir, base, name string, index int) (*Machine, error) {
	m := &Machine{Name: name, Index: index, Root: rootOf(dir, name), book: book}
	if err := os.MkdirAll(filepath.Dir(m.Root), 0o755); err != nil {
		return nil, fmt.Errorf("make node %s: %w", name, err)
	}
	if out, err := exec.CommandContext(ctx, "cp", "-a", "--reflink=auto", base, m.Root).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make node %s: copy file system: %w: %s", name, err, tail(out))
	}
	id := make([]byte, 16)
	rand.Read(id)
	content := files(name, index)
	content["/etc/machine-id"] = hex.EncodeToString(id) + "\n"
	for path, text := range content {
		if err := m.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	units := filepath.Join(m.Root, "etc/systemd/system")
	for _, u := range masked {
		if err := os.Symlink("/dev/null", filepath.Join(units, u)); err != nil && !errors.Is(err, os.ErrExist) {
			return nil, fmt.Errorf("make node %s: mask %s: %w", name, u, err)
		}
	}
	if err := m.packImages(ctx); err != nil {
		return nil, fmt.Errorf("make node %s: %w", name, err)
	}
	return m, nil
}

// packImages puts the lab's images into the node, made from its own busybox.
func (m *Machine) packImages(ctx context.Context) error {
	program := filepath.Join(m.Root, "bin/busybox")
	busybox, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	applets, err := exec.CommandContext(ctx, program, "--list").Output()
	if err != nil {
		return fmt.Errorf("list busybox applets: %w", err)
	}
	var b bytes.Buffer
	if err := image.Archive(&b, busybox, strings.Fields(string(applets)), "amd64"); err != nil {
		return err
	}
	return m.WriteFile(imagesPath, b.Bytes(), 0o644)
}

// WriteFile writes a file at a path inside the node. A program that runs from
// that path goes on with the old content.
func (m *Machine) WriteFile(path string, content []byte, mode os.FileMode) error {
	full := filepath.Join(m.Root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return fmt.Errorf("write %s on node %s: %w", path, m.Name, err)
	}
	next := full + ".next"
	if err := os.WriteFile(next, content, mode); err != nil {
		return fmt.Errorf("write %s on node %s: %w", path, m.Name, err)
	}
	if err := os.Rename(next, full); err != nil {
		return fmt.Errorf("write %s on node %s: %w", path, m.Name, err)
	}
	return nil
}

// CopyFile copies a file of the host to a path inside the node.
func (m *Machine) CopyFile(hostPath, path string, mode os.FileMode) error {
	content, err := os.ReadFile(hostPath)
	if err != nil {
		return fmt.Errorf("copy to node %s: %w", m.Name, err)
	}
	return m.WriteFile(path, content, mode)
}

// Fetch copies a file at a path inside the node to the host.
func (m *Machine) Fetch(path, hostPath string) error {
	content, err := os.ReadFile(filepath.Join(m.Root, path))
	if err != nil {
		return fmt.Errorf("fetch from node %s: %w", m.Name, err)
	}
	if err := os.MkdirAll(filepath.Dir(hostPath), 0o755); err != nil {
		return fmt.Errorf("fetch from node %s: %w", m.Name, err)
	}
	if err := os.WriteFile(hostPath, content, 0o644); err != nil {
		return fmt.Errorf("fetch from node %s: %w", m.Name, err)
	}
	return nil
}

// Feed writes content to a path that only the node sees, such as one below
// /run, readable by its root alone.
func (m *Machine) Feed(ctx context.Context, path string, content []byte) error {
	cmd := m.Command(ctx, "sh", "-c", `umask 077; cat > "$1"`, "sh", path)
	cmd.Stdin = bytes.NewReader(content)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("write %s on node %s: %w: %s", path, m.Name, err, tail(out))
	}
	return nil
}

// Boot starts the node and returns when its systemd answers, containerd runs
// and the images are in. log receives the node's console.
func (m *Machine) Boot(ctx context.Context, log io.Writer) error {
	if err := m.makeCgroups(); err != nil {
		return fmt.Errorf("boot node %s: %w", m.Name, err)
	}
	view := m.Root + ".cgroup"
	if err := os.MkdirAll(view, 0o755); err != nil {
		return fmt.Errorf("boot node %s: %w", m.Name, err)
	}
	args := append([]string{"--mount", "--propagation=private", "sh", "-c", enter, "sh", cgroup(m.Name), view}, m.nspawnArgs(view)...)
	cmd := exec.Command("unshare", args...)
	cmd.Env = append(os.Environ(), "SYSTEMD_NSPAWN_API_VFS_WRITABLE=1", "SYSTEMD_NSPAWN_LOCK=0")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := Start(m.book, "nspawn-"+m.Name, cmd); err != nil {
		return fmt.Errorf("boot node %s: %w", m.Name, err)
	}

	deadline := time.Now().Add(60 * time.Second)
	for m.Init == 0 {
		if m.Init = m.findInit(); m.Init != 0 {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("boot node %s: no PID 1 after a minute", m.Name)
		}
		if err := pause(ctx, 200*time.Millisecond); err != nil {
			return fmt.Errorf("boot node %s: %w", m.Name, err)
		}
	}
	process, err := ledger.Identify("init-"+m.Name, m.Init)
	if err != nil {
		return fmt.Errorf("boot node %s: %w", m.Name, err)
	}
	if err := m.book.Update(func(b *ledger.Book) {
		b.Processes = append(b.Processes, process)
		for i := range b.Nodes {
			if b.Nodes[i].Name == m.Name {
				b.Nodes[i].Init = m.Init
			}
		}
	}); err != nil {
		return err
	}
	return m.startRuntime(ctx, deadline)
}

// startRuntime brings up the network and containerd and imports the images.
//
// The journal starts empty: a new journald reads all that the kernel remembers,
// which for a node of the lab is the boot of another machine and the deaths in
// earlier labs.
func (m *Machine) startRuntime(ctx context.Context, deadline time.Time) error {
	var last error
	for _, step := range [][]string{
		{"journalctl", "--flush"},
		{"journalctl", "--sync"},
		{"journalctl", "--rotate", "--vacuum-size=1"},
		{"systemctl", "start", "lab-network.service"},
		{"systemctl", "start", "containerd.service"},
		{"ctr", "-n", "k8s.io", "images", "import", imagesPath},
	} {
		for {
			if _, last = m.Run(ctx, step...); last == nil {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("boot node %s: %w", m.Name, last)
			}
			if err := pause(ctx, 500*time.Millisecond); err != nil {
				return fmt.Errorf("boot node %s: %w", m.Name, err)
			}
		}
	}
	return nil
}

// enter puts the shell into the node's cgroup in every hierarchy, lays out the
// node's view of them and becomes nspawn. The view is a tmpfs with one mount per
// hierarchy, which is how systemd knows cgroup v1; its mounts are in a mount
// namespace of their own and end with it.
const enter = `set -e
group=$1 view=$2; shift 2
mount -t tmpfs -o mode=755 cgroup-view "$view"
for h in /sys/fs/cgroup/*; do
	name=${h##*/}
	if [ -L "$h" ]; then cp -P "$h" "$view/$name"; continue; fi
	root=$h/$group
	# Where systemd tracks units, nspawn puts the node one level lower.
	case $name in systemd|unified) root=$root/payload; mkdir -p "$root";; esac
	mkdir "$view/$name"
	mount --bind "$root" "$view/$name"
	echo $$ > "$h/$group/cgroup.procs"
done
exec "$@"`

func (m *Machine) nspawnArgs(cgroupView string) []string {
	return []string{"systemd-nspawn", "--quiet", "--boot", "--directory=" + m.Root, "--machine=" + m.Name,
		"--register=no", "--keep-unit", "--capability=all", "--private-network", "--network-bridge=" + Bridge,
		"--bind=" + cgroupView + ":/sys/fs/cgroup", "--bind=/dev/kmsg", "--resolv-conf=off", "--timezone=off", "--link-journal=no",
		"--system-call-filter=@keyring bpf @mount @debug @module", "--console=pipe"}
}

// findInit returns the descendant of nspawn that is process 1 of its own
// process namespace.
func (m *Machine) findInit() int {
	for _, p := range m.book.Book().Processes {
		if p.Name == "nspawn-"+m.Name && p.Alive() {
			return descendantInit(p.PID)
		}
	}
	return 0
}

func descendantInit(pid int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0
	}
	for _, field := range strings.Fields(string(raw)) {
		child, err := strconv.Atoi(field)
		if err != nil {
			continue
		}
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", child))
		if err == nil && isInit(string(status)) {
			return child
		}
		if found := descendantInit(child); found != 0 {
			return found
		}
	}
	return 0
}

// isInit reads a /proc/<pid>/status: NSpid lists the process's ids from the
// host's namespace inwards, so PID 1 of a node has a second and last id of 1.
func isInit(status string) bool {
	for line := range strings.Lines(status) {
		if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
			fields := strings.Fields(ids)
			return len(fields) > 1 && fields[len(fields)-1] == "1"
		}
	}
	return false
}

// Command is a program run inside the node, with all of its namespaces.
func (m *Machine) Command(ctx context.Context, args ...string) *exec.Cmd {
	full := append([]string{"-t", strconv.Itoa(m.Init), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w", "--"}, args...)
	cmd := exec.CommandContext(ctx, "nsenter", full...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"}
	return cmd
}

// Run runs a program inside the node and returns its stdout.
func (m *Machine) Run(ctx context.Context, args ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd := m.Command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("run %s on node %s: %w: %s", strings.Join(args, " "), m.Name, err, tail(stderr.Bytes()))
	}
	return stdout.String(), nil
}

// Start starts a long-running process and writes it down.
func Start(book *ledger.Ledger, name string, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	go func() { _ = cmd.Wait() }() // reaps it when it ends while this program still runs
	process, err := ledger.Identify(name, cmd.Process.Pid)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	return book.Update(func(b *ledger.Book) { b.Processes = append(b.Processes, process) })
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
