package read

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

const metaPackage = "k8s.io/apimachinery/pkg/apis/meta/v1"

// present are never nil or empty in a static pod once defaults are set.
var present = []string{"PodSecurityContext", "Container"}

// walk records the structs that one type reaches, and those of ObjectMeta.
type walk struct {
	declared map[string]map[string]ast.Expr // package → type → its definition
	out      map[string]inventory.Type
	tags     bool
}

// print lists what determines a static pod's UID (pkg/util/hash DeepHashObject over the internal Pod).
func (r *reading) print() {
	core := kubernetes + "pkg/apis/core"
	r.out.Print = r.reach(core, "Pod", false)
}

// container lists what determines hashes up to 1.30 (the JSON of the API's Container), and the API that pods use.
func (r *reading) container() {
	r.out.Container = r.reach("k8s.io/api/core/v1", "Container", true)
}

func (r *reading) reach(pkg, name string, tags bool) map[string]inventory.Type {
	w := walk{declared: map[string]map[string]ast.Expr{}, out: map[string]inventory.Type{}, tags: tags}
	for _, of := range []string{pkg, metaPackage} {
		p := r.load(of, true)
		if p == nil {
			continue
		}
		w.declared[of] = declarations(p)
	}
	if _, ok := w.declared[pkg][name]; !ok {
		r.gap("read type %s of %s: it is not there", name, pkg)
		return w.out
	}
	w.reach(pkg, name, !tags)
	return w.out
}

func declarations(p *source.Package) map[string]ast.Expr {
	all := map[string]ast.Expr{}
	each(p, func(_ string, n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok {
			all[t.Name.Name] = t.Type
		}
		return true
	})
	return all
}

func (w *walk) reach(pkg, name string, always bool) {
	declared, ok := w.declared[pkg][name]
	if !ok {
		return
	}
	object, ok := declared.(*ast.StructType)
	if !ok {
		w.follow(pkg, declared, always)
		return
	}
	key := name
	if pkg == metaPackage {
		key = "meta." + name
	}
	if seen, ok := w.out[key]; ok && (seen.Always || !always) {
		return
	}
	t := inventory.Type{Always: always, Fields: []string{}}
	for _, f := range object.Fields.List {
		text := types.ExprString(f.Type)
		if tag := jsonName(f); w.tags && tag != "" {
			text += " `" + tag + "`"
		}
		if len(f.Names) == 0 {
			t.Fields = append(t.Fields, text)
		}
		for _, n := range f.Names {
			t.Fields = append(t.Fields, n.Name+" "+text)
		}
	}
	w.out[key] = t
	for _, f := range object.Fields.List {
		w.follow(pkg, f.Type, always)
	}
}

func (w *walk) follow(pkg string, e ast.Expr, always bool) {
	switch t := e.(type) {
	case *ast.Ident:
		w.reach(pkg, t.Name, always)
	case *ast.SelectorExpr:
		if types.ExprString(t.X) == "metav1" {
			w.reach(metaPackage, t.Sel.Name, always)
		}
	case *ast.StarExpr:
		w.follow(pkg, t.X, always && slices.Contains(present, types.ExprString(t.X)))
	case *ast.ArrayType:
		w.follow(pkg, t.Elt, always && slices.Contains(present, types.ExprString(t.Elt)))
	case *ast.MapType:
		w.follow(pkg, t.Key, false)
		w.follow(pkg, t.Value, false)
	}
}
