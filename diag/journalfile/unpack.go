package journalfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz/lzma"
)

// Flags of a data object for the compression of its payload.
const (
	dataXZ   = 1 << 0
	dataLZ4  = 1 << 1
	dataZstd = 1 << 2
)

// unpacker decompresses payloads.
type unpacker struct{ zstd *zstd.Decoder }

// unpack appends the decompressed payload, of 1 to maxFieldBytes bytes, to dst.
func (u *unpacker) unpack(flags byte, packed, dst []byte) (out []byte, err error) {
	switch flags & (dataXZ | dataLZ4 | dataZstd) {
	case dataZstd:
		out, err = u.unzstd(packed, dst)
	case dataLZ4:
		out, err = unlz4(packed, dst)
	case dataXZ:
		out, err = unxz(packed, dst)
	default:
		return dst, fmt.Errorf("compressed in several ways (flags %#x)", flags)
	}
	if err == nil && len(out) == len(dst) {
		err = errors.New("nothing is in it")
	}
	if err != nil {
		return dst, err
	}
	return out, nil
}

func (u *unpacker) unzstd(packed, dst []byte) ([]byte, error) {
	if u.zstd == nil {
		var err error
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(maxEntryBytes+maxFieldBytes), zstd.WithDecoderLowmem(true))
		if err != nil {
			return dst, fmt.Errorf("make zstd decoder: %w", err)
		}
	}
	at := len(dst)
	out, err := u.zstd.DecodeAll(packed, dst)
	if err == nil && len(out)-at > maxFieldBytes {
		err = zstd.ErrDecoderSizeExceeded
	}
	if err != nil {
		return dst, fmt.Errorf("zstd: %w", err)
	}
	return out, nil
}

// unlz4 reads systemd's own frame: the size in 64 bits, then one block.
func unlz4(packed, dst []byte) ([]byte, error) {
	if len(packed) <= 8 {
		return dst, errors.New("lz4: too short")
	}
	size := binary.LittleEndian.Uint64(packed)
	// LZ4 cannot do better than 255 to one, so a false size alone allocates no memory. The size must not be zero: the
	// decoder would then write out of bounds.
	if size == 0 || size > maxFieldBytes || size > uint64(len(packed))*256 {
		return dst, fmt.Errorf("lz4: %d bytes in %d", size, len(packed))
	}
	at := len(dst)
	dst = append(dst, make([]byte, size)...)
	n, err := lz4.UncompressBlock(packed[8:], dst[at:])
	if err != nil {
		return dst[:at], fmt.Errorf("lz4: %w", err)
	}
	if uint64(n) != size {
		return dst[:at], fmt.Errorf("lz4: %d bytes instead of %d", n, size)
	}
	return dst, nil
}

// unxz reads the first block of an .xz stream; systemd writes only one. There are no checks to verify: systemd writes
// none.
func unxz(packed, dst []byte) ([]byte, error) {
	block, dict, err := xzBlock(packed)
	if err != nil {
		return dst, fmt.Errorf("xz: %w", err)
	}
	// No reference can reach further back than the field is long.
	r, err := lzma.Reader2Config{DictCap: int(min(dict, maxFieldBytes))}.NewReader2(bytes.NewReader(block))
	if err != nil {
		return dst, fmt.Errorf("xz: %w", err)
	}
	out := bytes.NewBuffer(dst)
	n, err := io.CopyN(out, r, maxFieldBytes+1)
	switch {
	case err == nil:
		return dst, fmt.Errorf("xz: more than %d bytes", n-1)
	case !errors.Is(err, io.EOF):
		return dst, fmt.Errorf("xz: %w", err)
	}
	return out.Bytes(), nil
}

// xzBlock returns the LZMA2 data of the first block and the size of its
// dictionary (https://tukaani.org/xz/xz-file-format.txt, sections 2.1.1, 3.1 and
// 5.3.1).
func xzBlock(b []byte) (block []byte, dict uint64, err error) {
	const streamHeader = 12
	if len(b) < streamHeader+8 || string(b[:6]) != "\xfd7zXZ\x00" {
		return nil, 0, errors.New("no stream header")
	}
	b = b[streamHeader:]
	size := (int(b[0]) + 1) * 4
	if b[0] == 0 || size > len(b) {
		return nil, 0, errors.New("no block")
	}
	flags, head := b[1], b[2:size]
	for _, present := range []bool{flags&0x40 != 0, flags&0x80 != 0} { // skip its sizes
		if present {
			_, n := binary.Uvarint(head)
			if n <= 0 {
				return nil, 0, errors.New("damaged block header")
			}
			head = head[n:]
		}
	}
	const lzma2 = 0x21
	if flags&0x03 != 0 || len(head) < 3 || head[0] != lzma2 || head[1] != 1 || head[2] > 40 {
		return nil, 0, errors.New("filters other than LZMA2")
	}
	bits := head[2]
	return b[size:], min(uint64(2|bits&1)<<(bits/2+11), 1<<32-1), nil
}
