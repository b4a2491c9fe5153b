// Package hostfiles reads what a node's own files tell about the node: its name,
// its boot, its kernel and time zone, and which cgroups its kubelet was told to
// use.
//
// It holds the reader of /proc and /etc, the shape of the file that a bundle
// stores, and its reader. It may import diag/evidence, diag/nodefile,
// diag/safetext and a YAML parser. Of the kubelet's command line and configuration
// only the node's name and the cgroup settings are kept; no other flag or key ever
// enters.
package hostfiles
