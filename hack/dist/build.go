package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// platforms are those of the Krew manifest.
var platforms = []string{"linux/amd64", "linux/arm64", "linux/arm", "darwin/amd64", "darwin/arm64", "windows/amd64",
	"windows/arm64"}

// built compiles the wanted platforms, OS/ARCH, that have no binary, in the folder source.
func built(source, work, version, image string, wanted []string) ([]string, error) {
	link := "-s -w -buildid= -X main.version=" + version
	if image != "" {
		link += " -X main.collectorImage=" + image
	}
	var out []string
	for _, one := range wanted {
		if strings.Contains(one, "=") {
			out = append(out, one)
			continue
		}
		system, arch, ok := strings.Cut(one, "/")
		if !ok {
			return nil, fmt.Errorf("pack release: %q is not OS/ARCH or OS/ARCH=BINARY", one)
		}
		binary := filepath.Join(work, system+"-"+arch)
		c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+link, "-o", binary,
			"./cmd/"+program)
		c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
		c.Dir, c.Stderr = source, os.Stderr
		if err := c.Run(); err != nil {
			return nil, fmt.Errorf("build %s: %w", one, err)
		}
		out = append(out, one+"="+binary)
	}
	return out, nil
}

// git returns the first line of the output, or the default if there is no repository.
func git(otherwise string, args ...string) string {
	out, err := exec.Command("git", args...).Output()
	if line, _, _ := strings.Cut(string(out), "\n"); err == nil && line != "" {
		return line
	}
	return otherwise
}

// described returns the version of the commit: its tag, or a pre-release of v0.0.0.
func described() string {
	return git("v0.0.0-"+git("devel", "rev-parse", "--short=12", "HEAD"), "describe", "--tags", "--exact-match")
}

// twice builds each platform here and in a copy of the source in another folder, with a separate build cache, which
// takes minutes each: the bytes must be the same.
func twice(version string, wanted []string) (err error) {
	work, err := os.MkdirTemp("", "dist-check-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	copied := filepath.Join(work, "source")
	c := exec.Command("bash", "-c",
		`set -euo pipefail; mkdir "$0"; git ls-files -z -co --exclude-standard | xargs -0 cp --parents -t "$0"`, copied)
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("copy the source: %w", err)
	}
	sums := func(source, name string) (out []string, err error) {
		all, err := built(source, filepath.Join(work, name), version, "", wanted)
		for _, one := range all {
			platform, file, _ := strings.Cut(one, "=")
			binary, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			out = append(out, fmt.Sprintf("%x  %s", sha256.Sum256(binary), platform))
		}
		return out, err
	}
	first, err := sums(".", "first")
	if err != nil {
		return err
	}
	if err := os.Setenv("GOCACHE", filepath.Join(work, "gocache")); err != nil {
		return err
	}
	second, err := sums(copied, "second")
	if err != nil {
		return err
	}
	for i := range first {
		if first[i] != second[i] {
			return fmt.Errorf("build twice: the same source gave %s and %s", first[i], second[i])
		}
	}
	fmt.Printf("dist-check: built twice in two folders: %d binaries, the same bytes\n", len(first))
	return nil
}

// committed returns when the commit was made, in seconds since 1970.
func committed() int64 {
	at, err := strconv.ParseInt(git("0", "log", "-1", "--format=%ct"), 10, 64)
	if err != nil {
		return 0
	}
	return at
}
