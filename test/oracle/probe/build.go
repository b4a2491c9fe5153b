package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/binaries"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

//go:embed driver/*.txt
var drivers embed.FS

// build returns the path of the driver for a release, from the cache directory if it is there. The worker is not
// exported, so the driver has to be in its package: a test in a copy of the kubelet's package prober. Everything else
// comes from the release's modules.
func build(ctx context.Context, cache, release string, minor int) (string, error) {
	files, err := sources(minor)
	if err != nil {
		return "", err
	}
	path, err := peer.Build(cache, fileName(release, files), func(work, out string) error {
		return compile(ctx, work, release, files, out)
	})
	if err != nil {
		return "", fmt.Errorf("build probe driver %s: %w", release, err)
	}
	return path, nil
}

func fileName(release string, files [3][]byte) string {
	sum := sha256.New()
	fmt.Fprint(sum, runtime.Version())
	for _, content := range files {
		sum.Write(content)
	}
	return "probe-" + release + "-" + hex.EncodeToString(sum.Sum(nil)[:4])
}

// sources returns our files for a minor version: the drivers of workers and of pods, and what differs between versions.
func sources(minor int) (files [3][]byte, err error) {
	adapter := "adapter-20"
	switch {
	case minor >= 35:
		adapter = "adapter-36"
	case minor >= 28:
		adapter = "adapter-30"
	}
	for i, name := range []string{"driver", adapter, "pods"} {
		if files[i], err = drivers.ReadFile("driver/" + name + "_test.go.txt"); err != nil {
			return files, err
		}
	}
	return files, nil
}

func compile(ctx context.Context, work, release string, files [3][]byte, out string) error {
	upstream, err := binaries.Prepare(ctx, work, release)
	if err != nil {
		return err
	}
	pkg := filepath.Join(work, "prober")
	if err := peer.CopyPackage(filepath.Join(upstream, "pkg", "kubelet", "prober"), pkg); err != nil {
		return err
	}
	for i, content := range files {
		if err := os.WriteFile(filepath.Join(pkg, fmt.Sprintf("oracle%d_test.go", i)), content, 0o644); err != nil {
			return err
		}
	}
	return binaries.CompileTest(ctx, work, "./prober", out)
}

// ask runs a test of the driver over questions and reads what its real side did, one answer for each.
func ask[Q, A any](ctx context.Context, driver, test string, questions []Q) ([]A, error) {
	dir, err := os.MkdirTemp("", "oracle-probe-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "cases"), filepath.Join(dir, "behaviour")
	var b bytes.Buffer
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			return nil, err
		}
		b.Write(append(line, '\n'))
	}
	if err := os.WriteFile(in, b.Bytes(), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, driver, "-test.run", "^"+test+"$", "-test.timeout", "30m")
	// randseednop=0: the driver seeds the jitter, which Go otherwise leaves random. asynctimerchan=0: the fake clock
	// needs today's timers, however old the release's module is.
	cmd.Env = append(os.Environ(), "GODEBUG=randseednop=0,asynctimerchan=0", "CASES="+in, "BEHAVIOUR="+out)
	if said, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("run %s: %w: %s", filepath.Base(driver), err, said[max(0, len(said)-2000):])
	}
	content, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	var all []A
	for d := json.NewDecoder(bytes.NewReader(content)); d.More(); {
		var one A
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("read answer %d: %w", len(all), err)
		}
		all = append(all, one)
	}
	if len(all) != len(questions) {
		return nil, fmt.Errorf("read answers: %d of %d", len(all), len(questions))
	}
	return all, nil
}
