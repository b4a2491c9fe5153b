package preflightcmd

import (
	"context"
	"fmt"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// paged reports whether the scope is the pods of all namespaces and only the API server is read: then they are
// predicted page by page. A watch needs all pods for comparison, and evidence from nodes has to be complete first.
func (o *Options) paged() bool {
	return !o.sources.Recorded() && o.sources.Read.Level == collect.API && !o.watch &&
		o.scope.AllNamespaces && len(o.scope.Targets)+len(o.scope.Nodes) == 0
}

// stream predicts while the pods are read. lacking says that some of them could not be: --fail-on must not pass on the
// rest.
func (o *Options) stream(ctx context.Context) (r *report.Preflight, lacking, err error) {
	cl, err := o.sources.Conn.Open()
	if err != nil {
		return nil, nil, err
	}
	o.sources.Read.Hashing = o.sources.Hashing()
	p := command.NewProgress(o.env)
	defer p.Clear()
	options := o.options()
	if o.scope.Selector != "" {
		// The API server has selected; nodes without a selected pod do not matter.
		options.Keep = func(string, string, string) bool { return true }
	}
	var stream *preflight.Stream
	pods := 0
	gaps, lacking, err := o.sources.Read.Pages(ctx, cl, o.scope.Selector, p, func(s *evidence.Snapshot) error {
		if stream == nil {
			var err error
			stream, err = preflight.NewStream(s, options)
			return err
		}
		pods += len(s.Pods)
		stream.Add(s)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if lacking != nil {
		if lacking = command.Explain(ctx, lacking, cl); pods == 0 {
			return nil, nil, lacking
		}
	}
	stream.Gaps(append(gaps, evidence.Gap{Source: evidence.SourceKubeletLog, Why: "node logs were not requested",
		Hint: "--evidence logs reads them"}))
	r = stream.Report()
	if len(r.Items) == 0 {
		fmt.Fprintf(o.env.Streams.ErrOut, "note: no container is in the evidence: %s\n", command.Looked(&evidence.Snapshot{}, true))
	}
	return r, lacking, nil
}
