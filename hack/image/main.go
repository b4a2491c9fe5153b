// Command image builds the image of the collector pod, which contains only this binary, and writes next to the archive
// the reference with which a release pins it:
//
//	image -name ghcr.io/restartwhy/kubectl-restartwhy:v0.1.0 -o image.tar -ref image.ref amd64 arm64
//
// It uses no registry and no container runtime. The binary inside does not know the image: it cannot know its own
// digest.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/oci"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("image", flag.ContinueOnError)
	name := flags.String("name", "", "reference with a tag")
	out := flags.String("o", "", "archive to write")
	ref := flags.String("ref", "", "file for the reference, NAME@DIGEST")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *name == "" || *out == "" || flags.NArg() == 0 {
		return fmt.Errorf("pack image: want -name REF:TAG -o FILE -ref FILE ARCH…")
	}
	repository, tag, _ := strings.Cut(path.Base(*name), ":")
	img := oci.Image{Name: *name, Program: "/" + repository, Labels: map[string]string{
		"org.opencontainers.image.title": repository, "org.opencontainers.image.version": tag,
		"org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.source":   "https://github.com/restartwhy/kubectl-restartwhy"}}
	for _, arch := range flags.Args() {
		binary, err := built(arch, tag)
		if err != nil {
			return fmt.Errorf("build image for %s: %w", arch, err)
		}
		img.Platforms = append(img.Platforms, oci.Platform{OS: "linux", Arch: arch, Binary: binary})
	}
	var archive bytes.Buffer
	digest, err := oci.Write(&archive, img)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(*out), 0o755); err != nil {
		return fmt.Errorf("pack image: %w", err)
	}
	if err := os.WriteFile(*out, archive.Bytes(), 0o644); err != nil {
		return fmt.Errorf("pack image: %w", err)
	}
	pinned := fmt.Sprintf("%s@%s\n", strings.TrimSuffix(*name, ":"+tag), digest)
	fmt.Printf("image: %s, %d MiB, %s", *out, archive.Len()>>20, pinned)
	return os.WriteFile(*ref, []byte(pinned), 0o644)
}

func built(arch, version string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "image-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "binary")
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags=-s -w -buildid= -X main.version="+version, "-o", binary, "./cmd/kubectl-restartwhy")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return nil, err
	}
	return os.ReadFile(binary)
}
