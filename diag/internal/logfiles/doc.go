// Package logfiles collects the logs of kubelets and runtimes that write their own files instead of a journal: k3s and
// RKE2, and nodes without systemd.
//
// It holds the list of such files and copies them: each line gets a full timestamp in front (ISO 8601, host, program),
// so that a bundle has year and zone, which klog's lines lack. It may import diag/evidence, diag/internal/hostfiles,
// diag/textlog, diag/redact, diag/internal/runtimelog and diag/internal/spool. The lines are parsed where all logs are.
package logfiles
