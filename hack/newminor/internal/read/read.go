// Package read builds the inventory of a release from its sources, using the syntax tree and the type checker rather
// than text patterns.
//
// It may import newminor's source, inventory and modelled, and the standard library. It uses neither the network nor
// other packages of this module.
package read

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/modelled"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

const kubernetes = "k8s.io/kubernetes/"

// gatePackages register the gates that a kubelet knows.
var gatePackages = []string{
	kubernetes + "pkg/features", "k8s.io/apiserver/pkg/features", "k8s.io/apiextensions-apiserver/pkg/features",
	"k8s.io/client-go/features", "k8s.io/component-base/featuregate", "k8s.io/component-base/logs",
	"k8s.io/component-base/logs/api/v1", "k8s.io/component-base/metrics/features",
	"k8s.io/component-base/zpages/features", "k8s.io/controller-manager/pkg/features",
}

// constantPackages define constants that the others use, and the types of loggers and flag sets.
var constantPackages = []string{
	"github.com/go-logr/logr", "github.com/spf13/pflag", "k8s.io/klog/v2", "github.com/google/cadvisor/lib/cadvisorflags",
	"k8s.io/api/core/v1", "k8s.io/component-base/version", "k8s.io/kubelet/config/v1beta1", "k8s.io/kubelet/pkg/types",
	"k8s.io/component-helpers/nodedeclaredfeatures",
	kubernetes + "pkg/kubelet/events", kubernetes + "pkg/kubelet/types", kubernetes + "pkg/kubelet/config",
	kubernetes + "pkg/kubelet/status", kubernetes + "pkg/kubelet/container", kubernetes + "pkg/kubelet/sysctl",
	kubernetes + "pkg/kubelet/apis/config", kubernetes + "pkg/kubelet/kubeletconfig/defaults",
	kubernetes + "pkg/cluster/ports", kubernetes + "pkg/kubelet/qos", kubernetes + "pkg/apis/scheduling",
}

// Deep reports whether a package is read when it is imported.
func Deep(pkg string) bool {
	return slices.Contains(gatePackages, pkg) || slices.Contains(constantPackages, pkg)
}

// reading is the work on one release.
type reading struct {
	tree *source.Tree
	out  *inventory.Inventory
}

// Read builds the inventory. What is missing or does not parse becomes a gap; the rest continues.
func Read(version string, dirs map[string]string, gaps []string, modelled []modelled.Part) *inventory.Inventory {
	r := reading{tree: source.New(dirs, Deep), out: &inventory.Inventory{Version: version, Gaps: slices.Clone(gaps)}}
	r.gates()
	r.flags()
	r.config()
	r.calls()
	r.print()
	r.container()
	r.functions(modelled)
	r.out.Gaps = append(r.out.Gaps, r.tree.Bad...)
	slices.Sort(r.out.Gaps)
	r.out.Gaps = slices.Compact(r.out.Gaps)
	return r.out
}

func (r *reading) gap(format string, args ...any) {
	r.out.Gaps = append(r.out.Gaps, fmt.Sprintf(format, args...))
}

// load reads a package; a missing package is a gap only if must is set.
func (r *reading) load(pkg string, must bool) *source.Package {
	p, err := r.tree.Load(pkg)
	if err != nil {
		if must || !errors.Is(err, source.ErrNotThere) {
			r.gap("%v", err)
		}
		return nil
	}
	return p
}

// text returns the value of a constant string.
func text(p *source.Package, e ast.Expr) (string, bool) {
	v := p.Info.Types[e].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

func integer(p *source.Package, e ast.Expr) (int, bool) {
	v := p.Info.Types[e].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, ok := constant.Int64Val(v)
	return int(n), ok
}

func named(t types.Type) (pkg, name string) {
	if t == nil {
		return "", ""
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return "", ""
	}
	return n.Obj().Pkg().Path(), n.Obj().Name()
}

// callee returns the called function if its package is known: "k8s.io/klog/v2", "InfoS".
func callee(p *source.Package, function ast.Expr) (pkg, name string) {
	switch f := ast.Unparen(function).(type) {
	case *ast.SelectorExpr:
		if of, ok := f.X.(*ast.Ident); ok {
			if n, ok := p.Info.Uses[of].(*types.PkgName); ok {
				return n.Imported().Path(), f.Sel.Name
			}
		}
	case *ast.Ident:
		return p.Path, f.Name
	}
	return "", ""
}

// each calls f for every node of a package, with the file that contains it.
func each(p *source.Package, f func(file string, n ast.Node) bool) {
	for i, file := range p.Files {
		ast.Inspect(file, func(n ast.Node) bool { return n != nil && f(p.Names[i], n) })
	}
}

func short(pkg, file string) string {
	for _, cut := range []string{kubernetes + "pkg/kubelet/", kubernetes, "k8s.io/"} {
		if rest, ok := strings.CutPrefix(pkg+"/", cut); ok {
			return rest + file
		}
	}
	return pkg + "/" + file
}
