// Command dist builds the archives of a release; a platform with a given binary is packed as it is:
//
//	dist -version v0.1.0 -time 1700000000 -o dist linux/amd64 windows/amd64=bin/b.exe
//
// Each archive contains the binary and LICENSE and nothing else. It also writes checksums.txt and the Krew manifest
// with the archives' own digests. The bytes depend only on the arguments and the files: not on a name, an owner or the
// clock of the machine.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// program is the plugin's name inside the archives.
const program = "kubectl-restartwhy"

// release is a version that Krew accepts: semantic, with a v (krew v0.5.0 validate.go).
var release = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "error: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("dist", flag.ContinueOnError)
	version := flags.String("version", described(), "version of the release, such as v0.1.0; that of the commit's tag")
	stamp := flags.Int64("time", committed(), "time of every file in the archives, in seconds since 1970; the commit's")
	image := flags.String("image", "", "image of collector pods, by its digest")
	out := flags.String("o", "dist", "directory to write to")
	licence := flags.String("license", "LICENSE", "the licence to pack")
	template := flags.String("manifest", "", "template of the Krew manifest; empty for none")
	brew := flags.String("formula", "", "template of the Homebrew formula; empty for none")
	partial := flags.Bool("partial", false, "leave platforms out of the manifest that are not packed; never for a release")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted := flags.Args()
	if len(wanted) == 0 {
		wanted = platforms
	}
	if !release.MatchString(*version) {
		return fmt.Errorf("pack release %q: a version is vMAJOR.MINOR.PATCH", *version)
	}
	text, err := os.ReadFile(*licence)
	if err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	work, err := os.MkdirTemp("", "dist-")
	if err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	defer os.RemoveAll(work)
	if wanted, err = built(work, *version, *image, wanted); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(*out, program+"_*"))
	if err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	for _, archive := range old {
		if err := os.Remove(archive); err != nil {
			return fmt.Errorf("pack release: %w", err)
		}
	}
	sums := map[string]string{}
	for _, arg := range wanted {
		name, archive, err := pack(arg, *version, text, time.Unix(*stamp, 0).UTC())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(*out, name), archive, 0o644); err != nil {
			return fmt.Errorf("pack release: %w", err)
		}
		sums[name] = fmt.Sprintf("%x", sha256.Sum256(archive))
	}
	if err := os.WriteFile(filepath.Join(*out, "checksums.txt"), list(sums), 0o644); err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	fmt.Printf("dist: %d archives of %s in %s, and checksums.txt\n", len(sums), *version, *out)
	return errors.Join(
		fillIn(*brew, *out, *version, sums, false), fillIn(*template, *out, *version, sums, *partial))
}

// fillIn fills in a template, written to out under the template's name; nothing if there is no template.
func fillIn(template, out, version string, sums map[string]string, partial bool) error {
	if template == "" {
		return nil
	}
	source, err := os.ReadFile(template)
	if err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	text := string(source)
	if partial {
		text = only(text, version, sums)
	}
	filled, err := fill(text, version, sums)
	if err != nil {
		return fmt.Errorf("fill in %s: %w", template, err)
	}
	if err := os.WriteFile(filepath.Join(out, filepath.Base(template)), []byte(filled), 0o644); err != nil {
		return fmt.Errorf("pack release: %w", err)
	}
	return nil
}

// pack creates the archive of one OS/ARCH=BINARY.
func pack(arg, version string, licence []byte, at time.Time) (name string, archive []byte, err error) {
	platform, file, ok := strings.Cut(arg, "=")
	system, arch, ok2 := strings.Cut(platform, "/")
	if !ok || !ok2 {
		return "", nil, fmt.Errorf("pack release: %q is not OS/ARCH=BINARY", arg)
	}
	binary, err := os.ReadFile(file)
	if err != nil {
		return "", nil, fmt.Errorf("pack release: %w", err)
	}
	name = strings.Join([]string{program, version, system, arch}, "_")
	files := []entry{{"LICENSE", 0o644, licence}, {program, 0o755, binary}}
	if system == "windows" {
		files[1].name += ".exe"
		archive, err = zipped(files, at)
		return name + ".zip", archive, err
	}
	archive, err = tarred(files, at)
	return name + ".tar.gz", archive, err
}

// list formats checksums as sha256sum does, by name.
func list(sums map[string]string) []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&b, "%s  %s\n", sums[name], name)
	}
	return b.Bytes()
}
