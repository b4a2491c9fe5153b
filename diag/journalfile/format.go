package journalfile

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
)

// Magic is the start of every journal file.
const Magic = "LPKSHHRH"

// Incompatible flags: a reader that does not know one cannot read the file.
const (
	flagXZ      = 1 << 0
	flagLZ4     = 1 << 1
	flagKeyed   = 1 << 2 // since 246
	flagZstd    = 1 << 3 // since 246
	flagCompact = 1 << 4 // since 252
	flagsKnown  = flagXZ | flagLZ4 | flagKeyed | flagZstd | flagCompact
)

// flagSealed is a compatible flag: the file has tags, which readers may skip.
const flagSealed = 1 << 0

// Types of objects.
const (
	typeData       = 1
	typeEntry      = 3
	typeEntryArray = 6
)

// Sizes in bytes of the fixed parts of header and objects.
const (
	headerMin        = 208 // up to tail_entry_monotonic: all that any version has
	objectHeaderSize = 16
	dataSize         = 64
	dataSizeCompact  = 72
	entrySize        = 64
	entryArraySize   = 24
	hashItemSize     = 16
)

// FileState is the state that a file's writer recorded.
type FileState uint8

// The states of a file.
const (
	Offline  FileState = 0 // closed properly, or flushed at the moment
	Online   FileState = 1 // being written, or its writer died
	Archived FileState = 2 // rotated; nothing is appended any more
)

// String returns the state as journalctl --header prints it.
func (s FileState) String() string {
	switch s {
	case Offline:
		return "OFFLINE"
	case Online:
		return "ONLINE"
	case Archived:
		return "ARCHIVED"
	}
	return fmt.Sprintf("state %d", uint8(s))
}

// ID128 is a 128-bit identifier of a machine, boot, file or sequence.
type ID128 [16]byte

// String returns the identifier in the journal's notation: 32 hex digits, no dashes.
func (id ID128) String() string { return hex.EncodeToString(id[:]) }

// ParseID parses 32 hex digits, with or without dashes.
func ParseID(s string) (ID128, error) {
	var id ID128
	digits := make([]byte, 0, 32)
	for i := range len(s) {
		if s[i] != '-' {
			digits = append(digits, s[i])
		}
	}
	if len(digits) != 32 {
		return id, fmt.Errorf("parse id %q: want 32 hex digits", s)
	}
	if _, err := hex.Decode(id[:], digits); err != nil {
		return ID128{}, fmt.Errorf("parse id %q: %w", s, err)
	}
	return id, nil
}

var (
	// ErrNotJournal is wrapped for a file that is not a journal file.
	ErrNotJournal = errors.New("not a journal file")
	// ErrUnsupported is wrapped for a journal file in a newer format than this reader knows.
	ErrUnsupported = errors.New("a journal format that is not known yet")
	// errCorrupt is wrapped for violations of the format.
	errCorrupt = errors.New("corrupt")
)

// Header is the content of a file's header. Times are microseconds since 1970 by the clock of the machine that wrote
// it; zero where the file has no entry.
type Header struct {
	Compatible, Incompatible uint32
	State                    FileState
	FileID, MachineID        ID128
	TailBoot                 ID128 // of the last entry; of the last writer before systemd 254
	SeqnumID                 ID128
	Entries                  uint64
	HeadSeqnum, TailSeqnum   uint64
	HeadRealtime             uint64
	TailRealtime             uint64
	headerSize               uint64
	dataTable, dataTableSize uint64
	entryArray               uint64
}

// Compact reports whether offsets are stored in 32 bits.
func (h *Header) Compact() bool { return h.Incompatible&flagCompact != 0 }

// Keyed reports whether the hash tables are keyed with the file's id.
func (h *Header) Keyed() bool { return h.Incompatible&flagKeyed != 0 }

// Sealed reports whether the file has authentication tags. They are not verified: that needs the key, which is not on
// the machine.
func (h *Header) Sealed() bool { return h.Compatible&flagSealed != 0 }

// String describes the variant of the format.
func (h *Header) String() string {
	s := "regular"
	if h.Compact() {
		s = "compact"
	}
	if h.Keyed() {
		s += ", keyed"
	} else {
		s += ", jenkins"
	}
	for _, f := range []struct {
		bit  uint32
		name string
	}{{flagXZ, "xz"}, {flagLZ4, "lz4"}, {flagZstd, "zstd"}} {
		if h.Incompatible&f.bit != 0 {
			s += ", " + f.name
		}
	}
	if h.Sealed() {
		s += ", sealed"
	}
	return s + ", " + h.State.String()
}

// parseHeader parses the first bytes of a file with size bytes.
func parseHeader(b []byte, size int64) (Header, error) {
	var h Header
	if len(b) < len(Magic) || string(b[:len(Magic)]) != Magic {
		return h, ErrNotJournal
	}
	if len(b) < headerMin {
		return h, fmt.Errorf("%w: %d bytes, less than a header", errCorrupt, len(b))
	}
	u32, u64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	h.Compatible, h.Incompatible = u32(b[8:]), u32(b[12:])
	if odd := h.Incompatible &^ flagsKnown; odd != 0 {
		return h, fmt.Errorf("%w (incompatible flags %#x)", ErrUnsupported, odd)
	}
	h.State = FileState(b[16])
	h.FileID, h.MachineID = ID128(b[24:40]), ID128(b[40:56])
	h.TailBoot, h.SeqnumID = ID128(b[56:72]), ID128(b[72:88])
	h.headerSize = u64(b[88:])
	h.dataTable, h.dataTableSize = u64(b[104:]), u64(b[112:])
	h.Entries = u64(b[152:])
	h.TailSeqnum, h.HeadSeqnum = u64(b[160:]), u64(b[168:])
	h.entryArray = u64(b[176:])
	h.HeadRealtime, h.TailRealtime = u64(b[184:]), u64(b[192:])
	if h.headerSize < headerMin || h.headerSize > uint64(size) || h.headerSize%8 != 0 {
		return h, fmt.Errorf("%w: a header of %d bytes in a file of %d", errCorrupt, h.headerSize, size)
	}
	// An implausible table is ignored: entries are then found without it.
	h.dataTable, h.dataTableSize = table(h.dataTable, h.dataTableSize, h.headerSize, size)
	return h, nil
}

// table returns offset and size of a hash table, zeros if they are implausible.
func table(offset, length, headerSize uint64, size int64) (uint64, uint64) {
	if offset < headerSize+objectHeaderSize || offset%8 != 0 || length < hashItemSize || length%hashItemSize != 0 ||
		offset > uint64(size) || length > uint64(size)-offset {
		return 0, 0
	}
	return offset, length
}
