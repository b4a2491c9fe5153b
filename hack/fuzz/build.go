package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// pkg is a package with fuzz targets.
type pkg struct {
	path, module, dir string
	targets           []string
	// binary is its test binary, once it is built.
	binary string
}

func (p pkg) short() string {
	if p.path == p.module {
		return "."
	}
	return strings.TrimPrefix(p.path, p.module+"/")
}

// declared finds the targets of a test file, as the testing package would.
var declared = regexp.MustCompile(`(?m)^func (Fuzz(?:[^a-z(\s]\w*)?)\(\w+ \*testing\.F\)`)

// packages lists the packages with their targets, ordered by path and then by file. Files that are not built on this
// system have none.
func packages(ctx context.Context, patterns []string) (out []pkg, err error) {
	text, err := command(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Module,TestGoFiles,XTestGoFiles"},
		patterns...)...)
	if err != nil {
		return nil, err
	}
	for in := json.NewDecoder(bytes.NewReader(text)); ; {
		var l struct {
			ImportPath, Dir           string
			Module                    struct{ Path string }
			TestGoFiles, XTestGoFiles []string
		}
		if err := in.Decode(&l); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		p := pkg{path: l.ImportPath, module: l.Module.Path, dir: l.Dir}
		for _, name := range append(l.TestGoFiles, l.XTestGoFiles...) {
			source, err := os.ReadFile(filepath.Join(l.Dir, name))
			if err != nil {
				return nil, err
			}
			for _, m := range declared.FindAllSubmatch(source, -1) {
				p.targets = append(p.targets, string(m[1]))
			}
		}
		if len(p.targets) > 0 {
			out = append(out, p)
		}
	}
}

// build builds the test binaries. One call of the go command builds many in parallel, but names each by the last
// element of its path: those with the same name go into different calls.
func build(ctx context.Context, dir string, all []pkg) error {
	for n, left := 0, len(all); left > 0; n++ {
		batch := filepath.Join(dir, fmt.Sprint(n)) + string(filepath.Separator)
		if err := os.Mkdir(batch, 0o700); err != nil {
			return err
		}
		names := map[string]bool{}
		args := []string{"test", "-c", "-vet=off", "-o", batch}
		for i := range all {
			p := &all[i]
			if name := path.Base(p.path); p.binary == "" && !names[name] {
				names[name] = true
				if len(args) == 5 {
					args = append(args, "-gcflags="+p.module+"/...=-d=libfuzzer")
				}
				args, p.binary, left = append(args, p.path), filepath.Join(batch, name+".test"), left-1
			}
		}
		if _, err := command(ctx, "go", args...); err != nil {
			return err
		}
	}
	return nil
}

// command runs a program and returns its standard output.
func command(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, args[0], err, said.Bytes())
	}
	return out.Bytes(), nil
}
