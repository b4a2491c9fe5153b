// Package machine creates nodes, of two kinds. Namespaced ones are Debian machines booted by systemd-nspawn, each with
// its own systemd, journald, D-Bus, containerd, network and cgroup roots, all on the kernel of this machine. Emulated
// ones have their own kernel under qemu, with cgroup v2: they can be rebooted, shut down and cut off from power.
//
// It may import ledger, image and binaries. It knows what a node is, not what a cluster is: it gets the kubelet's
// configuration as files. It records everything that it starts or changes on the host in the ledger first, so that
// Remove can undo it after any failure.
package machine
