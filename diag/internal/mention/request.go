package mention

// This file tells a request from a report. Who asks for a change, of a program or of a page, speaks of ends in general;
// only some of the sentences tell of one that was.

// request reports whether a title asks for a change, as those of pull requests, features and suggestions do. Who wants
// more memory or a longer probe tells with that what was wrong.
func request(title string) bool {
	return changes.MatchString(title) || ofRequests.MatchString(title)
}

// reports reports whether a sentence in a request tells of what was seen: a person speaks of himself, or of something
// that was, and not of what might be.
func reports(s string) bool {
	return (own.MatchString(s) || seen.MatchString(s)) && !imagined.MatchString(s)
}
