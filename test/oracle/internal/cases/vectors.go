package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// VectorSuffix ends the name of a file of vectors; its release comes before.
const VectorSuffix = ".jsonl.zst"

// Vector is a case and what upstream answered to it.
type Vector struct {
	Case   json.RawMessage
	Answer Answer
}

// Pack returns the vectors as JSON lines, compressed with zstd.
func Pack(vectors []Vector) ([]byte, error) {
	var out bytes.Buffer
	z, err := zstd.NewWriter(&out, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, fmt.Errorf("pack vectors: %w", err)
	}
	lines := json.NewEncoder(z)
	for i := range vectors {
		if err := lines.Encode(&vectors[i]); err != nil {
			return nil, fmt.Errorf("pack vector %d: %w", i, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack vectors: %w", err)
	}
	return out.Bytes(), nil
}

// Unpack reads what Pack wrote.
func Unpack(packed []byte) ([]Vector, error) {
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxMemory(64<<20))
	if err != nil {
		return nil, fmt.Errorf("unpack vectors: %w", err)
	}
	defer z.Close()
	var vectors []Vector
	for lines := json.NewDecoder(z); ; {
		var v Vector
		if err := lines.Decode(&v); errors.Is(err, io.EOF) {
			return vectors, nil
		} else if err != nil {
			return nil, fmt.Errorf("unpack vector %d: %w", len(vectors), err)
		}
		vectors = append(vectors, v)
	}
}
