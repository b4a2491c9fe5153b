package mention

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file tells a request from a report. Who asks for a change, of a program or of a page, speaks of ends in general;
// only some of the sentences tell of one that was.

// request reports whether a title asks for a change, as those of pull requests, features and suggestions do. Who names
// a pod, or says that something ended, reports; and who wants more memory or a longer probe tells what was wrong.
func request(title string) bool {
	if naming.In(title).Pod != "" {
		return false
	}
	if end := told.FindStringIndex(title); end != nil && !governed.MatchString(title[:end[0]]) {
		return false
	}
	at := changes.FindStringIndex(title)
	return at != nil && !strings.HasPrefix(title[at[1]:], "of ") || ofRequests.MatchString(title)
}

// reports reports whether a sentence in a request tells of what was seen: a person speaks of himself, of a pod by its
// name or of something that was, and not of what might be.
func reports(s string) bool {
	return (own.MatchString(s) || seen.MatchString(s) || endsOnly.MatchString(s) || naming.In(s).Pod != "") &&
		!imagined.MatchString(s)
}
