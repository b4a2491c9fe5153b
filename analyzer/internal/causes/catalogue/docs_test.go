package catalogue_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
)

// pages returns the files of docs/causes: each cause's page without the files of its example, and an index.
func pages() map[string]string {
	files := map[string]string{}
	var index strings.Builder
	index.WriteString(
		"# Causes\n\nWhat `kubectl restartwhy explain CAUSE` prints. Generated from the pages beside the rules (`make generate`).\n\n")
	for _, c := range catalogue.All() {
		text, example := c.Page()
		text += "\n"
		if example != "" {
			text += fmt.Sprintf(
				"\n## Worked example\n`kubectl restartwhy explain %s --example` prints the files of a recording and the verdict that they lead to; the tests execute them.\n", c.ID)
		}
		files[string(c.ID)+".md"] = text
		fmt.Fprintf(&index, "- [`%s`](%s.md): %s\n", c.ID, c.ID, c.Title)
	}
	files["README.md"] = index.String()
	return files
}

func TestTheDocumentsOfTheCausesAreUpToDate(t *testing.T) {
	filetest.Folder(t, filepath.Join("..", "..", "..", "..", "docs", "causes"), pages())
}

func TestEveryPageHasItsHeadAndItsLineInTheIndex(t *testing.T) {
	all := pages()
	for _, c := range catalogue.All() {
		if page := all[string(c.ID)+".md"]; !strings.HasPrefix(page, "# "+string(c.ID)+": "+c.Title+"\n") ||
			strings.Contains(page, "```txtar") {
			t.Errorf("%s: its page begins with %.40q", c.ID, page)
		}
		if n := strings.Count(all["README.md"], "("+string(c.ID)+".md): "); n != 1 {
			t.Errorf("%s stands in the index %d times", c.ID, n)
		}
	}
}
