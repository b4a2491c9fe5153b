package read

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/printer"
	"go/types"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

// place is a declaration in a package.
type place struct {
	p    *source.Package
	node ast.Node
}

// functions computes the fingerprint of each existing part. A part that is in another package of the kubelet, under the
// same name, was moved: its file shows that.
func (r *reading) functions(parts []modelled.Part) {
	r.out.Functions = map[string]inventory.Function{}
	index := map[string][]place{}
	for _, pkg := range r.tree.Paths(kubernetes + "pkg/kubelet") {
		if p := r.load(pkg, false); p != nil {
			declared(p, func(name string, n ast.Node) { index[name] = append(index[name], place{p, n}) })
		}
	}
	for _, part := range parts {
		var found []place
		if p := r.load(kubernetes+part.Package, false); p != nil {
			declared(p, func(name string, n ast.Node) {
				if name == part.Name {
					found = append(found, place{p, n})
				}
			})
		}
		if len(found) == 0 {
			found = index[part.Name]
		}
		if len(found) == 1 || len(found) > 1 && strings.HasSuffix(found[0].p.Path, part.Package) {
			r.out.Functions[part.Key()] = r.function(found[0])
		}
	}
}

// declared calls f for every top-level function, method, variable and constant of a package.
func declared(p *source.Package, f func(name string, n ast.Node)) {
	for _, file := range p.Files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := d.Name.Name
				if d.Recv != nil && len(d.Recv.List) == 1 {
					of := d.Recv.List[0].Type
					if s, ok := of.(*ast.StarExpr); ok {
						of = s.X
					}
					name = types.ExprString(of) + "." + name
				}
				f(name, d)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						for _, name := range v.Names {
							f(name.Name, v)
						}
					}
				}
			}
		}
	}
}

func (r *reading) function(at place) inventory.Function {
	name, line := r.tree.Position(at.node)
	f := inventory.Function{File: strings.TrimPrefix(at.p.Path, kubernetes) + "/" + name, Line: line}
	vars := variables(at.p)
	logs := map[ast.Node]bool{}
	ast.Inspect(at.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(logCalls(at.p, vars, n)) > 0 {
				logs[n] = true
				return false // its texts are in the list of log calls
			}
			switch called := ast.Unparen(n.Fun).(type) {
			case *ast.Ident:
				f.Calls = append(f.Calls, called.Name)
			case *ast.SelectorExpr:
				f.Calls = append(f.Calls, called.Sel.Name)
			}
		case *ast.BasicLit, *ast.Ident, *ast.SelectorExpr: // a literal, or a named constant
			if s, ok := text(at.p, n.(ast.Expr)); ok && strings.Contains(strings.TrimSpace(s), " ") {
				f.Texts = append(f.Texts, s)
			}
		}
		return true
	})
	f.Hash, f.Quiet = fingerprint(at.node, nil), fingerprint(at.node, logs)
	slices.Sort(f.Calls)
	slices.Sort(f.Texts)
	f.Calls, f.Texts = slices.Compact(f.Calls), slices.Compact(f.Texts)
	return f
}

// fingerprint hashes a syntax tree as it prints without comments and positions, and without some statements that are
// only calls.
func fingerprint(n ast.Node, without map[ast.Node]bool) string {
	var b bytes.Buffer
	write(&b, n, without)
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:8])
}

// write prints every node by its kind and its words, without layout and comments.
func write(b *bytes.Buffer, n ast.Node, without map[ast.Node]bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			b.WriteByte(')')
			return false
		case *ast.CommentGroup, *ast.Comment:
			return false
		case *ast.ExprStmt:
			if without[n.X] {
				return false
			}
		case *ast.Ident:
			b.WriteString(n.Name)
		case *ast.BasicLit:
			b.WriteString(n.Value)
		case *ast.BinaryExpr:
			b.WriteString(n.Op.String())
		case *ast.UnaryExpr:
			b.WriteString(n.Op.String())
		case *ast.AssignStmt:
			b.WriteString(n.Tok.String())
		case *ast.BranchStmt:
			b.WriteString(n.Tok.String())
		case *ast.IncDecStmt:
			b.WriteString(n.Tok.String())
		case *ast.CallExpr:
			fmt.Fprint(b, n.Ellipsis.IsValid())
		}
		fmt.Fprintf(b, "(%T", n)
		return true
	})
}

// Source prints a part as it is in a release, for a terminal: never for a file of this repository.
func Source(dirs map[string]string, key string, f inventory.Function) string {
	tree := source.New(dirs, func(string) bool { return false })
	dir := f.File[:strings.LastIndex(f.File, "/")]
	p, err := tree.Load(kubernetes + dir)
	if err != nil {
		return ""
	}
	var b bytes.Buffer
	declared(p, func(name string, n ast.Node) {
		if strings.HasSuffix(key, "."+name) && b.Len() == 0 {
			if _, line := tree.Position(n); line == f.Line {
				_ = printer.Fprint(&b, tree.Fset, n)
			}
		}
	})
	return b.String()
}
