package main

import (
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

// built compiles the wanted platforms, OS/ARCH, that have no binary.
func built(work, version, image string, wanted []string) ([]string, error) {
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
		c.Stderr = os.Stderr
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

// committed returns when the commit was made, in seconds since 1970.
func committed() int64 {
	at, err := strconv.ParseInt(git("0", "log", "-1", "--format=%ct"), 10, 64)
	if err != nil {
		return 0
	}
	return at
}
