// Package journal reads systemd's journal: the export format
// (https://systemd.io/JOURNAL_EXPORT_FORMATS), journalctl's JSON outputs and its
// verbose one as streams, and the source that asks journalctl of a node for the
// first.
//
// It holds the readers, the source and the piece of evidence. It may import
// diag/evidence, diag/statement (which reads the messages), diag/spool,
// diag/nodefile, diag/safetext and the standard library. What is stored has only
// the fields that are read: the others hold command lines and identities.
package journal
