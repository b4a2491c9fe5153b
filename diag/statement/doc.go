// Package statement turns the entries of a log, whatever envelope they came in,
// into observations: it hands each entry to the parser of whoever wrote it.
//
// It holds the router, the lists of unit names of kubelets and runtimes, and the
// reader of systemd's own lines about them. It may import diag/evidence, the
// parsers (kubeletlog, runtimelog, kernel, hostlog), diag/safetext and the
// standard library. It does no I/O: the readers of envelopes feed it.
package statement
