// Package cri reads the records of a node's container runtime: every container and
// pod sandbox that it still remembers, running or not, with the annotations that
// the kubelet left on them.
//
// It holds the client (Linux only: source_linux.go), the shape of the file that a
// bundle stores, and its reader. It may import diag/evidence, diag/nodefile,
// diag/safetext and, on Linux, the CRI client. It calls nothing that changes a
// container. Of a container's OCI spec only the cgroup path is kept: arguments,
// environment and mounts never enter.
package cri
