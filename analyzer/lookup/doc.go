// Package lookup explains what users ask about: exit codes, signals, reasons of containers and pods, reasons and
// messages of events, log lines. For each it has a sentence, the possible causes with their frequencies, what
// distinguishes them, and where the term comes from.
//
// The tables (*_table.go) are the only source; `explain` and docs/words are made from them. Shares of exits come from
// package likelihood. It may import analyzer/internal/causes and its catalogue, analyzer/internal/likelihood,
// analyzer/report, diag/evidence and diag/safetext. What never enters: evidence of a cluster, a verdict, and a guess:
// what is not in the tables is unknown.
package lookup
