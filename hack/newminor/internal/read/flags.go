package read

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

// flagPackages define the kubelet's flags.
var flagPackages = []string{
	kubernetes + "cmd/kubelet/app/options", kubernetes + "pkg/kubelet/config", "k8s.io/component-base/version/verflag",
	"k8s.io/component-base/logs", "k8s.io/component-base/logs/api/v1",
}

// flags reads the names that are passed to a *pflag.FlagSet, and those that options/globalflags*.go copies from other
// libraries' flag sets.
func (r *reading) flags() {
	for i, pkg := range flagPackages {
		p := r.load(pkg, i == 0)
		if p == nil {
			continue
		}
		each(p, func(_ string, n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := -1
			switch f := call.Fun.(type) {
			case *ast.SelectorExpr:
				// component-base/logs accepts flag sets of both kinds through its own interface.
				of, name := named(p.Info.TypeOf(f.X))
				if of == "github.com/spf13/pflag" && name == "FlagSet" || of == p.Path && strings.HasPrefix(name, "flagSet") {
					at = flagName(f.Sel.Name)
				}
			case *ast.Ident:
				if strings.HasPrefix(f.Name, "register") && len(call.Args) >= 3 {
					at = 2
				}
			}
			if at < 0 || at >= len(call.Args) {
				return true
			}
			if name, ok := text(p, call.Args[at]); ok {
				r.out.Flags = append(r.out.Flags, strings.ReplaceAll(name, "_", "-"))
			} else if i, ok := call.Args[at].(*ast.Ident); !ok || !parameter(p, i) {
				r.gap("read flag %s of %s: its name is not known", types.ExprString(call.Args[at]), pkg)
			}
			return true
		})
	}
	slices.Sort(r.out.Flags)
	r.out.Flags = slices.Compact(r.out.Flags)
	if len(r.out.Flags) == 0 {
		r.gap("read flags of the kubelet: none found")
	}
}

// parameter reports whether a function only passes a name on; its callers are read too.
func parameter(p *source.Package, name *ast.Ident) bool {
	_, variable := p.Info.ObjectOf(name).(*types.Var)
	return variable
}

// flagName returns the position of the name in the arguments of a method of FlagSet, -1 if it defines no flag.
func flagName(method string) int {
	switch {
	case slices.Contains([]string{"Lookup", "ShorthandLookup", "Set", "Changed",
		"VisitAll", "AddFlag", "AddFlagSet", "AddGoFlagSet"}, method),
		strings.HasPrefix(method, "Mark"), strings.HasPrefix(method, "Get"), strings.HasPrefix(method, "Set"):
		return -1
	case method == "Var", method == "VarP", method == "VarPF", strings.HasSuffix(method, "Var"),
		strings.HasSuffix(method, "VarP"):
		return 1
	case slices.Contains([]string{"Bool", "BoolP", "String", "StringP", "Int", "Int32", "Duration", "StringSlice"},
		method):
		return 0
	}
	return -1
}
