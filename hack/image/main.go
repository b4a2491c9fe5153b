// Command image packs built binaries into the image of the collector pod and
// prints the reference by which a release pins it:
//
//	image -name ghcr.io/restartwhy/kubectl-restartwhy:v0.1.0 -o image.tar linux/amd64=bin/a linux/arm64=bin/b
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path"
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
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *name == "" || *out == "" || flags.NArg() == 0 {
		return fmt.Errorf("pack image: want -name REF:TAG -o FILE OS/ARCH=BINARY…")
	}
	repository, tag, _ := strings.Cut(path.Base(*name), ":")
	img := oci.Image{Name: *name, Program: "/" + repository, Labels: map[string]string{
		"org.opencontainers.image.title": repository, "org.opencontainers.image.version": tag,
		"org.opencontainers.image.licenses": "Apache-2.0",
		"org.opencontainers.image.source":   "https://github.com/restartwhy/kubectl-restartwhy"}}
	for _, arg := range flags.Args() {
		platform, file, ok := strings.Cut(arg, "=")
		system, arch, ok2 := strings.Cut(platform, "/")
		if !ok || !ok2 {
			return fmt.Errorf("pack image: %q is not OS/ARCH=BINARY", arg)
		}
		binary, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("pack image: %w", err)
		}
		img.Platforms = append(img.Platforms, oci.Platform{OS: system, Arch: arch, Binary: binary})
	}
	var archive bytes.Buffer
	digest, err := oci.Write(&archive, img)
	if err != nil {
		return err
	}
	if err := os.WriteFile(*out, archive.Bytes(), 0o644); err != nil {
		return fmt.Errorf("pack image: %w", err)
	}
	fmt.Printf("%s@%s\n", strings.TrimSuffix(*name, ":"+tag), digest)
	return nil
}
