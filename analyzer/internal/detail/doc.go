// Package detail tells what there is to tell about one item of a report beside
// its verdict: what went on around it, who made its hashes, what the kubelet
// decided; and what went on at one node. It is the report.DetailProvider of an analysis.
//
// It may import the evidence and the rest of the analyzer, but no rule of a
// cause: it puts facts in order and into words, and judges nothing. I/O and the
// clock never enter. Nothing is worked out before someone asks.
package detail
