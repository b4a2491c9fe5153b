package dataset

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// terms are the words of a filter: it keeps the items that contain every word, ignoring case; a word after `!` must not
// occur. A lone `!` is ignored.
type terms struct{ with, without []string }

// parseTerms parses what was typed.
func parseTerms(s string) terms {
	var f terms
	for _, w := range strings.Fields(strings.ToLower(s)) {
		if rest, negated := strings.CutPrefix(w, "!"); !negated {
			f.with = append(f.with, w)
		} else if rest != "" {
			f.without = append(f.without, rest)
		}
	}
	return f
}

func (f terms) empty() bool { return len(f.with)+len(f.without) == 0 }

// search reports for every item whether it passes. The text of an item's incident counts as the item's.
func (ix *index) search(r *report.Report, f terms) []bool {
	left := make([]uint8, len(ix.ends)) // words that an item still lacks
	for i := range left {
		left[i] = uint8(len(f.with))
	}
	for _, w := range f.with {
		ix.each(r, w, func(item int32) { left[item]-- })
	}
	keep := make([]bool, len(left))
	for i, n := range left {
		keep[i] = n == 0
	}
	for _, w := range f.without {
		ix.each(r, w, func(item int32) { keep[item] = false })
	}
	return keep
}

// each calls do once for every item whose line, or whose incident's, contains w. It searches the whole block at once:
// that is several times faster than line by line.
func (ix *index) each(r *report.Report, w string, do func(item int32)) {
	named := map[string]bool{}
	for i, line := range ix.incidents {
		if strings.Contains(line, w) {
			named[r.Incidents[i].ID] = true
		}
	}
	byIncident := func(i int) bool { return len(named) > 0 && r.Items[i].Incident != "" && named[r.Items[i].Incident] }
	item := 0
	for at := 0; item < len(ix.ends); {
		n := strings.Index(ix.text[at:], w)
		end := len(ix.text)
		if n >= 0 {
			end = at + n
		}
		for item < len(ix.ends) && int(ix.ends[item]) <= end {
			if byIncident(item) {
				do(int32(item))
			}
			item++
		}
		if n < 0 || item == len(ix.ends) {
			return
		}
		// A word contains no line end, so a match is within one item's line.
		do(int32(item))
		at = int(ix.ends[item])
		item++
	}
}
