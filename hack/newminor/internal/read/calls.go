package read

import (
	"cmp"
	"go/ast"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

// logRoots are the folders whose log calls and events are listed, including subfolders.
var logRoots = []string{
	kubernetes + "pkg/kubelet", kubernetes + "cmd/kubelet/app", kubernetes + "pkg/probe",
	kubernetes + "pkg/volume/util/subpath", kubernetes + "pkg/volume/hostpath", kubernetes + "pkg/volume/util/hostutil",
	"k8s.io/component-base/cli", "k8s.io/component-base/featuregate",
}

// calls lists log calls, events, and the formats of errors.
func (r *reading) calls() {
	r.out.Errors = map[string][]string{}
	for _, root := range logRoots {
		for _, pkg := range r.tree.Paths(root) {
			if p := r.load(pkg, false); p != nil {
				r.callsOf(p)
			}
		}
	}
	r.reasons()
	slices.SortFunc(r.out.Logs, compareLogs)
	r.out.Logs = slices.CompactFunc(r.out.Logs, func(a, b inventory.Log) bool { return compareLogs(a, b) == 0 })
	order := func(a, b inventory.Event) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Type, b.Type), cmp.Compare(a.Text, b.Text))
	}
	slices.SortFunc(r.out.Events, order)
	r.out.Events = slices.Compact(r.out.Events)
	for file, all := range r.out.Errors {
		slices.Sort(all)
		r.out.Errors[file] = slices.Compact(all)
	}
}

func compareLogs(a, b inventory.Log) int {
	return cmp.Or(cmp.Compare(a.Style, b.Style), cmp.Compare(a.File, b.File), cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.V, b.V), slices.Compare(a.Keys, b.Keys))
}

func (r *reading) callsOf(p *source.Package) {
	vars := variables(p)
	each(p, func(name string, n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		file := short(p.Path, name)
		if lines := logCalls(p, vars, call); len(lines) > 0 {
			for _, l := range lines {
				r.out.Logs = append(r.out.Logs, l.logs(p, vars, file)...)
			}
			return true
		}
		for _, e := range eventCall(p, vars, call) {
			e.File = file
			r.out.Events = append(r.out.Events, e)
		}
		if pkg, made := callee(p, call.Fun); (pkg == "fmt" && made == "Errorf" || pkg == "errors" && made == "New") &&
			len(call.Args) > 0 {
			for _, s := range texts(p, vars, call.Args[0], 0) {
				if strings.ContainsAny(s, " ") { // a single word says nothing
					r.out.Errors[file] = append(r.out.Errors[file], s)
				}
			}
		}
		return true
	})
}
