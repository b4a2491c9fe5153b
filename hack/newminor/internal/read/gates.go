package read

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

// gates reads the entries of every map from Feature to FeatureSpec or VersionedSpecs, whatever its name: a gate is a
// key of such a map, whether its constant is typed or not. The first package that names a gate decides: pkg/features
// overrides what it imports.
func (r *reading) gates() {
	r.out.Gates = map[string][]inventory.Stage{}
	for i, pkg := range gatePackages {
		p := r.load(pkg, i < 2)
		if p == nil {
			continue
		}
		found := map[string][]inventory.Stage{}
		each(p, func(_ string, n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || !isGateMap(p.Info.TypeOf(lit)) {
				return true
			}
			for _, e := range lit.Elts {
				kv, ok := e.(*ast.KeyValueExpr)
				if !ok {
					continue
				}
				name, known := text(p, kv.Key)
				if !known {
					if _, variable := kv.Key.(*ast.Ident); !variable || p.Info.Uses[kv.Key.(*ast.Ident)] == nil {
						r.gap("read gate %s of %s: its constant is not known", types.ExprString(kv.Key), pkg)
					}
					continue
				}
				if spec, ok := kv.Value.(*ast.CompositeLit); ok {
					found[name] = stages(p, spec)
				} else {
					r.gap("read gate %s of %s: its stages are not written out", name, pkg)
				}
			}
			return true
		})
		for name, s := range found {
			if _, known := r.out.Gates[name]; !known {
				r.out.Gates[name] = s
			}
		}
	}
	if p := r.load("k8s.io/component-base/version", false); p != nil && p.Types != nil {
		if c, ok := p.Types.Scope().Lookup("DefaultKubeBinaryVersion").(*types.Const); ok {
			r.out.Binary = constant.StringVal(c.Val())
		}
	}
}

func isGateMap(t types.Type) bool {
	if t == nil {
		return false
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	_, key := named(m.Key())
	_, value := named(m.Elem())
	return key == "Feature" && (value == "FeatureSpec" || value == "VersionedSpecs")
}

func stages(p *source.Package, lit *ast.CompositeLit) []inventory.Stage {
	var all []inventory.Stage
	one := inventory.Stage{}
	for _, e := range lit.Elts {
		switch e := e.(type) {
		case *ast.CompositeLit:
			all = append(all, stages(p, e)...)
		case *ast.KeyValueExpr:
			key, _ := e.Key.(*ast.Ident)
			if key == nil {
				continue
			}
			v := p.Info.Types[e.Value].Value
			switch key.Name {
			case "Default":
				one.Default = v != nil && v.Kind() == constant.Bool && constant.BoolVal(v)
			case "LockToDefault":
				one.Locked = v != nil && v.Kind() == constant.Bool && constant.BoolVal(v)
			case "PreRelease":
				one.Stage, _ = text(p, e.Value)
			case "Version": // version.MustParse("1.31")
				if call, ok := e.Value.(*ast.CallExpr); ok && len(call.Args) == 1 {
					one.Since, _ = text(p, call.Args[0])
				}
			}
		}
	}
	if all == nil {
		all = []inventory.Stage{one}
	}
	return all
}
