// Package kernel reads the kernel log: which processes the out-of-memory killer and memory faults killed, and in which
// cgroup.
//
// It holds the parser of kernel lines, the readers of /dev/kmsg records and of dmesg's text, and the source that reads
// /dev/kmsg of this machine (Linux). It may import diag/evidence, diag/internal/cgroup (names of cgroups),
// diag/internal/hostlog (Talos), diag/safetext, diag/internal/nodefile and the standard library. It never judges
// whether a kill was the cause of anything.
//
// Machines that share a kernel (nested nodes) share its log: the container id in the cgroup path says whose process was
// killed.
package kernel
