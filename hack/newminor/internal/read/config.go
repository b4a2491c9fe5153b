package read

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

// config reads the fields of KubeletConfiguration, and what SetDefaults_KubeletConfiguration assigns to them.
func (r *reading) config() {
	r.out.Config = map[string]inventory.Field{}
	p := r.load("k8s.io/kubelet/config/v1beta1", true)
	if p == nil {
		return
	}
	inYAML := map[string]string{}
	each(p, func(_ string, n ast.Node) bool {
		t, ok := n.(*ast.TypeSpec)
		if !ok || t.Name.Name != "KubeletConfiguration" {
			return true
		}
		fields, ok := t.Type.(*ast.StructType)
		if !ok {
			return false
		}
		for _, f := range fields.Fields.List {
			if name := jsonName(f); name != "" && len(f.Names) == 1 {
				inYAML[f.Names[0].Name] = name
				r.out.Config[name] = inventory.Field{Type: types.ExprString(f.Type)}
			}
		}
		return false
	})
	if len(inYAML) == 0 {
		r.gap("read KubeletConfiguration: no fields found")
	}
	if d := r.load(kubernetes+"pkg/kubelet/apis/config/v1beta1", true); d != nil {
		r.defaults(d, inYAML)
	}
}

func jsonName(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	tag, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
	return name
}

func (r *reading) defaults(p *source.Package, inYAML map[string]string) {
	each(p, func(_ string, n ast.Node) bool {
		f, ok := n.(*ast.FuncDecl)
		if !ok {
			return true
		}
		if f.Name.Name != "SetDefaults_KubeletConfiguration" {
			return false
		}
		ast.Inspect(f, func(n ast.Node) bool {
			a, ok := n.(*ast.AssignStmt)
			if !ok || len(a.Lhs) != 1 {
				return true
			}
			s, ok := a.Lhs[0].(*ast.SelectorExpr)
			if !ok || inYAML[s.Sel.Name] == "" {
				return true
			}
			if of, ok := s.X.(*ast.Ident); !ok || of.Name != f.Type.Params.List[0].Names[0].Name {
				return true // a field of a field
			}
			field := r.out.Config[inYAML[s.Sel.Name]]
			value := worth(p, a.Rhs[0])
			if field.Default != "" && field.Default != value {
				value = field.Default + " or " + value
			}
			field.Default = value
			r.out.Config[inYAML[s.Sel.Name]] = field
			return true
		})
		return false
	})
}

// worth returns the value of an expression that is a constant, a pointer to one, or a duration; "?" for any other.
func worth(p *source.Package, e ast.Expr) string {
	if v := p.Info.Types[e].Value; v != nil {
		if _, name := named(p.Info.TypeOf(e)); name == "Duration" {
			if n, ok := constant.Int64Val(v); ok {
				return time.Duration(n).String()
			}
		}
		if v.Kind() == constant.String {
			return strconv.Quote(constant.StringVal(v))
		}
		return v.String()
	}
	switch e := e.(type) {
	case *ast.CallExpr: // ptr.To(5), utilpointer.Int32(5)
		if _, function := e.Fun.(*ast.SelectorExpr); function && len(e.Args) == 1 {
			return worth(p, e.Args[0])
		}
		if _, generic := e.Fun.(*ast.IndexExpr); generic && len(e.Args) == 1 {
			return worth(p, e.Args[0])
		}
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return worth(p, e.X)
		}
	case *ast.CompositeLit: // metav1.Duration{Duration: 20 * time.Second}; a list
		var all []string
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Duration" {
					return worth(p, kv.Value)
				}
				return "?"
			}
			all = append(all, worth(p, x))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return "?"
}
