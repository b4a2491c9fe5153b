// Package decide is the kubelet's decision about one pod, re-implemented for every minor since 1.5: what is killed,
// what is kept, what is started, and why. ComputePodActions is kuberuntime_manager.go computePodActions and what it
// calls; Decide adds what the kubelet checks before (kubelet.go SyncPod) and after (back-off, restart counts). Up to
// 1.7 another function decided, computePodContainerChanges; for 1.5 only the way through CRI is modelled, not the
// docker manager that was its default. Given the same spec, the same state and the same version, it acts as that
// kubelet would, oddities included.
//
// It may import k8s.io/api types, apimachinery's quantities, analyzer/kubelet and its hash. Collected evidence (diag),
// I/O, the clock and judgement about causes never enter: time is an argument, the caller provides the state.
package decide
