package collect

import (
	"errors"
	"slices"
	"time"
)

// Local selects a node to read directly, and what to read of it.
type Local struct {
	// Root is the root directory of the node's file system: "/", or where it is mounted.
	Root string
	// Node is its name; "" for the one that its kubelet uses.
	Node string
	// Since is how far back logs are read.
	Since time.Time
	// Only restricts to some of LocalSources; all if empty.
	Only []string
}

// The reasons why a node cannot be read from here.
var (
	ErrNoRoot   = errors.New("not a directory")
	ErrNotLinux = errors.New("this machine does not run Linux")
	ErrNoName   = errors.New("this machine's name is not valid for a node")
)

// LocalSources returns the names of a node's sources.
func LocalSources() []string {
	return []string{"host", "journal", "cri", "cgroup", "systemd", "kubelet", "packages", "logfiles", "kernel"}
}

// wants reports whether a source is to be read.
func (l *Local) wants(source string) bool { return len(l.Only) == 0 || slices.Contains(l.Only, source) }
