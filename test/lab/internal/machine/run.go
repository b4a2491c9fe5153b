package machine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

// Command returns a command that runs inside the node.
func (m *Machine) Command(ctx context.Context, args ...string) *exec.Cmd {
	return m.body().command(ctx, args...)
}

// RuntimeEndpoint returns where the host reaches the node's container runtime.
func (m *Machine) RuntimeEndpoint() string { return "unix://" + m.body().socket() }

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

// Feed writes content to a path that only the node sees, such as one below /run, readable only by its root.
func (m *Machine) Feed(ctx context.Context, path string, content []byte) error {
	cmd := m.Command(ctx, "sh", "-c", `umask 077; cat > "$1"`, "sh", path)
	cmd.Stdin = bytes.NewReader(content)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("write %s on node %s: %w: %s", path, m.Name, err, tail(out))
	}
	return nil
}

// WriteFile writes a file at a path inside the node. A program that runs from that path continues with the old content.
func (m *Machine) WriteFile(path string, content []byte, mode os.FileMode) error {
	if err := m.body().write(path, content, mode); err != nil {
		return fmt.Errorf("write %s on node %s: %w", path, m.Name, err)
	}
	return nil
}

// writeBelow writes a file that may be a program. While the file is open for writing, nothing may fork: a child that
// another goroutine starts holds a copy of the descriptor until it executes, and a program that somebody has open for
// writing can't be started (ETXTBSY, https://go.dev/issue/22315).
func writeBelow(root, path string, content []byte, mode os.FileMode) error {
	full := filepath.Join(root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	next := full + ".next"
	if err := os.WriteFile(next, content, mode); err != nil {
		return err
	}
	return os.Rename(next, full)
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
	content, err := m.body().read(path)
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

// Start starts a long-running process and records it.
func Start(book *ledger.Ledger, name string, cmd *exec.Cmd) error {
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	go func() { _ = cmd.Wait() }() // reaps it if it ends while this program still runs
	process, err := ledger.Identify(name, cmd.Process.Pid)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	return book.Update(func(b *ledger.Book) { b.Processes = append(b.Processes, process) })
}
