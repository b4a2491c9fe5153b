package hashcase

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// Vector is a case with what each release answered to it, by the name of its driver.
type Vector struct {
	Case    json.RawMessage   `json:"case"`
	Answers map[string]string `json:"answers"`
}

// VectorFile is the name of the file of recorded vectors.
const VectorFile = "vectors.jsonl.zst"

// Pack writes vectors as zstd-compressed JSON lines.
func Pack(vectors []Vector) ([]byte, error) {
	var b strings.Builder
	for _, v := range vectors {
		line, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("pack hash vectors: %w", err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return nil, fmt.Errorf("pack hash vectors: %w", err)
	}
	return w.EncodeAll([]byte(b.String()), nil), nil
}

// Unpack reads what Pack wrote.
func Unpack(packed []byte) ([]Vector, error) {
	r, err := zstd.NewReader(nil)
	if err != nil {
		return nil, fmt.Errorf("unpack hash vectors: %w", err)
	}
	defer r.Close()
	text, err := r.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack hash vectors: %w", err)
	}
	var vectors []Vector
	for d := json.NewDecoder(strings.NewReader(string(text))); d.More(); {
		var v Vector
		if err := d.Decode(&v); err != nil {
			return nil, fmt.Errorf("unpack hash vectors: %w", err)
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}
