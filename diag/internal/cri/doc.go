// Package cri reads the records of a node's container runtime: every container and pod sandbox that it still remembers,
// running or not, with the kubelet's annotations; and which runtimes there are.
//
// It also reads what crictl and docker print, as JSON and as tables.
//
// It holds the client (Linux only: source_linux.go), the finder of its socket, the shape of the file that a bundle
// stores, and its reader. It may import diag/evidence, diag/internal/hostfiles, diag/internal/nodefile, diag/safetext,
// a YAML parser and, on Linux, the CRI client. It calls nothing that changes a container. Of a container's OCI spec it
// keeps only the cgroup path and the directories of the node that it mounts: never arguments or environment.
package cri
