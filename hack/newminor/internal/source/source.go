// Package source parses and type-checks single packages of a Kubernetes release, as they are on linux/amd64. It reads
// only requested packages. Every other import is an empty package that declares the types that are used of it, so that
// a package costs only its own files. What cannot be resolved because of that stays unknown; constants, composite
// literals, receivers and arguments that depend on the read packages are known.
//
// It may import the standard library. It uses neither the network nor other packages of this module.
package source

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// ErrNotThere means that the release does not have a package.
var ErrNotThere = errors.New("not in this release")

// Package is one parsed and checked package.
type Package struct {
	Path  string
	Names []string // of the files, without folders, in the order of Files
	Files []*ast.File
	Types *types.Package
	Info  *types.Info
}

// Tree reads packages of one release.
type Tree struct {
	// Dirs are the folders of the available modules, by module path.
	Dirs map[string]string
	// Deep says which imports are read too, not only those requested by Load.
	Deep func(path string) bool
	// Bad are files that do not parse, with the reason; the rest of their package is used.
	Bad []string

	Fset   *token.FileSet
	loaded map[string]*Package
	empty  map[string]*types.Package
}

// New returns a tree of the modules' folders.
func New(dirs map[string]string, deep func(string) bool) *Tree {
	return &Tree{Dirs: dirs, Deep: deep, Fset: token.NewFileSet(), loaded: map[string]*Package{},
		empty: map[string]*types.Package{}}
}

// Dir returns the folder of a package, "" if its module is not available.
func (t *Tree) Dir(pkg string) string {
	for module := pkg; module != "." && module != "/"; module = path.Dir(module) {
		if root, ok := t.Dirs[module]; ok {
			return filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(pkg, module)))
		}
	}
	return ""
}

// generated are files that declare nothing that a table needs, and are most of the bytes.
var generated = regexp.MustCompile(
	`^(zz_generated\..*|generated\.pb|generated\.protomessage.*|types_swagger_doc_generated)\.go$`)

// Load parses and checks a package. The error wraps ErrNotThere if there is none.
func (t *Tree) Load(pkg string) (*Package, error) {
	if p, ok := t.loaded[pkg]; ok {
		if p == nil {
			return nil, fmt.Errorf("read %s: %w", pkg, ErrNotThere)
		}
		return p, nil
	}
	t.loaded[pkg] = nil // also ends an import cycle
	dir := t.Dir(pkg)
	entries, err := os.ReadDir(dir)
	if dir == "" || errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", pkg, ErrNotThere)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", pkg, err)
	}
	linux := build.Default
	linux.GOOS, linux.GOARCH, linux.CgoEnabled = "linux", "amd64", true
	p := &Package{Path: pkg}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || generated.MatchString(name) {
			continue
		}
		if match, err := linux.MatchFile(dir, name); err == nil && !match {
			continue
		}
		file, err := parser.ParseFile(t.Fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Bad = append(t.Bad, fmt.Sprintf("parse %s/%s: %v", pkg, name, trimmed(err, dir)))
			continue
		}
		if len(p.Files) > 0 && file.Name.Name != p.Files[0].Name.Name {
			continue // a program in the same folder
		}
		p.Files, p.Names = append(p.Files, file), append(p.Names, name)
	}
	if len(p.Files) == 0 {
		return nil, fmt.Errorf("read %s: %w", pkg, ErrNotThere)
	}
	t.check(p)
	t.loaded[pkg] = p
	return p, nil
}

// trimmed returns an error's text without this machine's folder.
func trimmed(err error, dir string) string {
	return strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
}

func (t *Tree) check(p *Package) {
	for _, file := range p.Files {
		t.declare(file)
	}
	p.Info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{
		Importer: importer{t}, Error: func(error) {}, FakeImportC: true,
		Sizes: types.SizesFor("gc", "amd64"),
	}
	p.Types, _ = conf.Check(p.Path, t.Fset, p.Files, p.Info) // what is not resolved stays unknown
}

// Position returns where something is in the release: the file below the package, and the line.
func (t *Tree) Position(n ast.Node) (file string, line int) {
	at := t.Fset.Position(n.Pos())
	return filepath.Base(at.Filename), at.Line
}

// Paths lists the packages below a folder of a module, including itself, without folders for tests.
func (t *Tree) Paths(below string) []string {
	root := t.Dir(below)
	if root == "" {
		return nil
	}
	var all []string
	_ = filepath.WalkDir(root, func(at string, d os.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be listed is missing from the comparison, not the end of it
		}
		if d.IsDir() && slices.Contains([]string{"testdata", "testing", "test", "fake", "_output"}, d.Name()) {
			return filepath.SkipDir
		}
		if !d.IsDir() && strings.HasSuffix(at, ".go") && !strings.HasSuffix(at, "_test.go") {
			rel, _ := filepath.Rel(root, filepath.Dir(at))
			all = append(all, path.Join(below, filepath.ToSlash(rel)))
		}
		return nil
	})
	slices.Sort(all)
	return slices.Compact(all)
}
