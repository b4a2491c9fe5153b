// Package journalfile reads the files that systemd's journal is kept in
// (https://systemd.io/JOURNAL_FILE_FORMAT) without libsystemd and without
// journalctl: regular and compact files, with Jenkins or keyed (SipHash) tables,
// data compressed with XZ, LZ4 or Zstandard, whether archived, being written,
// or left behind by a crash.
//
// A query names a window of time and fields (unit, transport, identifier). The
// entries are found through the file's own index: the hash table leads to the
// data object of a field, that one lists its entries, and a binary search turns
// the window into a range of offsets. What lies outside is not read. Several
// files come out as one stream in journalctl's order.
//
// Files are read with pread in windows, and never mapped: journald truncates a
// file when it archives it, and touching a mapped page behind the new end kills
// the process with SIGBUS. It also makes files inside archives readable, and
// gives a figure of what was read. The cost is a copy from the page cache.
//
// A file is untrusted. Every offset, size and count is checked against the file
// and against its neighbours; chains must lead forwards, so none can loop; what
// is broken costs itself alone and is reported as a hole, because an entry that
// could not be read may be the one that is looked for.
//
// The package holds the format and nothing of what entries mean. It may import
// the decompressors and the standard library. What it hands out is raw: field
// values become safe text elsewhere.
package journalfile
