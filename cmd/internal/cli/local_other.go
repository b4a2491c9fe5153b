//go:build !linux

package cli

import (
	"context"
	"errors"

	"github.com/restartwhy/kubectl-restartwhy/diag"
)

// localNode reads nothing: a node's sources are Linux's.
func localNode(context.Context, local, *progress) (string, diag.Collection, error) {
	return "", diag.Collection{}, hint(errors.New("collect --local: this machine does not run Linux"),
		"run it on the node itself")
}
