package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/restartwhy/kubectl-restartwhy/diag/filetest"
	"github.com/restartwhy/kubectl-restartwhy/tui/internal/screen"
)

//go:generate go test -run TestTheKeysDocumentIsUpToDate -update .

// keysMarkdown returns docs/KEYS.md: every key of the viewer, in tables.
func keysMarkdown() string {
	var b strings.Builder
	b.WriteString("# Keys of the viewer\n\nGenerated from the keymap (`make generate`). In the viewer `?` shows the " +
		"same.\n")
	for _, g := range screen.Keys().Groups() {
		fmt.Fprintf(&b, "\n## %s\n\n| Key | Does |\n|---|---|\n", g.Title)
		for _, k := range g.Bindings {
			// Every key, not only those that help has room for.
			names := make([]string, len(k.Keys()))
			for i, name := range k.Keys() {
				names[i] = "`" + name + "`"
			}
			fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(names, " "), k.Help().Desc[strings.Index(k.Help().Desc, "|")+1:])
		}
	}
	b.WriteString("\nWhile a filter or a search is typed, every other key is text; `enter` keeps it, `esc` drops it. Up " +
		"and down move the list meanwhile.\n")
	return b.String()
}

func TestTheKeysDocumentIsUpToDate(t *testing.T) {
	filetest.Golden(t, filepath.Join("..", "docs", "KEYS.md"), keysMarkdown())
}
