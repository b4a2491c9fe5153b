// Package textlog reads logs of nodes that come as text: what the kubelet's node log query returns, and log files that
// someone hands over.
//
// It holds the envelopes (journalctl's short outputs, RFC 3164 and 5424, container logs, klog and logfmt without any),
// the guess which one a file has, and the piece of evidence. It may import diag/evidence, diag/statement (which reads
// the messages), the line formats of diag/kubeletlog and diag/internal/runtimelog, diag/journal and
// diag/internal/kernel (a handed-over file may be theirs), diag/internal/spool, diag/internal/nodefile and the
// standard library.
//
// Text envelopes have neither year nor boot id, and often no time zone: the log's own lines are asked for them, and
// what is assumed is told in a gap.
//
// ReadText is the plain reader. Route does the same with all processors: chunks of lines are taken apart side by side,
// and what counts goes on in order.
package textlog
