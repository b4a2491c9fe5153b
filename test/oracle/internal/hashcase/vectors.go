package hashcase

import (
	"encoding/json"
)

// Vector is a case with each release's answer to it, by the name of its driver.
type Vector struct {
	Case    json.RawMessage   `json:"case"`
	Answers map[string]string `json:"answers"`
}

// VectorFile is the name of the file of recorded vectors.
const VectorFile = "vectors.jsonl.zst"
