// Package replay runs the kubelet's decision about one pod of a snapshot: as it is, or under facts that someone
// supposes.
//
// It may import sim, report, the evidence and analyzer/kubelet with its sub-packages. I/O, the clock and
// causes never enter.
// What the evidence does not tell is assumed, and each assumption is in the result.
package replay
