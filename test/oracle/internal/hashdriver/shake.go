package hashdriver

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"maps"
	"os"
	"path/filepath"
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

// always are the methods that the standard library calls without our seeing it.
var always = []string{"Error", "String", "Len", "Less", "Swap", "Write", "MarshalJSON", "UnmarshalJSON"}

func newShaker(prefix string, locate func(string) (string, error)) *shaker {
	s := &shaker{locate: locate, prefix: prefix, files: token.NewFileSet(),
		pkgs: map[string]*sourcePackage{}, selected: map[string]bool{}}
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
		text, err := s.text(d)
		if err != nil {
			return nil, err
		}
		body.WriteString(text + "\n\n")
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

// text is a declaration as Go.
func (s *shaker) text(d *declaration) (string, error) {
	var b strings.Builder
	if err := format.Node(&b, s.files, d.node); err != nil {
		return "", err
	}
	return b.String(), nil
}
