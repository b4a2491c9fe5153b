package safetext

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Store keeps texts compressed: a long log has hundreds of megabytes of lines that may be quoted, of which few are.
// Texts are kept one at a time, and may be read from anywhere.
type Store struct {
	enc  *zstd.Encoder
	open *block

	mu   sync.Mutex
	dec  *zstd.Decoder
	last *block // whose text is at hand
	text []byte
}

// block is texts that are compressed together; while it is filled they are plain.
type block struct {
	of     *Store
	plain  []byte
	packed []byte
}

// blockBytes is how much is compressed, and unpacked to read one text of it.
const blockBytes = 32 << 10

// NewStore returns an empty store, nil where there is no compressor: then nothing is kept in it.
func NewStore() *Store {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64*MaxText))
	if err != nil {
		return nil
	}
	return &Store{enc: enc, dec: dec}
}

// Keep returns a text that says the same and is kept in the store.
func (s *Store) Keep(t Text) Text {
	if t.in != nil || t.s == "" {
		return t
	}
	if s.open == nil {
		s.open = &block{of: s, plain: make([]byte, 0, blockBytes+MaxText/4)}
	}
	b := s.open
	at := len(b.plain)
	b.plain = append(b.plain, t.s...)
	out := Text{in: b, at: int32(at), n: int32(len(t.s))}
	if len(b.plain) >= blockBytes {
		s.Close()
	}
	return out
}

// Close compresses what is still plain. It may be called often.
func (s *Store) Close() {
	b := s.open
	if b == nil {
		return
	}
	packed := s.enc.EncodeAll(b.plain, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	b.packed, b.plain, s.open = append(make([]byte, 0, len(packed)), packed...), nil, nil
}

// string is a text of a block.
func (b *block) string(at, n int32) string {
	s := b.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.plain != nil {
		return string(b.plain[at : at+n])
	}
	if s.last != b {
		text, err := s.dec.DecodeAll(b.packed, s.text[:0])
		if err != nil {
			s.last = nil
			return "" // memory that broke
		}
		s.last, s.text = b, text
	}
	return string(s.text[at : at+n])
}
