package machine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

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
		return stdout.String(), fmt.Errorf("run %s on node %s: %w: %s", strings.Join(args, " "),
			m.Name, err, tail(stderr.Bytes()))
	}
	return stdout.String(), nil
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
