// Package replay runs the kubelet's decision about one pod of a snapshot: as it is, or under supposed facts.
//
// It may import sim, report, the evidence and analyzer/kubelet with its sub-packages. I/O, the clock and causes never
// enter. What the evidence does not contain is assumed, and each assumption is in the result.
package replay
