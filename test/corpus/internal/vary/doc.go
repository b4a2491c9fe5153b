// Package vary makes other evidence out of the evidence of a corpus entry: poorer
// (a source, a log level, all events, a single line taken away), and equal in
// meaning (shuffled, doubled, renamed, at another time).
//
// It may import entry and diag/evidence. It judges nothing.
package vary
