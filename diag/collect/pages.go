package collect

import (
	"context"

	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// pageBytes is how much a walk over a cluster may read. None of it is kept, so this limits time and traffic: some two
// million pods.
const pageBytes = 16 << 30

// Pages reads the pods of all namespaces, page by page, and keeps none; the first page has the nodes. The gaps are for
// what else could not be read; lacking says that some pods could not be.
func (r *Reader) Pages(ctx context.Context, cl *Cluster, selector string, p Listener,
	do func(*evidence.Snapshot) error) (gaps []evidence.Gap, lacking, err error) {
	denied, gaps := mayListNodes(ctx, cl)
	api := apiserver.NewSource(cl.Client, apiserver.Scope{Selector: selector}, apiobject.Hasher{Present: r.Present},
		apiserver.Options{Timeout: cl.Deadline, MaxBytes: pageBytes, Denied: denied, Now: r.Now})
	p.Step(api.Name(), false)
	missing, err := api.ForEachPage(ctx, func(page *apiobject.Piece) error {
		return do(diag.Observe(diag.Collection{Pieces: []evidence.RawEvidence{page}}, r.Now()))
	})
	p.Step(api.Name(), true)
	return append(missing, gaps...), api.Err(), err
}
