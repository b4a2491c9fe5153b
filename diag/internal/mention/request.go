package mention

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file tells a request from a report. Who asks for a change, of a program or of a page, speaks of ends in general;
// only some of the sentences tell of one that was.

// request reports whether a title asks for a change, as those of pull requests, features and suggestions do. Who wants
// more memory or a longer probe tells with that what was wrong.
func request(title string) bool {
	at := changes.FindStringIndex(title)
	return at != nil && !strings.HasPrefix(title[at[1]:], "of ") || ofRequests.MatchString(title)
}

// reports reports whether a sentence in a request tells of what was seen: a person speaks of himself, of a pod by its
// name or of something that was, and not of what might be.
func reports(s string) bool {
	return (own.MatchString(s) || seen.MatchString(s) || naming.In(s).Pod != "") && !imagined.MatchString(s)
}
