package cases

import (
	"encoding/json"
)

// VectorSuffix ends the name of a file of vectors; its release comes before.
const VectorSuffix = ".jsonl.zst"

// Vector is a case and what upstream answered to it.
type Vector struct {
	Case   json.RawMessage
	Answer Answer
}
