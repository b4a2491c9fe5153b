package analyzer

import (
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/causes/catalogue"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/likelihood"
)

// Cause is an entry of the catalogue: the ids that verdicts, chains and filters use.
type Cause struct {
	ID, Title string
	Page      string // Markdown
	Example   string // the files of its worked example, a txtar archive; "" for none
	Claimed   bool   // false for the fallback when no rule claims, and for what only chains name
	Decides   string // what would decide in its favour where other causes fit as well
}

// CauseIDs returns the ids of the catalogue, in its order.
func CauseIDs() (ids []string) {
	for _, r := range catalogue.All() {
		ids = append(ids, string(r.ID))
	}
	return ids
}

// Causes returns the catalogue, by id.
func Causes() (all []Cause) {
	for _, r := range catalogue.All() {
		c := Cause{ID: string(r.ID), Title: r.Title, Claimed: r.Claim != nil}
		c.Page, c.Example = r.Page()
		if w, ok := likelihood.In(r.ID); ok {
			c.Decides = w.Decides
		}
		all = append(all, c)
	}
	return all
}
