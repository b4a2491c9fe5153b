// Package nodelog reads logs of nodes that come as text: what the kubelet's node
// log query returns, and log files that somebody hands over.
//
// It holds the envelopes (syslog in three spellings, container logs, klog and
// logfmt without any), the guess which one a file has, the client of the node log
// query, and the piece of evidence. It may import diag/evidence, diag/statement
// (which reads the messages), the line formats of diag/kubeletlog and
// diag/runtimelog, diag/journal and diag/kernel (a handed-over file may be
// theirs), diag/spool, diag/nodefile, k8s.io/client-go and the standard library.
//
// Text envelopes have neither year nor boot id, and often no time zone: what is
// assumed is told in a gap.
package nodelog
