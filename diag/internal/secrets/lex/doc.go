// Package lex reads how names and values are written: where a name's quotes end, which sign stands between it and its
// value, and where the value ends, be it in quotes, in brackets, in a block of YAML, in a word of a shell or bare, of
// whatever language and however often escaped.
//
// It knows no name of a secret. It imports package look and the standard library, and does no I/O.
package lex

// Text is a text that is read. What is at its end unfinished, Open tells.
type Text struct {
	S string
	// Open opens again what the text leaves open at its end; "" for nothing.
	Open string
	// plain is the last value without quotes.
	plain struct{ from, to int }
}

// Mark stands where something was taken out.
const Mark = "[redacted]"

// How far a reader looks, in bytes, so that any text costs time in proportion to its length.
const (
	// Longest is how long a name may be, to each side of what makes it one.
	Longest = 64
	// Farthest is how far apart the parts of an address may be.
	Farthest = 256
	// CommandLength is how much of a command is read.
	CommandLength = 512
	// Near is how far a value may look for the end of its brackets, and a line for what goes with a name.
	Near = 4096
)

// OpensAgain is the name behind which a value goes on in the next line.
const OpensAgain = "password: "
