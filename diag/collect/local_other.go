//go:build !linux

package collect

import (
	"context"

	"github.com/restartwhy/kubectl-restartwhy/diag"
)

// Read reads nothing: a node's sources are Linux's.
func (l *Local) Read(context.Context, Listener) (string, diag.Collection, error) {
	return "", diag.Collection{}, ErrNotLinux
}
