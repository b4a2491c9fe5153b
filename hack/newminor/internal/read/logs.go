package read

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/inventory"
	"github.com/restartwhy/kubectl-restartwhy/hack/newminor/internal/source"
)

// loggers are the packages whose functions and types log.
var loggers = []string{"k8s.io/klog/v2", "k8s.io/klog", "github.com/go-logr/logr"}

// line is one log call: its severity and style, and where in the arguments message and keys begin.
type line struct {
	inventory.Log
	at   int
	text ast.Expr
	args []ast.Expr
	open bool // the arguments end with a variadic list
}

// logCalls recognizes a log call. A call of a variable counts for every method that is ever assigned to the variable.
func logCalls(p *source.Package, vars map[types.Object][]ast.Expr, call *ast.CallExpr) (all []line) {
	functions := []ast.Expr{ast.Unparen(call.Fun)}
	if name, ok := functions[0].(*ast.Ident); ok {
		functions = vars[p.Info.ObjectOf(name)]
	}
	for _, f := range functions {
		if s, ok := f.(*ast.SelectorExpr); ok {
			if l, ok := logCall(p, vars, call, s); ok {
				all = append(all, l)
			}
		}
	}
	return all
}

func logCall(p *source.Package, vars map[types.Object][]ast.Expr, call *ast.CallExpr,
	f *ast.SelectorExpr) (line, bool) {
	l := line{open: call.Ellipsis.IsValid()}
	l.V = -1
	name := f.Sel.Name
	pkg, function := callee(p, f)
	owner, typ := named(p.Info.TypeOf(f.X))
	switch {
	case function != "" && strings.HasSuffix(pkg, "apimachinery/pkg/util/runtime"):
		return handled(p, call, name, l)
	case function != "" && slices.Contains(loggers, pkg):
		if !method(name, &l) {
			return l, false
		}
	case slices.Contains(loggers, owner) && typ == "Verbose":
		l.V = verbosity(p, vars, f.X, 0)
		if !method(name, &l) {
			return l, false
		}
	case slices.Contains(loggers, owner) && typ == "Logger":
		if v := verbosity(p, vars, f.X, 0); v >= 0 {
			l.V = v
		}
		l.Style = "S"
		switch name {
		case "Info":
			l.Severity = "I"
		case "Error":
			l.Severity, l.at = "E", 1
		default:
			return l, false
		}
	default:
		return l, false
	}
	if l.at >= len(call.Args) {
		return l, false
	}
	l.text, l.args = call.Args[l.at], call.Args[l.at+1:]
	return l, true
}

// method parses a klog function's name: InfoS, Warningf, ErrorSDepth.
func method(name string, l *line) bool {
	for word, severity := range map[string]string{"Info": "I", "Warning": "W", "Error": "E", "Fatal": "F", "Exit": "F"} {
		rest, ok := strings.CutPrefix(name, word)
		if !ok {
			continue
		}
		l.Severity, l.Style = severity, "f"
		if strings.Contains(rest, "Depth") {
			l.at++
			rest = strings.Replace(rest, "Depth", "", 1)
		}
		switch rest {
		case "S":
			l.Style = "S"
			if word == "Error" {
				l.at++
			}
			return true
		case "", "f", "ln":
			return true
		}
	}
	return false
}

// handled recognizes utilruntime.HandleError(fmt.Errorf("…")) and HandleErrorWithContext(ctx, err, "…", keys).
func handled(p *source.Package, call *ast.CallExpr, name string, l line) (line, bool) {
	l.Severity, l.Style = "E", "H"
	switch {
	case name == "HandleError" && len(call.Args) == 1:
		l.text = call.Args[0]
		if made, ok := call.Args[0].(*ast.CallExpr); ok && len(made.Args) > 0 {
			if pkg, _ := callee(p, made.Fun); pkg == "fmt" || pkg == "errors" {
				l.text = made.Args[0]
			}
		}
		return l, true
	case name == "HandleErrorWithContext" && len(call.Args) >= 3:
		l.text, l.args = call.Args[2], call.Args[3:]
		return l, true
	}
	return l, false
}

// verbosity returns the sum of the V calls before a log call, even if they are kept in a variable; -1 if there are
// none.
func verbosity(p *source.Package, vars map[types.Object][]ast.Expr, e ast.Expr, depth int) int {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return -1
		}
		behind := -1
		if _, function := callee(p, e.Fun); function == "" {
			behind = verbosity(p, vars, f.X, depth)
		}
		if f.Sel.Name == "V" && len(e.Args) == 1 {
			if n, ok := integer(p, e.Args[0]); ok {
				return n + max(behind, 0)
			}
		}
		return behind
	case *ast.Ident:
		if made := vars[p.Info.ObjectOf(e)]; depth < 4 && len(made) == 1 {
			return verbosity(p, vars, made[0], depth+1)
		}
	}
	return -1
}

func variables(p *source.Package) map[types.Object][]ast.Expr {
	vars := map[types.Object][]ast.Expr{}
	note := func(name *ast.Ident, value ast.Expr) {
		if o := p.Info.ObjectOf(name); o != nil {
			vars[o] = append(vars[o], value)
		}
	}
	each(p, func(_ string, n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if name, ok := left.(*ast.Ident); ok && len(n.Lhs) == len(n.Rhs) {
					note(name, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if len(n.Names) == len(n.Values) {
					note(name, n.Values[i])
				}
			}
		}
		return true
	})
	return vars
}

// texts returns the constants that an expression may be: itself, or everything that is ever assigned to its variable; a
// format if it is composed.
func texts(p *source.Package, vars map[types.Object][]ast.Expr, e ast.Expr, depth int) []string {
	if s, ok := text(p, e); ok {
		return []string{s}
	}
	var all []string
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if o := p.Info.ObjectOf(e); o != nil && depth < 4 {
			for _, made := range vars[o] {
				all = append(all, texts(p, vars, made, depth+1)...)
			}
		}
	case *ast.CallExpr:
		switch pkg, name := callee(p, e.Fun); {
		case pkg == "fmt" && name == "Sprintf" && len(e.Args) > 0:
			all = texts(p, vars, e.Args[0], depth+1)
			if values, ok := constants(p, e.Args[1:]); ok && len(all) == 1 {
				all[0] = fmt.Sprintf(all[0], values...)
			}
		case pkg == p.Path && depth < 4:
			for _, value := range returned(p, name) {
				all = append(all, texts(p, vars, value, depth+1)...)
			}
		}
	case *ast.BinaryExpr:
		if left := texts(p, vars, e.X, depth+1); len(left) == 1 {
			all = left
		}
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	slices.Sort(all)
	return slices.Compact(all)
}

func constants(p *source.Package, args []ast.Expr) (all []any, known bool) {
	for _, e := range args {
		if s, ok := text(p, e); ok {
			all = append(all, s)
		} else if n, ok := integer(p, e); ok {
			all = append(all, n)
		} else {
			return nil, false
		}
	}
	return all, true
}

// returned lists what a function of the package with one result may return.
func returned(p *source.Package, function string) (all []ast.Expr) {
	declared(p, func(name string, n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok || name != function || f.Body == nil {
			return
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.ReturnStmt:
				if len(n.Results) == 1 {
					all = append(all, n.Results[0])
				}
			}
			return true
		})
	})
	return all
}

// logs returns the rows of one call: one for each text that it may have.
func (l line) logs(p *source.Package, vars map[types.Object][]ast.Expr, file string) []inventory.Log {
	row := l.Log
	row.File = file
	if l.Style != "f" {
		for i := 0; i < len(l.args); i += 2 {
			if l.open && i == len(l.args)-1 {
				row.Keys = append(row.Keys, "?")
				break
			}
			key, ok := text(p, l.args[i])
			if !ok {
				key = "?"
			}
			row.Keys = append(row.Keys, key)
		}
	}
	var all []inventory.Log
	for _, s := range texts(p, vars, l.text, 0) {
		row.Text = s
		all = append(all, row)
	}
	return all
}

// eventCall finds the constants Normal or Warning, a reason and a text that follow each other in a call's arguments.
func eventCall(p *source.Package, vars map[types.Object][]ast.Expr, call *ast.CallExpr) (all []inventory.Event) {
	for i := 0; i+2 < len(call.Args); i++ {
		kind, ok := text(p, call.Args[i])
		if !ok || kind != "Normal" && kind != "Warning" {
			continue
		}
		for _, reason := range texts(p, vars, call.Args[i+1], 0) {
			said := texts(p, vars, call.Args[i+2], 0)
			if len(said) == 0 {
				said = []string{""}
			}
			for _, s := range said {
				all = append(all, inventory.Event{Type: kind, Reason: reason, Text: s})
			}
		}
		return all
	}
	return nil
}

// reasons lists the string constants of pkg/kubelet/events.
func (r *reading) reasons() {
	p := r.load(kubernetes+"pkg/kubelet/events", true)
	if p == nil || p.Types == nil {
		return
	}
	for _, name := range p.Types.Scope().Names() {
		if c, ok := p.Types.Scope().Lookup(name).(*types.Const); ok && c.Val().Kind() == constant.String {
			r.out.Reasons = append(r.out.Reasons, constant.StringVal(c.Val()))
		}
	}
	slices.Sort(r.out.Reasons)
	r.out.Reasons = slices.Compact(r.out.Reasons)
}
