// Package exchange compares a prediction with what happens while kubelets are exchanged: two states of a cluster, and a
// watcher that goes from one to the next.
//
// It may import analyzer/preflight, analyzer/report and diag/evidence.
package exchange
