// Package hashdriver builds, for one release of Kubernetes, a program that answers containers with the release's own
// HashContainer. The function, the types that it prints or encodes, and what they need are taken out of the release's
// sources, declaration by declaration and unchanged, into a throw-away module, so that releases of 2016 build too.
//
// It may import test/internal/binaries and runs the go command. Our own hash never enters.
package hashdriver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"

	"github.com/restartwhy/kubectl-restartwhy/test/internal/binaries"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

//go:embed driver.go.tmpl
var source string

// recipe is what else decides the program.
//
//go:embed shake.go source.go tree.go build.go
var recipe embed.FS

const (
	modulePath       = "lab.local/hash"
	containerPackage = "k8s.io/kubernetes/pkg/kubelet/container"
	kubernetes       = "k8s.io/kubernetes"
)

// Build returns the path of the program, from the cache directory dir where it is there.
func Build(ctx context.Context, dir string, d Driver) (path string, err error) {
	text, err := render(d)
	if err != nil {
		return "", err
	}
	name, err := fileName(d, text)
	if err != nil {
		return "", fmt.Errorf("build hash driver %s: %w", d, err)
	}
	path, err = peer.Build(dir, name, func(work, out string) error { return compile(ctx, work, d, text, out) })
	if err != nil {
		return "", fmt.Errorf("build hash driver %s: %w", d, err)
	}
	return path, nil
}

// fileName names the cache entry by all that decides its content.
func fileName(d Driver, text string) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\x00%s\x00%t\x00%s", runtime.Version(), d.Release, d.go121, text)
	for _, name := range []string{"shake.go", "source.go", "tree.go", "build.go"} {
		content, err := recipe.ReadFile(name)
		if err != nil {
			return "", err
		}
		sum.Write(content)
	}
	return "hash-" + strings.ReplaceAll(d.String(), "/", "-") + "-" + hex.EncodeToString(sum.Sum(nil)[:4]), nil
}

// typesPackage is where v1.Container was declared.
func typesPackage(minor int) string {
	if minor <= 7 {
		return kubernetes + "/pkg/api/v1"
	}
	return "k8s.io/api/core/v1"
}

func render(d Driver) (string, error) {
	t, err := template.New("driver").Parse(source)
	if err != nil {
		return "", fmt.Errorf("read driver template: %w", err)
	}
	var out bytes.Buffer
	err = t.Execute(&out, struct {
		Minor         int
		Prefix, Types string
	}{d.Minor(), modulePath + "/", typesPackage(d.Minor())})
	if err != nil {
		return "", fmt.Errorf("render driver for %s: %w", d, err)
	}
	return out.String(), nil
}

func compile(ctx context.Context, work string, d Driver, text, out string) error {
	tree, err := newTree(ctx, d.Release)
	if err != nil {
		return err
	}
	shake := newShaker(modulePath+"/", tree.locate)
	types := typesPackage(d.Minor())
	roots := [][2]string{{containerPackage, "HashContainer"}, {types, "Container"}}
	shake.selected["RoundUp"], shake.selected["AsDec"] = true, true // main.go calls them
	if d.WithoutResources() {
		roots = append(roots, [2]string{containerPackage, "HashContainerWithoutResources"})
	}
	if d.Minor() == 5 {
		roots = append(roots, [2]string{types, "Convert_v1_Container_To_api_Container"})
	}
	for _, root := range roots {
		if err := shake.reach(root[0], root[1]); err != nil {
			return err
		}
	}
	outside, err := shake.write(work)
	if err != nil {
		return err
	}
	mod, err := tree.moduleFile(outside)
	if err != nil {
		return err
	}
	for name, content := range map[string]string{"go.mod": mod, "main.go": text} {
		if err := os.WriteFile(filepath.Join(work, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	toolchain := "local"
	if d.go121 {
		toolchain = "go1.21.13"
	}
	return binaries.CompileWith(ctx, work, toolchain, out)
}
