// Package hostfiles reads what a node's own files tell about the node: its name,
// its boot, its kernel and time zone, and how its kubelet was set up.
//
// It holds the reader of /proc and /etc, the shape of the file that a bundle
// stores, and its reader. It may import diag/evidence, diag/internal/nodefile,
// diag/safetext and a YAML parser. Of the kubelet's command line and configuration
// only the settings that restarts depend on are kept (settings.go), and of the other
// flags their names; no other value or key ever enters.
package hostfiles
