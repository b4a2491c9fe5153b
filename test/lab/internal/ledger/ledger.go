// Package ledger records what a lab has started and changed on the machine, so that another process can undo it after
// the one that did it has died.
//
// It may import only the standard library. It records process ids together with their start time: an id that the kernel
// gave to another process since then is never signalled.
package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// Process is one process that the lab started.
type Process struct {
	Name       string `json:"name"`
	PID        int    `json:"pid"`
	StartTicks uint64 `json:"startTicks"` // field 22 of /proc/<pid>/stat
}

// Node is one machine of the lab.
type Node struct {
	Name    string `json:"name"`
	Kind    string `json:"kind,omitempty"` // Namespaced or Emulated, as package machine names it
	Index   int    `json:"index"`          // from 1; decides addresses
	Version string `json:"version"`        // release of the kubelet that runs now
	Init    int    `json:"init"`           // process id of the node's PID 1 or of its emulator, 0 until it is known
}

// Book is the content of the ledger.
type Book struct {
	Processes []Process         `json:"processes"` // in the order of their start
	Nodes     []Node            `json:"nodes"`
	Links     []string          `json:"links"`   // network links made on the host
	Cgroups   []string          `json:"cgroups"` // names below every cgroup v1 mount
	Sysctls   map[string]string `json:"sysctls"` // path below /proc/sys → value before the lab
}

// Ledger is a Book kept in a file. It is safe for concurrent use, even by several processes at once: upgrades of
// several nodes may run at the same time.
type Ledger struct {
	mu   sync.Mutex
	path string
	book Book
}

// Open reads the ledger at path; a missing file is an empty ledger.
func Open(path string) (*Ledger, error) {
	l := &Ledger{path: path}
	return l, l.read()
}

func (l *Ledger) read() error {
	raw, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read lab state: %w", err)
	}
	l.book = Book{}
	if err := json.Unmarshal(raw, &l.book); err != nil {
		return fmt.Errorf("read lab state %s: %w", l.path, err)
	}
	return nil
}

// Book returns a copy of the content.
func (l *Ledger) Book() Book {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.book
	b.Processes = append([]Process(nil), b.Processes...)
	b.Nodes = append([]Node(nil), b.Nodes...)
	b.Links = append([]string(nil), b.Links...)
	b.Cgroups = append([]string(nil), b.Cgroups...)
	return b
}

// Update changes the book and writes it to disk before it returns. The file is replaced in one step: a crash leaves the
// old book or the new one.
func (l *Ledger) Update(change func(*Book)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return fmt.Errorf("write lab state: %w", err)
	}
	lock, err := os.OpenFile(l.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("write lab state: %w", err)
	}
	defer lock.Close() // releases the lock
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("write lab state: lock: %w", err)
	}
	if err := l.read(); err != nil {
		return err
	}
	change(&l.book)
	raw, err := json.MarshalIndent(l.book, "", "  ")
	if err != nil {
		return fmt.Errorf("write lab state: %w", err)
	}
	next := l.path + ".next"
	if err := os.WriteFile(next, append(raw, '\n'), 0o600); err != nil {
		return fmt.Errorf("write lab state: %w", err)
	}
	if err := os.Rename(next, l.path); err != nil {
		return fmt.Errorf("write lab state: %w", err)
	}
	return nil
}

// UpdateNode changes one node of the book.
func (l *Ledger) UpdateNode(name string, change func(*Node)) error {
	return l.Update(func(b *Book) {
		for i := range b.Nodes {
			if b.Nodes[i].Name == name {
				change(&b.Nodes[i])
			}
		}
	})
}
