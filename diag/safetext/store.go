package safetext

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Store keeps texts compressed: a long log has hundreds of megabytes of lines that may be quoted, but few are. Texts
// are added one at a time, and may be read concurrently.
type Store struct {
	enc  *zstd.Encoder
	open *block

	mu   sync.Mutex
	dec  *zstd.Decoder
	last *block // the block that was unpacked last
	text []byte
}

// block holds texts that are compressed together; while it is filled they are plain.
type block struct {
	of     *Store
	plain  []byte
	packed []byte
}

// blockBytes is how much is compressed together, and unpacked to read one of its texts.
const blockBytes = 32 << 10

// NewStore returns an empty store, nil if there is no compressor: then nothing is kept in it.
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

// Keep returns an equal text that is kept in the store.
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

// Close compresses what is still plain. It may be called repeatedly.
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

// Strings returns what String returns of each of the texts. Each part of a store is unpacked once for all of its texts,
// in whatever order these are.
func Strings(texts []Text) []string {
	out := make([]string, len(texts))
	of := map[*block][]int{}
	for i, t := range texts {
		of[t.in] = append(of[t.in], i)
	}
	for _, list := range of {
		for _, i := range list {
			out[i] = texts[i].String()
		}
	}
	return out
}

// string returns a text of a block.
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
			return "" // corrupt memory
		}
		s.last, s.text = b, text
	}
	return string(s.text[at : at+n])
}
