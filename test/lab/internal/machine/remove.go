package machine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/test/lab/internal/ledger"
)

// Remove ends every process of the ledger and undoes every change, in reverse order, continuing after failures. The
// error has what it could not undo, which stays in the ledger's file only if the caller keeps it.
func Remove(ctx context.Context, book *ledger.Ledger) error {
	var problems []error
	b := book.Book()

	// A node's PID 1 goes before its nspawn: the other way round it would be left without a parent. Everything in its
	// process namespace ends with it.
	slices.Reverse(b.Processes)
	for _, p := range b.Processes {
		signals := []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL}
		if strings.HasPrefix(p.Name, "init-") {
			signals = signals[1:]
		}
		if err := p.End(ctx, 10*time.Second, signals...); err != nil {
			problems = append(problems, err)
		}
	}
	for _, name := range b.Cgroups {
		if err := emptyCgroup(ctx, name); err != nil {
			problems = append(problems, err)
		}
	}
	for _, link := range b.Links {
		if _, err := os.Stat(filepath.Join("/sys/class/net", link)); err != nil {
			continue
		}
		if out, err := exec.CommandContext(ctx, "ip", "link", "delete", link).CombinedOutput(); err != nil {
			problems = append(problems, fmt.Errorf("delete link %s: %w: %s", link, err, tail(out)))
		}
	}
	for path, value := range b.Sysctls {
		if err := os.WriteFile(filepath.Join("/proc/sys", path), []byte(value), 0o644); err != nil {
			problems = append(problems, fmt.Errorf("put back %s: %w", path, err))
		}
	}
	return errors.Join(problems...)
}

// emptyCgroup kills what is left in a cgroup of the lab and removes it in every hierarchy. Only a node that died before
// its PID 1 was recorded has anything left there; its processes are found by their membership.
func emptyCgroup(ctx context.Context, name string) error {
	all, err := hierarchies()
	if err != nil {
		return fmt.Errorf("remove cgroup %s: %w", name, err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for _, h := range all {
		top := filepath.Join(cgroupMount, h, name)
		for {
			dirs := subdirectories(top)
			if len(dirs) == 0 {
				break
			}
			var last error
			for _, dir := range slices.Backward(dirs) { // deepest first
				for _, pid := range members(dir) {
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
				if err := syscall.Rmdir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
					last = fmt.Errorf("remove cgroup %s: %w", dir, err)
				}
			}
			if last == nil {
				break
			}
			if time.Now().After(deadline) {
				return last
			}
			if err := Pause(ctx, 100*time.Millisecond); err != nil {
				return last
			}
		}
	}
	return nil
}

// subdirectories lists a directory and all below it, parents first.
func subdirectories(top string) []string {
	var out []string
	_ = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			out = append(out, path)
		}
		return nil
	})
	return out
}

func members(dir string) []int {
	raw, err := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
	if err != nil {
		return nil
	}
	var out []int
	for _, f := range strings.Fields(string(raw)) {
		// 0 means a process outside the reader's process namespace.
		if pid, err := strconv.Atoi(f); err == nil && pid > 1 {
			out = append(out, pid)
		}
	}
	return out
}
