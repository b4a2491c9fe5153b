// Package statement turns the entries of a log, whatever its envelope, into observations: it passes each entry to the
// parser for its writer.
//
// It holds the router, the work on entries that can be done in parallel before it (Prepared, Thinner), the lists of
// unit names of kubelets and runtimes, and the reader of systemd's own lines about them. It may import diag/evidence,
// the parsers (kubeletlog, runtimelog, kernel, hostlog), diag/safetext and the standard library. It does no I/O: the
// readers of envelopes feed it.
package statement
