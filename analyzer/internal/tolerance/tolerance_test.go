package tolerance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// elsewhere are packages of the analyzer whose durations do not affect a verdict: what is drawn and printed, details
// next to a verdict, how long preflight waits; likelihood has its own tables, and the constants of kubelets are the
// kubelet's.
var elsewhere = []string{"tolerance", "kubelet", "sim", "present", "document",
	"report", "detail", "likelihood", "preflight",
	"analyzertest", "causestest", "testdata"}

// A duration that the analyzer compares with is a tolerance without a reason.
func TestNoOtherPackageHoldsATolerance(t *testing.T) {
	seen := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(elsewhere, d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		seen++
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, name := range durations(file) {
			t.Errorf("%s: %s: a duration belongs into this package, with its reason", path, name)
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files read: %v", seen, err)
	}
}

// durations lists where a file has an amount of time. A single second does not count: times of the API have whole
// seconds. Arguments of Round and Truncate and formatting of durations are left out, by the names of their functions.
func durations(file *ast.File) (found []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			return !slices.Contains(printers, n.Name.Name)
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			if ok && (f.Sel.Name == "Round" || f.Sel.Name == "Truncate") {
				ast.Inspect(f.X, func(x ast.Node) bool { // what is truncated may contain one
					if e, ok := x.(ast.Expr); ok && unit(e, false) {
						found = append(found, e.(*ast.SelectorExpr).Sel.Name)
					}
					return true
				})
				return false
			}
		case *ast.BinaryExpr:
			if x, number := n.X.(*ast.BasicLit); number && n.Op == token.MUL && unit(n.Y, true) {
				found = append(found, x.Value+" × "+n.Y.(*ast.SelectorExpr).Sel.Name)
				return false
			}
		case *ast.SelectorExpr:
			if unit(n, false) {
				found = append(found, n.Sel.Name)
			}
		}
		return true
	})
	return found
}

// printers format a duration.
var printers = []string{"lasted", "lasting", "within"}

// unit reports whether it is a unit of time, including seconds if they count.
func unit(e ast.Expr, seconds bool) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "time" && (seconds && sel.Sel.Name == "Second" ||
		slices.Contains([]string{"Nanosecond", "Microsecond", "Millisecond", "Minute", "Hour"}, sel.Sel.Name))
}

func TestADurationIsSeen(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "a.go", `package a
import "time"
const a, b = 2*time.Second, 7
var c = time.Minute
var d = time.Now
func e(t time.Time) bool { return t.Add(time.Second).Round(time.Minute).After(t.Add(3*time.Hour)) }
func lasted() { print(time.Hour) }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := durations(file); !slices.Equal(got, []string{"2 × Second", "Minute", "3 × Hour"}) {
		t.Errorf("found %v", got)
	}
}
