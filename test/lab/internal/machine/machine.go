package machine

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

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
