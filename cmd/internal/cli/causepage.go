package cli

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/causes/catalogue"
)

// explained is the page of a cause, "" where there is none.
func explained(id string) string {
	for _, c := range catalogue.All() {
		if string(c.ID) == id {
			text, _ := page(c.Doc)
			return text
		}
	}
	return ""
}

// page parts a cause's page from the files of its worked example, which are long
// and of use to those who want to execute them.
func page(doc string) (text, example string) {
	text, rest, ok := strings.Cut(doc, "\n## Worked example\n```txtar\n")
	if ok {
		example, _, _ = strings.Cut(rest, "\n```")
	}
	return strings.TrimRight(text, "\n"), example
}
