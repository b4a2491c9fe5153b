// Package cri reads the records of a node's container runtime: every container and
// pod sandbox that it still remembers, running or not, with the annotations that
// the kubelet left on them; and which runtimes there are.
//
// It reads what crictl and docker print, as JSON and as tables.
//
// It holds the client (Linux only: source_linux.go), the finder of its socket, the
// shape of the file that a bundle stores, and its reader. It may import
// diag/evidence, diag/internal/hostfiles, diag/internal/nodefile, diag/safetext, a YAML parser and,
// on Linux, the CRI client. It calls nothing that changes a container. Of a
// container's OCI spec only the cgroup path is kept, and the node's own
// directories that it mounts: arguments and environment never enter.
package cri
