// Package systemd asks a node's systemd how the kubelet's and the container
// runtime's units are doing: since when they run, how often they were restarted by
// systemd, and how they ended last.
//
// It holds the questions, the connection over D-Bus (Linux only: bus_linux.go),
// the shape of the file that a bundle stores, and its reader. It may import
// diag/evidence, diag/internal/nodefile, diag/safetext and, on Linux, go-systemd. It only
// reads properties, and never those that hold a unit's environment or command
// line.
package systemd
