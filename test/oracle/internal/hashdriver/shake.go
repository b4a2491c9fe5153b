package hashdriver

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// shaker takes out of a source tree the declarations that some roots need, and nothing else: a release of Kubernetes of
// 2016 does not build today, the function that we ask and the types that it prints do.
type shaker struct {
	// locate returns the directory of an imported package, or "" for one that stays an import.
	locate func(path string) (string, error)
	prefix string // the import path that copied packages get in front of their own
	files  *token.FileSet
	pkgs   map[string]*sourcePackage
	// selected holds every name that a reached declaration selects; a method of a reached type is reached by its name.
	selected map[string]bool
	queue    []func() error
}

// sourcePackage is a package of which something is reached.
type sourcePackage struct {
	path, name string
	decls      map[string]*declaration
	methods    map[string][]*declaration // by type
	files      []*sourceFile
}

type sourceFile struct {
	name    string
	imports map[string]string // local name → path
	decls   []*declaration
}

type declaration struct {
	node    ast.Decl
	file    *sourceFile
	method  string // its name, for methods
	reached bool
}

// always are the methods that the standard library calls without our seeing it.
var always = []string{"Error", "String", "Len", "Less", "Swap", "Write", "MarshalJSON", "UnmarshalJSON"}

func newShaker(prefix string, locate func(string) (string, error)) *shaker {
	s := &shaker{locate: locate, prefix: prefix, files: token.NewFileSet(), pkgs: map[string]*sourcePackage{}, selected: map[string]bool{}}
	for _, name := range always {
		s.selected[name] = true
	}
	return s
}

// reach marks a package's declaration and all that it needs.
func (s *shaker) reach(path, name string) error {
	if err := s.mark(path, name); err != nil {
		return err
	}
	for {
		for len(s.queue) > 0 {
			next := s.queue[0]
			s.queue = s.queue[1:]
			if err := next(); err != nil {
				return err
			}
		}
		for _, path := range slices.Sorted(maps.Keys(s.pkgs)) {
			s.markMethods(s.pkgs[path])
		}
		if len(s.queue) == 0 {
			return nil
		}
	}
}

func (s *shaker) markMethods(p *sourcePackage) {
	for typeName, methods := range p.methods {
		if d := p.decls[typeName]; d == nil || !d.reached {
			continue
		}
		for _, m := range methods {
			if s.selected[m.method] {
				s.visit(p, m)
			}
		}
	}
}

func (s *shaker) mark(path, name string) error {
	p, err := s.load(path)
	if err != nil {
		return err
	}
	d := p.decls[name]
	if d == nil {
		return fmt.Errorf("find %s in %s: no such declaration", name, path)
	}
	s.visit(p, d)
	return nil
}

// visit marks d and queues what it names.
func (s *shaker) visit(p *sourcePackage, d *declaration) {
	if d.reached {
		return
	}
	d.reached = true
	var look func(ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field: // its names are no uses
			ast.Inspect(n.Type, look)
			return false
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, name := range m.Names {
					s.selected[name.Name] = true
				}
			}
		case *ast.SelectorExpr:
			s.selected[n.Sel.Name] = true
			if id, ok := n.X.(*ast.Ident); ok && d.file.imports[id.Name] != "" {
				path, name := d.file.imports[id.Name], n.Sel.Name
				s.queue = append(s.queue, func() error {
					if dir, err := s.locate(path); err != nil || dir == "" {
						return err
					}
					return s.mark(path, name)
				})
				return false
			}
		case *ast.Ident:
			if other := p.decls[n.Name]; other != nil {
				s.queue = append(s.queue, func() error { s.visit(p, other); return nil })
			}
		}
		return true
	}
	ast.Inspect(d.node, look)
}

// load parses a package as the go command would build it here, without the protobuf, codec and openapi code that was
// generated for its types: it drags in libraries and the hash calls none of it.
func (s *shaker) load(path string) (*sourcePackage, error) {
	if p := s.pkgs[path]; p != nil {
		return p, nil
	}
	dir, err := s.locate(path)
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &sourcePackage{path: path, decls: map[string]*declaration{}, methods: map[string][]*declaration{}}
	for _, name := range names {
		base := filepath.Base(name)
		match, err := build.Default.MatchFile(dir, base)
		if err != nil {
			return nil, err
		}
		if !match || strings.HasSuffix(base, "_test.go") || generated.MatchString(base) {
			continue
		}
		parsed, err := parser.ParseFile(s.files, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.name = parsed.Name.Name
		p.add(base, parsed)
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("read package %s: no source in %s", path, dir)
	}
	s.pkgs[path] = p
	return p, nil
}

var generated = regexp.MustCompile(`^(generated.*|types\.generated|.*_proto|.*openapi.*)\.go$`)

func (p *sourcePackage) add(name string, parsed *ast.File) {
	f := &sourceFile{name: name, imports: map[string]string{}}
	for _, spec := range parsed.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		local := localName(path)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		f.imports[local] = path
	}
	p.files = append(p.files, f)
	for _, node := range parsed.Decls {
		switch node := node.(type) {
		case *ast.FuncDecl:
			d := &declaration{node: node, file: f}
			f.decls = append(f.decls, d)
			if node.Recv != nil {
				d.method = node.Name.Name
				receiver := receiverName(node.Recv.List[0].Type)
				p.methods[receiver] = append(p.methods[receiver], d)
			} else if node.Name.Name != "init" {
				p.decls[node.Name.Name] = d
			}
		case *ast.GenDecl:
			p.addGroup(f, node)
		}
	}
}

// addGroup splits a group of types or variables; constants stay together, as their values depend on their place.
func (p *sourcePackage) addGroup(f *sourceFile, group *ast.GenDecl) {
	if group.Tok == token.IMPORT {
		return
	}
	parts := []*ast.GenDecl{group}
	if group.Tok != token.CONST {
		parts = nil
		for _, spec := range group.Specs {
			parts = append(parts, &ast.GenDecl{Tok: group.Tok, Specs: []ast.Spec{spec}})
		}
	}
	for _, part := range parts {
		d := &declaration{node: part, file: f}
		f.decls = append(f.decls, d)
		for _, spec := range part.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.decls[spec.Name.Name] = d
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.Name != "_" {
						p.decls[name.Name] = d
					}
				}
			}
		}
	}
}

func receiverName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiverName(t.X)
	case *ast.IndexExpr:
		return receiverName(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

var versionSuffix = regexp.MustCompile(`\.v\d+$`)

// localName is the name of the package at path where the import gives none; every package that is reached follows it.
func localName(path string) string {
	return versionSuffix.ReplaceAllString(path[strings.LastIndex(path, "/")+1:], "")
}

// write puts the reached declarations below dir, each package under its own import path, and returns the paths of
// the imports that were left as they are and are not of the standard library.
func (s *shaker) write(dir string) (outside []string, err error) {
	left := map[string]bool{}
	for path, p := range s.pkgs {
		for _, f := range p.files {
			text, err := s.render(p, f, left)
			if err != nil {
				return nil, fmt.Errorf("write %s of %s: %w", f.name, path, err)
			}
			if text == nil {
				continue
			}
			to := filepath.Join(dir, filepath.FromSlash(path))
			if err := os.MkdirAll(to, 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(to, f.name), text, 0o644); err != nil {
				return nil, err
			}
		}
	}
	return slices.Sorted(maps.Keys(left)), nil
}

func (s *shaker) render(p *sourcePackage, f *sourceFile, left map[string]bool) ([]byte, error) {
	var body bytes.Buffer
	used := map[string]bool{}
	for _, d := range f.decls {
		if !d.reached {
			continue
		}
		if err := format.Node(&body, s.files, d.node); err != nil {
			return nil, err
		}
		body.WriteString("\n\n")
		ast.Inspect(d.node, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok && f.imports[id.Name] != "" {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	if body.Len() == 0 {
		return nil, nil
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "package %s\n\n", p.name)
	for _, local := range slices.Sorted(maps.Keys(used)) {
		path := f.imports[local]
		if s.pkgs[path] != nil {
			path = s.prefix + path
		} else if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			left[path] = true
		}
		fmt.Fprintf(&text, "import %s %q\n", local, path)
	}
	text.WriteByte('\n')
	text.Write(body.Bytes())
	return text.Bytes(), nil
}
