// Package cgroup reads the cgroup tree of a node: which pods and containers have a
// cgroup, where, what was counted there, and whether the containers' processes
// are where the kubelet expects them.
//
// It holds the naming rules of pod and container cgroups (path.go), the finder and
// reader of the tree and of /proc/<pid>/cgroup, the comparison of the two
// (placement.go), and the reader of the file that a bundle stores. It may import
// diag/evidence, diag/internal/nodefile and diag/safetext. It never writes below
// /sys/fs/cgroup and never judges what a counter means for a restart.
package cgroup
