// Package hash recomputes what the kubelet of any minor stores with a container to detect a changed definition: the
// annotation io.kubernetes.container.hash (container/helpers.go HashContainer). It answers which kubelets could have
// written a stored hash for a given container, and which would treat the container as changed.
//
// It may import k8s.io/api/core/v1, apimachinery's resource and intstr, and the standard library. Collected evidence
// (diag), judgement, I/O and the clock never enter. The hashed text up to 1.30 contains values of environment
// variables, so only sums leave the package.
package hash
