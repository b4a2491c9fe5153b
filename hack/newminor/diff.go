package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/read"
)

// show prints each function that changed as diff(1) does. It fetches the older release for that: an inventory has no
// source.
func show(ctx context.Context, out io.Writer, before, now *inventory.Inventory,
	dirs map[string]string, get sources) error {
	_, old, err := get(ctx, before.Version)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "newminor")
	if err != nil {
		return fmt.Errorf("show functions: %w", err)
	}
	defer os.RemoveAll(work)
	for _, part := range modelled.Parts {
		was, had := before.Functions[part.Key()]
		is, has := now.Functions[part.Key()]
		if !had && !has || was.Hash == is.Hash {
			continue
		}
		var files []string
		for _, side := range []struct {
			version string
			dirs    map[string]string
			f       inventory.Function
		}{{before.Version, old, was}, {now.Version, dirs, is}} {
			text := ""
			if side.f.File != "" {
				text = read.Source(side.dirs, part.Key(), side.f)
			}
			file := filepath.Join(work, side.version)
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				return fmt.Errorf("show functions: %w", err)
			}
			files = append(files, file)
		}
		cmd := exec.CommandContext(ctx, "diff", "-u", "--label", before.Version, "--label", now.Version, files[0], files[1])
		text, err := cmd.Output()
		var differ *exec.ExitError
		if err != nil && !errors.As(err, &differ) {
			return fmt.Errorf("show functions: %w", err)
		}
		fmt.Fprintf(out, "\n%s (ours: %s %s)\n%s", part.Key(), part.File, part.Func, text)
	}
	return nil
}
