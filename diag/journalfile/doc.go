// Package journalfile reads the files of systemd's journal (https://systemd.io/JOURNAL_FILE_FORMAT) without libsystemd
// and without journalctl: regular and compact files, with Jenkins or keyed (SipHash) tables, data compressed with XZ,
// LZ4 or Zstandard, whether archived, being written, or left behind by a crash.
//
// A query has a time window and fields (unit, transport, identifier). The entries are found through the file's own
// index: the hash table leads to the data object of a field, that one lists its entries, and a binary search turns the
// window into a range of offsets. What is outside is not read. Several files are merged into one stream in journalctl's
// order.
//
// Files are read with pread in windows, and never mapped: journald truncates a file when it archives it, and touching a
// mapped page behind the new end kills the process with SIGBUS. It also makes files inside archives readable, and
// allows counting what was read. The cost is a copy from the page cache.
//
// Files are untrusted. Every offset, size and count is checked against the file and against its neighbours; chains must
// lead forwards, so none can loop. A broken part loses only itself and is reported as a hole, because an unreadable
// entry may be the one that matters.
//
// The package knows the format, not the meaning of entries. It may import the decompressors and the standard library.
// Its output is raw: field values become safe text elsewhere.
package journalfile
