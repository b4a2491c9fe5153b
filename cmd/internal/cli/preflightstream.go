package cli

import (
	"context"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// walkBytes is how much a walk over a cluster may read. It keeps none of it, so this
// is a bound of time and traffic: some two million pods.
const walkBytes = 16 << 30

// paged tells whether the pods of all namespaces are asked about and nothing but the
// API server is asked: then they are predicted page by page. A watch keeps what it
// compares with, and evidence of nodes has to be there first.
func (o *preflightOptions) paged() bool {
	return !o.sources.recorded() && o.sources.level == evidenceAPI && !o.watch &&
		o.scope.allNamespaces && len(o.scope.targets)+len(o.scope.nodes) == 0
}

// stream predicts while the pods are read. lacking says that some of them could not be:
// no gate may open for the rest.
func (o *preflightOptions) stream(ctx context.Context) (r *report.Preflight, lacking, err error) {
	cl, err := o.sources.conn.open()
	if err != nil {
		return nil, nil, err
	}
	p := newProgress(o.env)
	defer p.clear()
	denied, gaps := mayListNodes(ctx, cl)
	api := apiserver.NewSource(cl.client, apiserver.Scope{Selector: o.scope.selector}, o.sources.hasher(),
		apiserver.Options{Timeout: cl.deadline, MaxBytes: walkBytes, Denied: denied, Now: o.env.Now})
	p.step(api.Name(), false)
	options := o.options()
	if o.scope.selector != "" {
		// The API server has chosen; nodes without a pod of the choice are of no interest.
		options.Keep = func(string, string, string) bool { return true }
	}
	var stream *preflight.Stream
	pods := 0
	missing, err := api.ForEachPage(ctx, func(page *apiserver.Piece) error {
		s := diag.Observe(diag.Collection{Pieces: []evidence.RawEvidence{page}}, o.env.Now())
		if stream == nil {
			stream, err = preflight.NewStream(s, options)
			return err
		}
		pods += len(s.Pods)
		stream.Add(s)
		return nil
	})
	p.step(api.Name(), true)
	if err != nil {
		return nil, nil, err
	}
	if lacking = api.Err(); lacking != nil {
		if lacking = explain(ctx, lacking, cl); pods == 0 {
			return nil, nil, lacking
		}
	}
	stream.Gaps(append(append(missing, gaps...),
		evidence.Gap{Source: evidence.SourceKubeletLog, Why: "node logs were not requested",
			Hint: "--evidence logs reads them"}))
	r = stream.Report()
	if len(r.Items) == 0 {
		fmt.Fprintf(o.env.Streams.ErrOut, "note: no container is in the evidence: %s\n", looked(&evidence.Snapshot{}, true))
	}
	return r, lacking, nil
}
