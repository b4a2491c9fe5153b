package binaries

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// recipe changes whenever the way of building does, so that old cache entries are not used.
const recipe = "1"

// Program is one program of Kubernetes in one version.
type Program struct {
	Name    string // directory below cmd/ of k8s.io/kubernetes: kubelet, kube-apiserver
	Version string // release, with the v: v1.30.14
}

func (p Program) String() string { return p.Name + " " + p.Version }

// Builder builds programs into a cache directory.
type Builder struct {
	Dir string // cache directory; created if missing
}

// Build returns the path of the program, from the cache if it is there. An error names the program that could not be
// built and has the last lines of the go command's output.
func (b Builder) Build(ctx context.Context, p Program) (path string, built bool, err error) {
	goVersion, err := run(ctx, "", nil, "go", "env", "GOVERSION")
	if err != nil {
		return "", false, fmt.Errorf("build %s: %w", p, err)
	}
	path = b.cachePath(p, strings.TrimSpace(string(goVersion)))
	if _, err := os.Stat(path); err == nil {
		return path, false, nil
	}
	if err := b.build(ctx, p, path); err != nil {
		return "", false, fmt.Errorf("build %s: %w", p, err)
	}
	return path, true, nil
}

// cachePath names the cache entry by everything that determines its content.
func (b Builder) cachePath(p Program, goVersion string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{recipe, goVersion, p.Name, p.Version}, "\x00")))
	return filepath.Join(b.Dir, fmt.Sprintf("%s-%s-%s", p.Name, p.Version, hex.EncodeToString(sum[:4])))
}

func (b Builder) build(ctx context.Context, p Program, path string) error {
	if err := os.MkdirAll(b.Dir, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp(b.Dir, "build-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)

	if _, err := Prepare(ctx, work, p.Version); err != nil {
		return err
	}
	// Built next to its final place and renamed, so that an interrupted build never looks like a cache entry.
	out := filepath.Join(work, "program")
	if err := Compile(ctx, work, p.Version, kubernetesModule+"/cmd/"+p.Name, out); err != nil {
		return err
	}
	return os.Rename(out, path)
}

// Prepare writes into the directory dir a module that requires one release of Kubernetes, so that packages of that
// release can be built and imported there, and returns the directory of the release's own source (read-only).
func Prepare(ctx context.Context, dir, release string) (source string, err error) {
	source, err = download(ctx, dir, kubernetesModule, release)
	if err != nil {
		return "", err
	}
	edited, err := run(ctx, dir, nil, "go", "mod", "edit", "-json", filepath.Join(source, "go.mod"))
	if err != nil {
		return "", err
	}
	upstream, err := parseModule(edited)
	if err != nil {
		return "", err
	}
	mod, err := moduleFile(upstream, release)
	if err != nil {
		return "", err
	}
	files := emptyModules(upstream)
	files["go.mod"] = mod
	for name, content := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return "", err
		}
	}
	return source, nil
}

// Compile builds the main package pkg in the module that Prepare made in dir, stamped with the release, as the file
// out.
func Compile(ctx context.Context, dir, release, pkg, out string) error {
	_, err := run(ctx, dir, buildEnv(), "go", "build", "-ldflags", linkerFlags(release), "-o", out, pkg)
	return err
}

// CompileWith builds the main package in dir, a separate module, as the file out with one Go toolchain: "local" or a
// version such as go1.21.13, which the go command fetches.
func CompileWith(ctx context.Context, dir, toolchain, out string) error {
	_, err := run(ctx, dir, append(buildEnv(), "GOTOOLCHAIN="+toolchain), "go", "build", "-ldflags=-s -w", "-o", out, ".")
	return err
}

// Download fetches a module of one version into the module cache and returns its directory, which is read-only.
func Download(ctx context.Context, module, version string) (string, error) {
	return download(ctx, os.TempDir(), module, version)
}

// CompileTest builds the tests of package pkg in the module that Prepare made in dir as the program out.
func CompileTest(ctx context.Context, dir, pkg, out string) error {
	_, err := run(ctx, dir, buildEnv(), "go", "test", "-c", "-o", out, pkg)
	return err
}

// linkerFlags stamp the version: without it a kubelet reports v0.0.0-master and the API server serves the wrong set of
// features.
func linkerFlags(release string) string {
	minor := strings.Split(strings.TrimPrefix(release, "v1."), ".")[0]
	const at = "-X k8s.io/component-base/version."
	return strings.Join([]string{"-s -w", at + "gitVersion=" + release, at + "gitMajor=1", at + "gitMinor=" + minor}, " ")
}

// buildEnv returns the environment of builds. Kubernetes' own modules are exempt from the checksum database, because
// some of their versions were never recorded there; all their dependencies are checked as usual.
func buildEnv() []string {
	return []string{"CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GONOSUMDB=k8s.io/*", "GOWORK=off"}
}

func download(ctx context.Context, dir, module, version string) (string, error) {
	out, err := run(ctx, dir, buildEnv(), "go", "mod", "download", "-json", module+"@"+version)
	if err != nil {
		return "", err
	}
	var got struct{ Dir, Error string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", fmt.Errorf("read go mod download: %w", err)
	}
	if got.Error != "" {
		return "", errors.New(got.Error)
	}
	return got.Dir, nil
}

// run returns stdout; an error has the end of stderr, where the go command gives the reason.
func run(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", name, args[0], err, lastLines(stderr.String()+stdout.String(), 5))
	}
	return stdout.Bytes(), nil
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
