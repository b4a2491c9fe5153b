package cases

import (
	"encoding/json"
)

// VectorSuffix is the end of a vector file's name; the release comes before it.
const VectorSuffix = ".jsonl.zst"

// Vector is a case and upstream's answer to it.
type Vector struct {
	Case   json.RawMessage
	Answer Answer
}
