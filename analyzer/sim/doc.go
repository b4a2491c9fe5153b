// Package sim simulates the kubelet's decision about one pod: PodState is what the kubelet sees when it decides, a
// Hypothesis is a change to that state which someone supposes or a cause implies, and Play decides until nothing is
// left to do.
//
// Who builds a PodState says where it comes from: replay from the pod's API object and the runtime's records, predict
// from the timeline right before an end. It may import analyzer/kubelet with its sub-packages and Kubernetes' types.
// The evidence, findings, causes, I/O and the clock never enter.
package sim
