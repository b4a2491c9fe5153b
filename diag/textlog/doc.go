// Package textlog reads node logs in text form: the kubelet's node log query answers, and log files from users.
//
// It holds the envelopes (journalctl's short outputs, RFC 3164 and 5424, container logs, bare klog and logfmt), the
// detection of a file's envelope, and the piece of evidence. It may import diag/evidence, diag/statement (which reads
// the messages), the line formats of diag/kubeletlog and diag/internal/runtimelog, diag/journal and
// diag/internal/kernel (a user's file may be in their formats), diag/internal/spool, diag/internal/nodefile and the
// standard library.
//
// Text envelopes have neither year nor boot id, and often no time zone: these are inferred from the log's own lines,
// and a gap reports what is assumed.
//
// ReadText is the simple reader. Route does the same on all processors: chunks of lines are parsed in parallel, and
// relevant lines are passed on in order.
package textlog
