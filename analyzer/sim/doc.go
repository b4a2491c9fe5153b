// Package sim simulates the kubelet's decision about one pod: PodState is what the kubelet sees when it decides, a
// Hypothesis is a supposed or implied change to that state, and Play decides until nothing is left to do.
//
// The caller builds a PodState: replay from the pod's API object and the runtime's records, predict from the timeline
// right before an end. It may import analyzer/kubelet with its sub-packages and Kubernetes' types. The evidence,
// findings, causes, I/O and the clock never enter.
package sim
