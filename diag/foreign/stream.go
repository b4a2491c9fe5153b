package foreign

import (
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

// maxDocuments is how many objects of one stream are read: a dump has a few for each namespace.
const maxDocuments = 20_000

// documents finds the consecutive JSON objects in a file, as `kubectl cluster-info dump` prints them. A file without an
// object is returned unchanged. lack says what is not read, if anything.
func documents(f evidence.File) (docs []evidence.File, lack string, err error) {
	found, cut, err := part.Objects(f, maxDocuments)
	if err != nil {
		return nil, "", err
	}
	if cut {
		lack = "the last object has no end"
	}
	if len(found) == 0 {
		return []evidence.File{f}, lack, nil // its own reader reports what is wrong
	}
	for i, p := range found {
		name := f.Path
		if len(found) > 1 {
			name = fmt.Sprintf("%s.%d", f.Path, i+1)
		}
		docs = append(docs, part.Of(f, name, p))
	}
	return docs, lack, nil
}
