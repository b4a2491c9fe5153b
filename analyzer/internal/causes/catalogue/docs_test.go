package catalogue_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
)

var update = flag.Bool("update", false, "write docs/causes again")

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
	dir := filepath.Join("..", "..", "..", "..", "docs", "causes")
	want := pages()
	have, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, path := range have {
		if _, ok := want[filepath.Base(path)]; ok {
			continue
		}
		if !*update {
			t.Errorf("%s belongs to no cause: run make generate", path)
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Errorf("%s is missing: run make generate", name)
		} else if string(got) != text {
			t.Errorf("docs/causes/%s is not what the catalogue says: run make generate", name)
		}
	}
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
