// Package vary derives other evidence from the evidence of a corpus entry: poorer (a source, a log level, all events, a
// single line, parts of logs removed), and equal in meaning (shuffled, doubled, renamed, at another time).
//
// It may import entry and diag/evidence. It judges nothing.
package vary
