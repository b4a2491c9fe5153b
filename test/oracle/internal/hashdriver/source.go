package hashdriver

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

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
