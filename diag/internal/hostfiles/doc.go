// Package hostfiles reads what a node's own files say about the node: its name, its boot, its kernel and time zone, and
// how its kubelet is configured.
//
// It holds the reader of /proc and /etc, the shape of the file that a bundle stores, and its reader. It may import
// diag/evidence, diag/internal/nodefile, diag/safetext and a YAML parser. Of the kubelet's command line and
// configuration it keeps only the settings that restarts depend on (settings.go), and the names of the other flags: no
// other value or key.
package hostfiles
