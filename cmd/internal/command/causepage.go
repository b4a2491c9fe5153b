package command

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

// Explained is the page of a cause, "" where there is none.
func Explained(id string) string {
	for _, c := range analyzer.Causes() {
		if c.ID == id {
			return c.Page
		}
	}
	return ""
}
