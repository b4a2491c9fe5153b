// Package logfiles collects the logs of kubelets and runtimes that write files of
// their own instead of a journal: those of k3s and RKE2, and of nodes without
// systemd.
//
// It holds the list of such files and their copying: each line gets a full time in
// front (ISO 8601, host, program), so that a bundle tells year and zone, which
// klog's lines do not. It may import diag/evidence, diag/internal/hostfiles, diag/textlog,
// diag/redact, diag/internal/runtimelog and diag/internal/spool. What the lines mean is read where all
// logs are.
package logfiles
