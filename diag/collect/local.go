package collect

import (
	"errors"
	"slices"
	"time"
)

// Local says which node to read from the node itself, and what of it.
type Local struct {
	// Root is the root directory of the node's file system: "/", or where it is mounted.
	Root string
	// Node is its name; "" for that which its kubelet uses.
	Node string
	// Since is how far back logs are read.
	Since time.Time
	// Only are names of LocalSources; all if empty.
	Only []string
}

// Why a node cannot be read from here.
var (
	ErrNoRoot   = errors.New("not a directory")
	ErrNotLinux = errors.New("this machine does not run Linux")
	ErrNoName   = errors.New("this machine's name is not valid for a node")
)

// LocalSources are the names of a node's sources.
func LocalSources() []string {
	return []string{"host", "journal", "cri", "cgroup", "systemd", "kubelet", "packages", "logfiles", "kernel"}
}

// wants reports whether a source is to be read.
func (l *Local) wants(source string) bool { return len(l.Only) == 0 || slices.Contains(l.Only, source) }
