// Package driver builds, for one release of Kubernetes, a program that answers cases with the release's own
// computePodActions and PodSandboxChanged. These are not exported; so the release's package kuberuntime, and it alone,
// is copied into a throw-away module beside one file of ours, and everything else is an ordinary requirement.
//
// It may import test/internal/binaries and runs the go command. Our own decision never enters.
package driver

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"text/template"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/binaries"
)

// source is the file that joins package kuberuntime; the minor decides which of its parts stand.
//
//go:embed driver.go.tmpl
var source string

const mainFile = `package main

import (
	"log"
	"os"
	"time"

	"lab.local/build/kuberuntime"
)

func main() {
	var err error
	if len(os.Args) > 1 && os.Args[1] == "time" {
		err = kuberuntime.Time(os.Stdin, os.Stdout, time.Second/2)
	} else {
		err = kuberuntime.Answer(os.Stdin, os.Stdout)
	}
	if err != nil {
		log.Fatal(err)
	}
}
`

// Build returns the path of the driver for a release such as v1.30.14, from the cache directory dir where it is there.
func Build(ctx context.Context, dir, release string) (path string, err error) {
	text, err := render(release)
	if err != nil {
		return "", err
	}
	// The go command works in another directory.
	if dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("build decision driver %s: %w", release, err)
	}
	sum := sha256.Sum256([]byte(runtime.Version() + mainFile + text))
	path = filepath.Join(dir, "decision-"+release+"-"+hex.EncodeToString(sum[:4]))
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := build(ctx, dir, release, text, path); err != nil {
		return "", fmt.Errorf("build decision driver %s: %w", release, err)
	}
	return path, nil
}

func build(ctx context.Context, dir, release, text, path string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	upstream, err := binaries.Prepare(ctx, work, release)
	if err != nil {
		return err
	}
	pkg := filepath.Join(work, "kuberuntime")
	if err := copyPackage(filepath.Join(upstream, "pkg", "kubelet", "kuberuntime"), pkg); err != nil {
		return err
	}
	for name, content := range map[string]string{
		filepath.Join(pkg, "zz_oracle.go"): text,
		filepath.Join(work, "main.go"):     mainFile,
	} {
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	out := filepath.Join(work, "program")
	if err := binaries.Compile(ctx, work, release, ".", out); err != nil {
		return err
	}
	return os.Rename(out, path)
}

// copyPackage copies the Go files of one directory, without its tests and the fakes that only tests need.
func copyPackage(from, to string) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "fake_") {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// render writes our file for one release.
func render(release string) (string, error) {
	parts := strings.Split(release, ".")
	if len(parts) != 3 || parts[0] != "v1" {
		return "", fmt.Errorf("read release %q: want v1.<minor>.<patch>", release)
	}
	minor, err := strconv.Atoi(parts[1])
	if err != nil {
		return "", fmt.Errorf("read release %q: %w", release, err)
	}
	t, err := template.New("driver").Parse(source)
	if err != nil {
		return "", fmt.Errorf("read driver template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, struct{ Minor int }{minor}); err != nil {
		return "", fmt.Errorf("render driver for %s: %w", release, err)
	}
	return out.String(), nil
}
