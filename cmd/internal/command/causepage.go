package command

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

// Explained is the page of a cause, "" where there is none.
func Explained(id string) string {
	for _, c := range analyzer.Causes() {
		if c.ID == id {
			text, _ := Page(c.Page)
			return text
		}
	}
	return ""
}

// Page parts a cause's page from the files of its worked example, which are long
// and of use to those who want to execute them.
func Page(doc string) (text, example string) {
	text, rest, ok := strings.Cut(doc, "\n## Worked example\n```txtar\n")
	if ok {
		example, _, _ = strings.Cut(rest, "\n```")
	}
	return strings.TrimRight(text, "\n"), example
}
