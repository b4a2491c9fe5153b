package document_test

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/document"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/document/layout"
)

// A page has no format: layout breaks it into lines, here for a terminal of 30 cells.
func ExampleDoc() {
	var page document.Doc
	page.Add(
		document.Heading{Level: 1, Text: document.Say("web-0/app")},
		document.Paragraph{Text: document.Say("the process exited by itself with code 3")},
		document.Table{Heads: []string{"POD", "CAUSE"}, Rows: []document.Row{
			{Cells: []document.Text{document.Say("web-0"), document.Say("app-exit-error")}},
		}},
	)
	for _, line := range layout.Lay(page.Blocks, layout.Options{Width: 30}).Lines {
		for _, run := range line {
			fmt.Print(run.Text)
		}
		fmt.Println()
	}
	// Output:
	// web-0/app
	// the process exited by itself
	// with code 3
	// POD     CAUSE
	// web-0   app-exit-error
}
