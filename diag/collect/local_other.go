//go:build !linux

package collect

import (
	"context"

	"github.com/restartwhy/kubectl-restartwhy/diag"
)

// Read returns ErrNotLinux: a node's sources need Linux.
func (l *Local) Read(context.Context, Listener) (string, diag.Collection, error) {
	return "", diag.Collection{}, ErrNotLinux
}
