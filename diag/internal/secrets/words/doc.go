// Package words holds the only list of secrets' names, and answers questions about words: which kind of secret a name
// is of (names.go), and whether a value can be one of that kind, or says something about it (values.go, meanings.go).
//
// It does not know where a value is, and cuts out nothing: packages that do ask it. It imports packages lex and look
// and the standard library, and does no I/O.
package words
