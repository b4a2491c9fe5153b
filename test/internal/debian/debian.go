// Package debian gets programs out of Debian's packages without installing them.
//
// It may import only the standard library, and runs apt-get and dpkg.
package debian

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Program returns the path of a program of a package: the installed one, or else the one that it unpacks below work
// once. The package comes from the machine's apt sources; its dependencies are not unpacked.
func Program(ctx context.Context, work, pkg, program string) (string, error) {
	if p, err := exec.LookPath(program); err == nil {
		return p, nil
	}
	path := filepath.Join(work, "root", "usr", "bin", program)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := unpack(ctx, work, pkg); err != nil {
		return "", fmt.Errorf("get %s of Debian's %s: %w", program, pkg, err)
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("get %s of Debian's %s: %w", program, pkg, err)
	}
	return path, nil
}

func unpack(ctx context.Context, work, pkg string) error {
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	for _, args := range [][]string{{"apt-get", "update", "-qq"}, {"apt-get", "download", "-qq", pkg}} {
		if err := Run(ctx, work, args...); err != nil {
			return err
		}
	}
	found, err := filepath.Glob(filepath.Join(work, pkg+"_*.deb"))
	if err != nil || len(found) == 0 {
		return errors.New("apt-get download left no package")
	}
	return Run(ctx, work, "dpkg", "-x", filepath.Base(found[0]), "root")
}

// Run runs a program in a directory. Its error has the end of what the program printed.
func Run(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("run %s: %w: %s", args[0], err, out[max(0, len(out)-300):])
	}
	return nil
}
