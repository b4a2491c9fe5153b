// Package driver builds, for one release of Kubernetes, a program that answers cases with the release's own
// computePodActions and PodSandboxChanged. These are not exported; so only the release's package kuberuntime is copied
// into a temporary module along with one file of ours, and everything else is an ordinary dependency.
//
// It may import test/internal/binaries and runs the go command. It does not use our own decision.
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
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

// source is the file that is added to package kuberuntime; the minor version decides which of its parts are used.
//
//go:embed driver.go.tmpl
var source string

const mainFile = `package main

import (
	"log"
	"os"

	"lab.local/build/kuberuntime"
)

func main() {
	if err := kuberuntime.Answer(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
`

// Build returns the path of the driver for a release such as v1.30.14, from the cache directory dir if it is there.
func Build(ctx context.Context, dir, release string) (path string, err error) {
	text, err := render(release)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(runtime.Version() + mainFile + text))
	path, err = peer.Build(dir, "decision-"+release+"-"+hex.EncodeToString(sum[:4]), func(work, out string) error {
		return compile(ctx, work, release, text, out)
	})
	if err != nil {
		return "", fmt.Errorf("build decision driver %s: %w", release, err)
	}
	return path, nil
}

func compile(ctx context.Context, work, release, text, out string) error {
	upstream, err := binaries.Prepare(ctx, work, release)
	if err != nil {
		return err
	}
	pkg := filepath.Join(work, "kuberuntime")
	if err := peer.CopyPackage(filepath.Join(upstream, "pkg", "kubelet", "kuberuntime"), pkg); err != nil {
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
	return binaries.Compile(ctx, work, release, ".", out)
}

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
