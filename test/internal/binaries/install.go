package binaries

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is a program of a Go module that can be built alone, in one version.
type Module struct {
	Package string // of the program: github.com/containerd/containerd/v2/cmd/ctr
	Version string // of its module
	Stamp   string // the variable that its release sets to the version, without the v
}

func (m Module) String() string { return path.Base(m.Package) + " " + m.Version }

// Install returns the path of the program, from the cache if it is there.
func (b Builder) Install(ctx context.Context, m Module) (program string, built bool, err error) {
	goVersion, err := run(ctx, "", nil, "go", "env", "GOVERSION")
	if err != nil {
		return "", false, fmt.Errorf("build %s: %w", m, err)
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{recipe, strings.TrimSpace(string(goVersion)), m.Package, m.Version,
		m.Stamp}, "\x00")))
	name := path.Base(m.Package)
	program = filepath.Join(b.Dir, fmt.Sprintf("%s-%s-%s", name, m.Version, hex.EncodeToString(sum[:4])))
	if _, err := os.Stat(program); err == nil {
		return program, false, nil
	}
	if err := b.install(ctx, m, name, program); err != nil {
		return "", false, fmt.Errorf("build %s: %w", m, err)
	}
	return program, true, nil
}

func (b Builder) install(ctx context.Context, m Module, name, program string) error {
	if err := os.MkdirAll(b.Dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(b.Dir, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	flags := "-s -w -X " + m.Stamp + "=" + strings.TrimPrefix(m.Version, "v")
	// Outside of any module: go install uses the program's own versions of its dependencies.
	env := []string{"CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GOWORK=off", "GOBIN=" + work}
	if _, err := run(ctx, work, env, "go", "install", "-ldflags", flags, m.Package+"@"+m.Version); err != nil {
		return err
	}
	// Built next to its final place and renamed, like Kubernetes' programs.
	return os.Rename(filepath.Join(work, name), program)
}
