package machine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

// Boot starts the node and returns when its systemd answers, containerd runs and the images are imported. log receives
// the node's console.
func (m *Machine) Boot(ctx context.Context, log *os.File) error {
	if err := m.body().boot(ctx, log); err != nil {
		return fmt.Errorf("boot node %s: %w", m.Name, err)
	}
	return nil
}

// namespaced is a machine of systemd-nspawn.
type namespaced struct{ *Machine }

func (m namespaced) command(ctx context.Context, args ...string) *exec.Cmd {
	full := append([]string{"-t", strconv.Itoa(m.Init), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w", "--"}, args...)
	cmd := exec.CommandContext(ctx, "nsenter", full...)
	cmd.Env = []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8"}
	return cmd
}

func (m namespaced) write(path string, content []byte, mode os.FileMode) error {
	return writeBelow(m.Root, path, content, mode)
}

func (m namespaced) read(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(m.Root, path))
}

// socket is accessed through the root of the node's PID 1.
func (m namespaced) socket() string {
	return filepath.Join(fmt.Sprintf("/proc/%d/root", m.Init), RuntimeSocket)
}

func (m namespaced) files() map[string]string { return files(m.Name, m.Index) }

func (m namespaced) masked() []string { return masked }

func (m namespaced) boot(ctx context.Context, log *os.File) error {
	if err := m.makeCgroups(); err != nil {
		return err
	}
	view := m.Root + ".cgroup"
	if err := os.MkdirAll(view, 0o755); err != nil {
		return err
	}
	args := append([]string{"--mount", "--propagation=private", "sh", "-c", enter, "sh", cgroup(m.Name), view},
		m.nspawnArgs(view)...)
	cmd := exec.Command("unshare", args...)
	cmd.Env = append(os.Environ(), "SYSTEMD_NSPAWN_API_VFS_WRITABLE=1", "SYSTEMD_NSPAWN_LOCK=0")
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := Start(m.book, "nspawn-"+m.Name, cmd); err != nil {
		return err
	}

	deadline := time.Now().Add(60 * time.Second)
	for m.Init == 0 {
		if m.Init = m.findInit(); m.Init != 0 {
			break
		}
		if time.Now().After(deadline) {
			return errors.New("no PID 1 after a minute")
		}
		if err := Pause(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
	process, err := ledger.Identify("init-"+m.Name, m.Init)
	if err != nil {
		return err
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

// startRuntime starts the network and containerd and imports the images.
//
// The journal starts empty: a new journald reads everything in the kernel's buffer, which for a node of the lab is
// another machine's boot and the kills of earlier labs.
func (m namespaced) startRuntime(ctx context.Context, deadline time.Time) error {
	return m.insist(ctx, deadline, [][]string{
		{"journalctl", "--flush"},
		{"journalctl", "--sync"},
		{"journalctl", "--rotate", "--vacuum-size=1"},
		{"systemctl", "start", "lab-network.service"},
		{"systemctl", "start", "containerd.service"},
		importImages,
	})
}

// importImages is the last step of every first boot.
var importImages = []string{"ctr", "-n", "k8s.io", "images", "import", imagesPath}

// insist runs commands inside the node, each until it succeeds.
func (m *Machine) insist(ctx context.Context, deadline time.Time, steps [][]string) error {
	var last error
	for _, step := range steps {
		for {
			if _, last = m.Run(ctx, step...); last == nil {
				break
			}
			if time.Now().After(deadline) {
				return last
			}
			if err := Pause(ctx, 500*time.Millisecond); err != nil {
				return errors.Join(err, last)
			}
		}
	}
	return nil
}

// enter puts the shell into the node's cgroup in every hierarchy, sets up the node's view of them and becomes nspawn.
// The view is a tmpfs with one mount per hierarchy, which is how systemd recognizes cgroup v1; its mounts are in their
// own mount namespace and end with it.
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

func (m namespaced) nspawnArgs(cgroupView string) []string {
	return []string{"systemd-nspawn", "--quiet", "--boot", "--directory=" + m.Root, "--machine=" + m.Name,
		"--register=no", "--keep-unit", "--capability=all", "--private-network", "--network-bridge=" + Bridge,
		"--bind=" + cgroupView + ":/sys/fs/cgroup", "--bind=/dev/kmsg", "--resolv-conf=off",
		"--timezone=off", "--link-journal=no",
		"--system-call-filter=@keyring bpf @mount @debug @module", "--console=pipe"}
}

// findInit returns the descendant of nspawn that is process 1 of its own process namespace.
func (m namespaced) findInit() int {
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

// isInit parses a /proc/<pid>/status: NSpid lists the process's ids from the host's namespace inwards, so PID 1 of a
// node has a second and last id of 1.
func isInit(status string) bool {
	for line := range strings.Lines(status) {
		if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
			fields := strings.Fields(ids)
			return len(fields) > 1 && fields[len(fields)-1] == "1"
		}
	}
	return false
}

// Pause waits, and returns early if the context ends.
func Pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
