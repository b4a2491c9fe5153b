// Package packages reads what a node's package managers wrote down about the
// packages that containers depend on: the kubelet, the runtime, systemd, the
// kernel. An update of one of them is the root of many a restart that nobody
// asked for.
//
// It holds the readers of the logs of dpkg, apt, dnf, yum and zypper and of snapd's
// records, the shape of the file that a bundle stores
// (nodes/<node>/packages.json), and its reader. It may import diag/evidence,
// diag/internal/hostfiles, diag/internal/nodefile and diag/safetext. Command lines never enter, and
// no other package's name.
package packages
