package command

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer"
)

// Explained returns the page of a cause, "" if there is none.
func Explained(id string) string {
	for _, c := range analyzer.Causes() {
		if c.ID == id {
			return c.Page
		}
	}
	return ""
}
