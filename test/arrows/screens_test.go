package arrows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modelFiles are those of the viewer's root model. All other files of tui are screens
// and what they are made of.
var modelFiles = []string{"live.go", "model.go", "mouse.go", "preflight.go", "takeaway.go", "view.go"}

// A screen reads the frame and says what it wants done. One that knew the program around
// it could reach into every other screen.
func TestScreensDoNotKnowTheModel(t *testing.T) {
	dir := filepath.Join("..", "..", "tui")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	used, screens := 0, 0
	for _, e := range entries {
		name := e.Name()
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		own := slices.Contains(modelFiles, name)
		if !own {
			screens++
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.Name == "model" {
				used++
				if !own {
					t.Errorf("%s: a screen does not know the model", fset.Position(id.Pos()))
				}
			}
			return true
		})
	}
	if used < 20 || screens < 10 {
		t.Errorf("%d uses of the model and %d other files seen: the check sees nothing", used, screens)
	}
}
