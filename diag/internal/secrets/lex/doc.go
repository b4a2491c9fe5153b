// Package lex reads how names and values are written: where a name's quotes end, which sign separates it from its
// value, and where the value ends: in quotes, in brackets, in a block of YAML, in a shell word or bare, in any language
// and however often escaped.
//
// It knows no names of secrets. It imports package look and the standard library, and does no I/O.
package lex

// Text is a text to read. Open says what is unfinished at its end.
type Text struct {
	S string
	// Open reopens what the text leaves open at its end; "" for nothing.
	Open string
	// plain is the last value without quotes.
	plain struct{ from, to int }
}

// Mark replaces what was removed.
const Mark = "[redacted]"

// How far a reader looks, in bytes, so that the time is proportional to the text's length.
const (
	// Longest is the maximum length of a name, to each side of the part that identifies it.
	Longest = 64
	// Farthest is how far apart the parts of an address may be.
	Farthest = 256
	// CommandLength is how much of a command is read.
	CommandLength = 512
	// Near is how far to look for the end of a value's brackets, and for what belongs to a name in a line.
	Near = 4096
)

// OpensAgain is the name after which a value continues on the next line.
const OpensAgain = "password: "
