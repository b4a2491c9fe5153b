package apiobject

import (
	"bytes"
	"encoding/json"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/jsonlist"
)

// itemsOf reads a document: its head, and its items as they stand. A list of a cluster is
// hundreds of megabytes, and encoding/json goes over every byte of it twice just to find
// where the items begin and end: what is wrong within one, its own reader says.
func itemsOf(data []byte) (list, error) {
	var l list
	if from, to, items, ok := jsonlist.Cut(data); ok {
		head := append(append(bytes.Clone(data[:from]), data[to:]...), '\n')
		if err := json.Unmarshal(head, &l); err != nil {
			return l, err
		}
		l.Items = items
		return l, nil
	}
	return l, json.Unmarshal(data, &l)
}
