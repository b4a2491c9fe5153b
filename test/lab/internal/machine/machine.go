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

// Kind is what a node is made of.
type Kind string

// The kinds of nodes.
const (
	Namespaced Kind = ""         // namespaces of the host's kernel; cgroup v1, as the host has it
	Emulated   Kind = "emulated" // its own kernel; cgroup v2
)

// Machine is one node. Root is its file system as the host sees it; an emulated machine's is packed into its disk when
// it is first started.
type Machine struct {
	Name  string
	Index int
	Kind  Kind
	Root  string
	Init  int // process id of its PID 1, seen from the host, or of its emulator; 0 before it runs
	book  *ledger.Ledger
}

// body is what differs between the kinds of machines.
type body interface {
	command(ctx context.Context, args ...string) *exec.Cmd
	write(path string, content []byte, mode os.FileMode) error
	read(path string) ([]byte, error)
	socket() string // of the container runtime, as the host reaches it
	files() map[string]string
	masked() []string
	boot(ctx context.Context, log *os.File) error
}

func (m *Machine) body() body {
	if m.Kind == Emulated {
		return emulated{m}
	}
	return namespaced{m}
}

// Attach finds a running machine of the ledger.
func Attach(book *ledger.Ledger, dir, name string) (*Machine, error) {
	for _, n := range book.Book().Nodes {
		if n.Name == name {
			if n.Init == 0 {
				return nil, fmt.Errorf("attach to node %s: it never booted", name)
			}
			return &Machine{Name: name, Index: n.Index, Kind: Kind(n.Kind), Root: rootOf(dir, name),
				Init: n.Init, book: book}, nil
		}
	}
	return nil, fmt.Errorf("attach to node %s: no such node in this lab", name)
}

func rootOf(dir, name string) string { return filepath.Join(dir, "nodes", name) }

// New copies the base file system of its kind and writes the node's configuration. dir is the directory of this run of
// the lab.
func New(ctx context.Context, book *ledger.Ledger, dir, base string, node ledger.Node) (*Machine, error) {
	name := node.Name
	m := &Machine{Name: name, Index: node.Index, Kind: Kind(node.Kind), Root: rootOf(dir, name), book: book}
	if err := os.MkdirAll(filepath.Dir(m.Root), 0o755); err != nil {
		return nil, fmt.Errorf("make node %s: %w", name, err)
	}
	if out, err := exec.CommandContext(ctx, "cp", "-a", "--reflink=auto", base, m.Root).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("make node %s: copy file system: %w: %s", name, err, tail(out))
	}
	id := make([]byte, 16)
	rand.Read(id)
	content := m.body().files()
	content["/etc/machine-id"] = hex.EncodeToString(id) + "\n"
	for path, text := range content {
		if err := m.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	unitDir := filepath.Join(m.Root, units)
	for _, u := range m.body().masked() {
		if err := os.Symlink("/dev/null", filepath.Join(unitDir, u)); err != nil && !errors.Is(err, os.ErrExist) {
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
