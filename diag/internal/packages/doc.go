// Package packages reads what a node's package managers logged about the packages that containers depend on: the
// kubelet, the runtime, systemd, the kernel. An update of one of them is the root of many restarts that nobody
// requested.
//
// It holds the readers of the logs of dpkg, apt, dnf, yum and zypper and of snapd's records, the shape of the file that
// a bundle stores (nodes/<node>/packages.json), and its reader. It may import diag/evidence, diag/internal/hostfiles,
// diag/internal/nodefile and diag/safetext. It keeps no command lines, and no name of another package.
package packages
