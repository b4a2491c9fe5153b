// Package journal reads systemd's journal: its files on a node or in a bundle, the export format
// (https://systemd.io/JOURNAL_EXPORT_FORMATS) and journalctl's JSON and verbose outputs as streams, and the source that
// collects the journal of a node.
//
// The source has several ways to read the same entries. The first one reads the files (diag/journalfile) and needs
// nothing but permission; the second one runs journalctl. Either way, the result is an export with only the fields that
// are used: the others hold command lines and identities.
//
// It may import diag/evidence, diag/journalfile, diag/statement (which parses the messages), diag/internal/spool,
// diag/internal/nodefile, diag/redact, diag/safetext and the standard library.
package journal
