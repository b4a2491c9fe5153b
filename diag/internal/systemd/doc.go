// Package systemd reads from a node's systemd the state of the kubelet's and the container runtime's units: since when
// they have been running, how often systemd restarted them, and how they last ended.
//
// It holds the queries, the connection over D-Bus (Linux only: bus_linux.go), the shape of the file that a bundle
// stores, and its reader. It may import diag/evidence, diag/internal/nodefile, diag/safetext and, on Linux, go-systemd.
// It only reads properties, and never those with a unit's environment or command line.
package systemd
