// Types cuts the types that a container reaches out of one upstream types.go and prints them as a package of their own,
// so that they can be built without the libraries of their time. Methods are left behind: the kubelet's print calls none.
//
//	types FILE
package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
)

func main() {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, os.Args[1], nil, parser.SkipObjectResolution)
	if err != nil {
		fail(err)
	}
	specs := map[string]*ast.TypeSpec{}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			specs[spec.Name.Name] = spec
		}
		return true
	})
	names, seen := []string{"Container"}, map[string]bool{"Container": true}
	for i := 0; i < len(names); i++ {
		ast.Inspect(specs[names[i]].Type, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && specs[id.Name] != nil && !seen[id.Name] {
				seen[id.Name] = true
				names = append(names, id.Name)
			}
			return true
		})
	}
	fmt.Printf("package %s\n\nimport (\n\t\"k8s.io/apimachinery/pkg/api/resource\"\n\t\"k8s.io/apimachinery/pkg/util/intstr\"\n)\n", file.Name.Name)
	for _, name := range names {
		fmt.Print("\n")
		if err := format.Node(os.Stdout, files, &ast.GenDecl{Tok: token.TYPE, Specs: []ast.Spec{specs[name]}}); err != nil {
			fail(err)
		}
		fmt.Print("\n")
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "types:", err)
	os.Exit(1)
}
