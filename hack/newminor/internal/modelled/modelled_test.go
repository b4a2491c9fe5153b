package modelled

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

func TestEveryPlaceOfOursIsThere(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range Parts {
		if seen[p.Key()] {
			t.Errorf("%s is listed twice", p.Key())
		}
		seen[p.Key()] = true
		file := filepath.Join("..", "..", "..", "..", filepath.FromSlash(p.File))
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Errorf("%s: %v", p.Key(), err)
			continue
		}
		found := false
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			found = found || ok && f.Name.Name == p.Func
		}
		if !found {
			t.Errorf("%s: there is no function %s in %s", p.Key(), p.Func, p.File)
		}
	}
}
