package field

import (
	"encoding/json"
	"errors"
)

// Beside returns the fields that a record has beside those of an object of the API, or of a list of them: a collector
// may merge what a container printed with what it knows of the container.
func Beside(record map[string]json.RawMessage) Fields {
	foreign := map[string]json.RawMessage{}
	for key, value := range record {
		if !ofObjects[key] {
			foreign[key] = value
		}
	}
	if len(foreign) == 0 {
		return nil
	}
	raw, err := json.Marshal(foreign)
	if err != nil {
		return nil
	}
	f, _ := Parse(raw)
	return f
}

// Printed is an error for a document that a container printed, into whose record its collector put it.
func Printed(document []byte) error {
	var record map[string]json.RawMessage
	if json.Unmarshal(document, &record) == nil && Beside(record).OfContainer() {
		return errors.New("a container printed it: the record names the container")
	}
	return nil
}

// ofObjects are the fields of pods, nodes, events of either API (core/v1, events.k8s.io/v1) and lists.
var ofObjects = map[string]bool{"kind": true, "apiVersion": true, "metadata": true, "spec": true, "status": true,
	"items": true, "involvedObject": true, "regarding": true, "reason": true, "message": true, "note": true,
	"source": true, "type": true, "firstTimestamp": true, "lastTimestamp": true, "count": true, "eventTime": true,
	"series": true, "action": true, "related": true, "reportingComponent": true, "reportingController": true,
	"reportingInstance": true, "deprecatedSource": true, "deprecatedFirstTimestamp": true,
	"deprecatedLastTimestamp": true, "deprecatedCount": true}
