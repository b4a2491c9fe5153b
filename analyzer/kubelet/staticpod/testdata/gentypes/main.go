// Gentypes lists, minor by minor, what changed in the types that stand in the print of a static pod, for the table in
// changes_table.go.
//
//	gentypes MINOR=core/types.go,meta/types.go …
//
// The files are those of the internal API (pkg/api/types.go up to 1.8, pkg/apis/core/types.go after) and of
// k8s.io/apimachinery/pkg/apis/meta/v1 (pkg/api/unversioned in 1.5). "always" marks a type that every pod's print holds: it
// is reached from Pod by value, or through the pod's security context and the list of containers, which no pod is
// without; a change of another one matters to the pods that use it.
package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"
)

// never nil or empty once defaults are set.
var present = []string{"PodSecurityContext", "Container"}

// api is one minor's types, and those that Pod reaches.
type api struct {
	core, meta map[string]ast.Expr
	fields     map[string][]string
	always     map[string]bool
}

func main() {
	var before *api
	for _, arg := range os.Args[1:] {
		minor, files, _ := strings.Cut(arg, "=")
		core, meta, _ := strings.Cut(files, ",")
		now := &api{core: declarations(core), meta: declarations(meta), fields: map[string][]string{}, always: map[string]bool{}}
		now.reach("Pod", true, false)
		if before != nil {
			fmt.Println(minor)
			compare(before, now)
		}
		before = now
	}
}

func declarations(file string) map[string]ast.Expr {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, "read types:", err)
		os.Exit(1)
	}
	all := map[string]ast.Expr{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if t, ok := n.(*ast.TypeSpec); ok {
			all[t.Name.Name] = t.Type
		}
		return true
	})
	return all
}

// reach notes the fields of a type and goes on to theirs.
func (a *api) reach(name string, always, inMeta bool) {
	from, key := a.core, name
	if inMeta {
		from, key = a.meta, "meta."+name
	}
	declared, ok := from[name]
	if !ok {
		return
	}
	object, ok := declared.(*ast.StructType)
	if !ok {
		a.follow(declared, always, inMeta)
		return
	}
	if _, seen := a.fields[key]; seen && (a.always[key] || !always) {
		return
	}
	a.always[key] = always
	a.fields[key] = nil
	for _, f := range object.Fields.List {
		text := types.ExprString(f.Type)
		if len(f.Names) == 0 {
			a.fields[key] = append(a.fields[key], text)
		}
		for _, n := range f.Names {
			a.fields[key] = append(a.fields[key], n.Name+" "+text)
		}
	}
	for _, f := range object.Fields.List {
		a.follow(f.Type, always, inMeta)
	}
}

func (a *api) follow(e ast.Expr, always, inMeta bool) {
	switch t := e.(type) {
	case *ast.Ident:
		a.reach(t.Name, always, inMeta)
	case *ast.SelectorExpr:
		if of := types.ExprString(t.X); of == "metav1" || of == "unversioned" {
			a.reach(t.Sel.Name, always, true)
		}
	case *ast.StarExpr:
		a.follow(t.X, always && slices.Contains(present, types.ExprString(t.X)), inMeta)
	case *ast.ArrayType:
		a.follow(t.Elt, always && slices.Contains(present, types.ExprString(t.Elt)), inMeta)
	case *ast.MapType:
		a.follow(t.Key, false, inMeta)
		a.follow(t.Value, false, inMeta)
	}
}

func compare(a, b *api) {
	names := slices.Concat(slices.Collect(maps.Keys(a.fields)), slices.Collect(maps.Keys(b.fields)))
	slices.SortFunc(names, func(x, y string) int { return cmp.Compare(x, y) })
	for _, name := range slices.Compact(names) {
		was, is := a.fields[name], b.fields[name]
		if was == nil || is == nil || slices.Equal(was, is) {
			continue
		}
		word := "if used"
		if a.always[name] || b.always[name] {
			word = "always"
		}
		fmt.Printf("  %s %s: gone %v, new %v\n", word, name, without(was, is), without(is, was))
	}
}

func without(all, some []string) (rest []string) {
	for _, s := range all {
		if !slices.Contains(some, s) {
			rest = append(rest, s)
		}
	}
	return rest
}
