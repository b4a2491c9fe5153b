package podrecord

import (
	"cmp"
	"encoding/json"
	"hash/fnv"
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Stored marks a pod or an event as one that a store, an exporter or a record gave and not the API server, by its UID:
// nothing is proven by it. Events whose UID the store left out stay different ones. It returns what is neither as it
// is.
func Stored(kind string, raw []byte) []byte {
	var object, metadata map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || json.Unmarshal(object["metadata"], &metadata) != nil || metadata == nil {
		return raw
	}
	text := func(key string) (s string) {
		_ = json.Unmarshal(metadata[key], &s) // "" if it has none
		return s
	}
	var uid string
	switch kind {
	case "Event":
		sum := fnv.New64a()
		sum.Write(raw) // never fails
		uid = evidence.Row + cmp.Or(text("uid"), text("name"), strconv.FormatUint(sum.Sum64(), 36))
	case "Pod": // text for people has no UID either: what else has one is joined by the name
		uid = evidence.Described + text("namespace") + "/" + text("name")
	default:
		return raw
	}
	var err error
	if metadata["uid"], err = json.Marshal(uid); err != nil {
		return raw
	}
	if object["metadata"], err = json.Marshal(metadata); err != nil {
		return raw
	}
	out, err := json.Marshal(object)
	if err != nil {
		return raw
	}
	return out
}
