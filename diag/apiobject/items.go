package apiobject

import (
	"bytes"
	"encoding/json"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/jsonlist"
)

// itemsOf splits a document into its head and its raw items. A list of a cluster is hundreds of megabytes, and
// encoding/json scans every byte of it twice just to find the bounds of the items. Errors within an item are left to
// its own decoder.
func itemsOf(data []byte) (list, error) {
	var l list
	if from, to, items, ok := jsonlist.Cut(data); ok {
		head := append(append(bytes.Clone(data[:from]), data[to:]...), '\n')
		if err := json.Unmarshal(head, &l); err != nil {
			return l, err
		}
		l.Items = items
		return l, field.Printed(head)
	}
	if err := json.Unmarshal(data, &l); err != nil {
		return l, err
	}
	return l, field.Printed(data)
}
