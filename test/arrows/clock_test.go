package arrows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// ownTime: folders whose programs may read the machine's clock, each with its reason. They are no part of the plugin,
// and none of their results depends on the day. .golangci.yaml has the same list.
var ownTime = map[string]string{
	"diag/clock":    "it is the clock",
	"test/bench":    "measures",
	"test/journals": "measures",
	"test/lab":      "waits for real nodes, and compares their clocks with this machine's",
	"test/oracle":   "measures; draws a seed",
}

// machineTime returns where a file reads the machine's clock: names of functions by their position.
func machineTime(fset *token.FileSet, f *ast.File) (found []string) {
	name := ""
	for _, i := range f.Imports {
		if path, _ := strconv.Unquote(i.Path.Value); path == "time" {
			if name = "time"; i.Name != nil {
				name = i.Name.Name
			}
		}
	}
	if name == "" {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || x.Name != name {
			return true
		}
		switch sel.Sel.Name {
		case "Now", "Since", "Until":
			found = append(found, fset.Position(sel.Pos()).String()+": time."+sel.Sel.Name)
		}
		return true
	})
	if name == "." {
		found = append(found, fset.Position(f.Pos()).String()+`: import . "time"`)
	}
	return found
}

// The program's results must not depend on the day of the test. A stopwatch (clock.Stopwatch) is for what only
// measures.
func TestOneClock(t *testing.T) {
	root := filepath.Join("..", "..")
	files, used := 0, map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && len(name) > 2) {
			return filepath.SkipDir
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		found := machineTime(fset, f)
		if len(found) == 0 {
			return nil
		}
		in, _ := filepath.Rel(root, path)
		for folder := range ownTime {
			if strings.HasPrefix(filepath.ToSlash(in), folder+"/") {
				used[folder] = true
				return nil
			}
		}
		for _, where := range found {
			t.Errorf("%s: diag/clock is the only clock", where)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files seen", files)
	}
	for folder := range ownTime {
		if !used[folder] {
			t.Errorf("nothing in %s asks for the time: take it off the list", folder)
		}
	}
}

func TestEveryWayToTheMachinesTimeIsSeen(t *testing.T) {
	for source, want := range map[string]int{
		`import "time"; var a, b = time.Now(), time.Since(x)`:            2,
		`import t "time"; var now = t.Now; var c = t.Until(x)`:           2,
		`import . "time"; var now = Now`:                                 1,
		`import "time"; var d = time.Duration(1); var e = clock.Now()`:   0,
		`import time "example.org/other"; var e = time.Now()`:            0,
		`import "time"; func f() { g(func() any { return time.Now() })}`: 1,
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "x.go", "package x; "+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := machineTime(fset, f); len(got) != want {
			t.Errorf("%s: found %q, want %d", source, got, want)
		}
	}
}
