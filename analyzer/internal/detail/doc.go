// Package detail provides what is known about one item of a report besides its verdict: what happened around it, who
// made its hashes, what the kubelet decided; and what happened on one node. It is the report.DetailProvider of an
// analysis.
//
// It may import the evidence and the rest of the analyzer, but no rule of a cause: it orders and describes facts, and
// judges nothing. I/O and the clock never enter. Nothing is computed before it is requested.
package detail
