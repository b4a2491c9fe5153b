// Package machine makes nodes: Debian machines booted by systemd-nspawn, each
// with its own systemd, journald, D-Bus, containerd, network and cgroup roots,
// all on the kernel of this machine.
//
// It may import ledger and image. It knows what a node is, not what a cluster
// is: the kubelet's configuration is handed to it as files. Whatever it starts
// or changes on the host is in the ledger first, so that Remove can undo it
// after any failure.
package machine
