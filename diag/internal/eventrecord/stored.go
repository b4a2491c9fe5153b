package eventrecord

import (
	"encoding/json"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Stored marks an event as one that a store or an exporter gave, and not the API server, by its UID: nothing is proven
// by it. It returns what is no event as it is.
func Stored(raw []byte) []byte {
	var event, metadata map[string]json.RawMessage
	var uid string
	if json.Unmarshal(raw, &event) != nil || json.Unmarshal(event["metadata"], &metadata) != nil || metadata == nil {
		return raw
	}
	_ = json.Unmarshal(metadata["uid"], &uid) // "" if it has none
	var err error
	if metadata["uid"], err = json.Marshal(evidence.Row + uid); err != nil {
		return raw
	}
	if event["metadata"], err = json.Marshal(metadata); err != nil {
		return raw
	}
	out, err := json.Marshal(event)
	if err != nil {
		return raw
	}
	return out
}
