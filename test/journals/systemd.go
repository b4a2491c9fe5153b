package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// systemd holds the programs of one release, run with their own libraries.
type systemd struct {
	suite, version     string
	loader             []string // ld.so with the path of the libraries
	remote, journalctl string
}

func unpack(ctx context.Context, suite, work string) (*systemd, error) {
	work, err := filepath.Abs(work)
	if err != nil {
		return nil, err
	}
	root := filepath.Join(work, suite)
	if _, err := os.Stat(root); errors.Is(err, fs.ErrNotExist) {
		if err := download(ctx, suite, root); err != nil {
			return nil, errors.Join(err, os.RemoveAll(root))
		}
	}
	t := &systemd{suite: suite}
	libraries := map[string]bool{}
	var ld string
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case name == "systemd-journal-remote" && strings.HasSuffix(filepath.Dir(p), "lib/systemd"):
			t.remote = p
		case name == "journalctl" && strings.HasSuffix(filepath.Dir(p), "bin"):
			t.journalctl = p
		case strings.HasPrefix(name, "ld-linux-") && (ld == "" || d.Type().IsRegular()):
			ld = p
		case strings.Contains(name, ".so"):
			libraries[filepath.Dir(p)] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if t.remote == "" || t.journalctl == "" || ld == "" {
		return nil, fmt.Errorf("find its programs below %s: not there", root)
	}
	t.loader = []string{ld, "--library-path", strings.Join(slices.Sorted(maps.Keys(libraries)), ":")}
	out, err := t.command(ctx, nil, t.journalctl, "--version").Output()
	first, _, _ := strings.Cut(string(out), "\n")
	t.version = first
	return t, err
}

// download fetches the packages with a separate apt state: the machine's lists and packages stay as they are.
func download(ctx context.Context, suite, root string) error {
	apt, err := os.MkdirTemp("", "journals-apt-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(apt) }() // temporary
	for _, d := range []string{"lists/partial", "archives/partial"} {
		if err := os.MkdirAll(filepath.Join(apt, d), 0o755); err != nil {
			return err
		}
	}
	const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
	source := "deb [signed-by=" + keyring + "] http://deb.debian.org/debian " + suite + " main\n"
	for name, data := range map[string]string{"sources.list": source, "status": ""} {
		if err := os.WriteFile(filepath.Join(apt, name), []byte(data), 0o644); err != nil {
			return err
		}
	}
	options := []string{"-qq", "-o", "Dir::Etc::sourcelist=" + apt + "/sources.list",
		"-o", "Dir::Etc::sourceparts=/dev/null",
		"-o", "Dir::Etc::preferencesparts=/dev/null", "-o", "Dir::State::lists=" + apt + "/lists", "-o", "Dir::Cache=" + apt,
		"-o", "Dir::State::status=" + apt + "/status", "-o", "Dir::Cache::archives=" + apt + "/archives"}
	for _, args := range [][]string{{"update"}, {"install", "-y", "--no-install-recommends",
		"--download-only", "systemd", "systemd-journal-remote"}} {
		if err := quietly(exec.CommandContext(ctx, "apt-get", append(options, args...)...)); err != nil {
			return err
		}
	}
	packages, err := filepath.Glob(apt + "/archives/*.deb")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	for _, p := range packages {
		if err := quietly(exec.CommandContext(ctx, "dpkg", "-x", p, root)); err != nil {
			return err
		}
	}
	for _, d := range []string{"usr/share", "usr/lib/firmware"} {
		if err := os.RemoveAll(filepath.Join(root, d)); err != nil {
			return err
		}
	}
	return nil
}

// quietly runs a command; if it fails, its output becomes the error.
func quietly(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("run %s: %w: %s", filepath.Base(cmd.Path), err, lines[len(lines)-1])
	}
	return nil
}

func (t *systemd) command(ctx context.Context, env []string, program string, args ...string) *exec.Cmd {
	words := append(append(append([]string{}, t.loader...), program), args...)
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = append(append(os.Environ(), "LC_ALL=C", "TZ=UTC"), env...)
	return cmd
}

func (t *systemd) write(ctx context.Context, env []string, path string, export io.Reader) error {
	cmd := t.command(ctx, env, t.remote, "-o", path, "-")
	cmd.Stdin = export
	return quietly(cmd)
}

func (t *systemd) read(ctx context.Context, path string, args ...string) ([]byte, error) {
	where := "--file"
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.IsDir() {
		where = "--directory"
	}
	cmd := t.command(ctx, nil, t.journalctl, append([]string{where, path, "--no-pager"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run journalctl on %s: %w: %s", path, err, strings.TrimSpace(stderr.String()))
	}
	return out, nil
}
