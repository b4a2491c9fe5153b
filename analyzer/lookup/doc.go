// Package lookup knows what users' words mean: exit codes, signals, reasons of
// containers and pods, reasons and messages of events, lines of logs. For each it has a
// sentence, the causes behind it with how frequent they are, what tells them apart, and
// where the word comes from.
//
// The tables (*_table.go) are the one source; `explain` and docs/words are made of them.
// Shares of exits are package likelihood's. It may import analyzer/internal/causes and its
// catalogue, analyzer/internal/likelihood, analyzer/report, diag/evidence and diag/safetext.
// What never enters: evidence of a cluster, a verdict, and a guess: what is not in the
// tables is not known.
package lookup
