package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet/probe/probevector"
)

//go:embed driver/*.txt
var drivers embed.FS

// prober is the kubelet's package that holds the worker.
const prober = "pkg/kubelet/prober"

// build makes a test binary of the kubelet's prober package with the driver in
// it. The worker is not exported, so the driver has to be in its package, and
// the module cache may not be written: hence the copy.
func build(ctx context.Context, cache, release string, minor int) (string, error) {
	dir, err := filepath.Abs(filepath.Join(cache, release))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	source, err := download(ctx, dir, release)
	if err != nil {
		return "", err
	}
	if err := throwAwayModule(ctx, dir, source, release); err != nil {
		return "", err
	}
	tree := filepath.Join(dir, "kubernetes")
	if _, err := os.Stat(filepath.Join(tree, "go.mod")); err != nil {
		if err := copySource(tree, source); err != nil {
			return "", fmt.Errorf("copy kubernetes %s: %w", release, err)
		}
	}
	old, err := filepath.Glob(filepath.Join(tree, prober, "*_test.go"))
	if err != nil {
		return "", err
	}
	for _, path := range old {
		if err := os.Remove(path); err != nil {
			return "", err
		}
	}
	adapter := "adapter-20"
	switch {
	case minor >= 35:
		adapter = "adapter-36"
	case minor >= 28:
		adapter = "adapter-30"
	}
	for _, name := range []string{"driver", adapter} {
		content, err := drivers.ReadFile("driver/" + name + "_test.go.txt")
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(tree, prober, "oracle_"+strings.ReplaceAll(name, "-", "_")+"_test.go"), content, 0o644); err != nil {
			return "", err
		}
	}
	binary := filepath.Join(dir, "prober.test")
	_, err = command(ctx, dir, "go", "test", "-trimpath", "-c", "-o", binary, "k8s.io/kubernetes/"+prober)
	return binary, err
}

func download(ctx context.Context, dir, release string) (string, error) {
	out, err := command(ctx, os.TempDir(), "go", "mod", "download", "-json", "k8s.io/kubernetes@"+release)
	if err != nil {
		return "", fmt.Errorf("download kubernetes %s: %w", release, err)
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

// throwAwayModule writes a go.mod in which the copy stands for kubernetes, and
// the published modules for the directories of its staging area.
func throwAwayModule(ctx context.Context, dir, source, release string) error {
	edit, err := command(ctx, dir, "go", "mod", "edit", "-json", filepath.Join(source, "go.mod"))
	if err != nil {
		return err
	}
	var up struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(edit, &up); err != nil {
		return fmt.Errorf("read go.mod of kubernetes %s: %w", release, err)
	}
	staging := "v0." + strings.TrimPrefix(release, "v1.")
	var require, replace strings.Builder
	fmt.Fprintf(&require, "\tk8s.io/kubernetes %s\n", release)
	fmt.Fprintf(&replace, "replace k8s.io/kubernetes => ./kubernetes\n")
	for _, r := range up.Require {
		version := r.Version
		switch name, sample := strings.CutPrefix(r.Path, "k8s.io/sample-"); {
		case sample:
			// No package of the kubelet imports them, and mirrors lack them.
			empty := filepath.Join(dir, "empty", name)
			if err := os.MkdirAll(empty, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(empty, "go.mod"), []byte("module "+r.Path+"\n"), 0o644); err != nil {
				return err
			}
			fmt.Fprintf(&replace, "replace %s => ./empty/%s\n", r.Path, name)
		case r.Version == "v0.0.0" && strings.HasPrefix(r.Path, "k8s.io/"):
			version = staging
			fmt.Fprintf(&replace, "replace %s => %s %s\n", r.Path, r.Path, staging)
		}
		fmt.Fprintf(&require, "\t%s %s\n", r.Path, version)
	}
	text := "module oracle.local/probe\n\ngo 1.26\n\nrequire (\n" + require.String() + ")\n\n" + replace.String()
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644)
}

// copySource copies the Go files that a build may need. The directory gets its
// go.mod last, which marks the copy as whole.
func copySource(tree, source string) error {
	for _, part := range []string{"pkg", "cmd", "plugin", "third_party", "api"} {
		err := filepath.WalkDir(filepath.Join(source, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			inside, err := filepath.Rel(source, path)
			if err != nil {
				return err
			}
			target := filepath.Join(tree, inside)
			if d.IsDir() {
				return os.MkdirAll(target, 0o755)
			}
			return copyFile(target, path)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return copyFile(filepath.Join(tree, "go.mod"), filepath.Join(source, "go.mod"))
}

func copyFile(to, from string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// play runs the driver over the cases and reads what their worker did.
func play(ctx context.Context, driver string, cases []probevector.Case) ([]probevector.Behaviour, error) {
	dir, err := os.MkdirTemp("", "oracle-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "cases"), filepath.Join(dir, "behaviour")
	var b bytes.Buffer
	for _, c := range cases {
		line, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(in, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	// randseednop=0: the driver seeds the jitter, which Go else leaves random.
	if _, err := command(ctx, dir, "env", "GODEBUG=randseednop=0", "CASES="+in, "BEHAVIOUR="+out,
		driver, "-test.run", "^TestOracle$", "-test.timeout", "30m"); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var all []probevector.Behaviour
	for d := json.NewDecoder(bytes.NewReader(content)); d.More(); {
		var one probevector.Behaviour
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("read behaviour %d: %w", len(all), err)
		}
		all = append(all, one)
	}
	if len(all) != len(cases) {
		return nil, fmt.Errorf("read behaviour: %d of %d cases", len(all), len(cases))
	}
	return all, nil
}

func command(ctx context.Context, dir, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	// Kubernetes' own modules are exempt from the checksum database, because some
	// of their versions were never recorded there.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=mod", "GONOSUMDB=k8s.io/*", "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(stdout.String() + stderr.String())
		return nil, fmt.Errorf("%s %s: %w: %s", name, args[0], err, text[max(0, len(text)-2000):])
	}
	return stdout.Bytes(), nil
}
