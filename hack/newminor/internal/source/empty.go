package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// importer returns a package that is read, or one that only knows names of types.
type importer struct{ tree *Tree }

func (i importer) Import(pkg string) (*types.Package, error) {
	if pkg == "unsafe" {
		return types.Unsafe, nil
	}
	if i.tree.Deep(pkg) {
		if p, err := i.tree.Load(pkg); err == nil && p.Types != nil {
			return p.Types, nil
		}
	}
	return i.tree.hollow(pkg), nil
}

// hollow returns the empty replacement for a package that is not read.
func (t *Tree) hollow(pkg string) *types.Package {
	p := t.empty[pkg]
	if p == nil {
		p = types.NewPackage(pkg, guess(pkg))
		if pkg == "time" {
			declareTime(p)
		}
		p.MarkComplete()
		t.empty[pkg] = p
	}
	return p
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// guess returns the most likely name of a package without opening its files.
func guess(pkg string) string {
	name := path.Base(pkg)
	if version.MatchString(name) && strings.Contains(pkg, ".") && !strings.HasPrefix(pkg, "k8s.io/api") {
		name = path.Base(path.Dir(pkg))
	}
	if at := strings.LastIndex(name, ".v"); at > 0 {
		name = name[:at]
	}
	return strings.TrimPrefix(strings.ReplaceAll(name, "-", "_"), "go_")
}

// declareTime declares the constants of durations, which defaults are made of.
func declareTime(p *types.Package) {
	duration := types.NewNamed(types.NewTypeName(token.NoPos, p, "Duration", nil), types.Typ[types.Int64], nil)
	p.Scope().Insert(duration.Obj())
	value := int64(1)
	for _, unit := range []struct {
		name  string
		times int64
	}{{"Nanosecond", 1}, {"Microsecond", 1000}, {"Millisecond", 1000}, {"Second", 1000}, {"Minute", 60}, {"Hour", 60}} {
		value *= unit.times
		p.Scope().Insert(types.NewConst(token.NoPos, p, unit.name, duration, constant.MakeInt64(value)))
	}
}

// declare records the types that a file uses from packages that are not read: then the name of a variable's type is
// known, though not its fields.
func (t *Tree) declare(file *ast.File) {
	hollow := map[string]*types.Package{}
	for _, spec := range file.Imports {
		pkg, err := strconv.Unquote(spec.Path.Value)
		if err != nil || pkg == "unsafe" || pkg == "C" || t.Deep(pkg) {
			continue
		}
		p := t.hollow(pkg)
		name := p.Name()
		if spec.Name != nil {
			name = spec.Name.Name
		}
		hollow[name] = p
	}
	add := func(e ast.Expr) {
		if s, ok := e.(*ast.StarExpr); ok {
			e = s.X
		}
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return
		}
		of, ok := s.X.(*ast.Ident)
		if !ok || hollow[of.Name] == nil || hollow[of.Name].Scope().Lookup(s.Sel.Name) != nil {
			return
		}
		p := hollow[of.Name]
		n := types.NewNamed(types.NewTypeName(token.NoPos, p, s.Sel.Name, nil), types.NewStruct(nil, nil), nil)
		p.Scope().Insert(n.Obj())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			add(n.Type)
		case *ast.ValueSpec:
			add(n.Type)
		case *ast.TypeSpec:
			add(n.Type)
		case *ast.CompositeLit:
			add(n.Type)
		case *ast.ArrayType:
			add(n.Elt)
		case *ast.MapType:
			add(n.Key)
			add(n.Value)
		case *ast.ChanType:
			add(n.Value)
		case *ast.Ellipsis:
			add(n.Elt)
		case *ast.TypeAssertExpr:
			add(n.Type)
		}
		return true
	})
}
