package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/lookup"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/diag/access"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/kube"
	"github.com/restartwhy/kubectl-restartwhy/diag/previouslog"
)

const (
	// mostWords is for how many containers the last lines are read, newest ends first.
	mostWords = 50
	// wordsParallel is how many are read at a time.
	wordsParallel = 8
)

// addPreviousLogs adds the flag for applications' last log lines. They are only shown and are not evidence: a recording
// never has them.
func (o *listOptions) addPreviousLogs(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.previousLogs, "previous-logs", false,
		"also show what each container wrote before its last end: up to 20 lines, without secrets (needs get on pods/log)")
}

func (o *listOptions) validatePreviousLogs() error {
	switch {
	case !o.previousLogs:
		return nil
	case o.sources.Recorded():
		return command.Usage("--previous-logs needs a cluster: recordings hold no application logs")
	case o.watch:
		return command.Usage("--previous-logs reads once, so it cannot be combined with --watch")
	}
	return nil
}

// withWords returns the report with applications' last log lines, if requested. No rule ever sees them: the verdicts
// are final by then. The given report is not changed.
func (o *listOptions) withWords(ctx context.Context, cl *collect.Cluster, r *report.Report,
	p *command.ProgressBar) *report.Report {
	if !o.previousLogs || cl == nil {
		return r
	}
	more := *r
	more.Items, more.Gaps = slices.Clone(r.Items), slices.Clone(r.Gaps)
	lasts, left := lastEnds(more.Items)
	lasts, gaps := mayReadWords(ctx, cl, lasts)
	more.Gaps = append(more.Gaps, gaps...)
	ctx, cancel := context.WithTimeout(ctx, cl.Deadline)
	defer cancel()
	p.Step("last lines", false)
	defer p.Step("last lines", true)
	more.Gaps = append(more.Gaps, readWords(ctx, previouslog.Reader{Pods: cl.Client, Logs: kube.Raw(cl.Client.Core())},
		lasts)...)
	if left > 0 {
		more.Gaps = append(more.Gaps, report.Gap{Source: string(previouslog.Kind),
			Why: fmt.Sprintf("last lines are read of %d containers, and not of %d more", mostWords, left), Hint: "name the pod"})
	}
	return &more
}

// lastEnds returns the items whose log the API server may have, and how many more there are beyond the limit.
func lastEnds(items []report.Item) (out []*report.Item, left int) {
	for i := range items {
		if it := &items[i]; it.LogCommand != "" && it.From != nil && it.From.ContainerID != "" {
			out = append(out, it)
		}
	}
	left = max(0, len(out)-mostWords)
	return out[:len(out)-left], left
}

// mayReadWords drops the items whose logs this user may not read, with one gap for each namespace.
func mayReadWords(ctx context.Context, cl *collect.Cluster,
	items []*report.Item) (may []*report.Item, gaps []report.Gap) {
	var questions []access.Review
	for _, it := range items {
		if !slices.ContainsFunc(questions, func(q access.Review) bool { return q.Namespace == it.Namespace }) {
			questions = append(questions, access.Review{Step: access.Find(access.LastLines), Namespace: it.Namespace})
		}
	}
	denied := collect.Review(ctx, cl, questions...)
	for _, d := range denied {
		g := d.Gap()
		gaps = append(gaps, report.Gap{Source: string(g.Source), Why: g.Why, Hint: g.Hint})
	}
	return slices.DeleteFunc(items, func(it *report.Item) bool {
		return slices.ContainsFunc(denied, func(d access.Denial) bool { return d.Namespace == it.Namespace })
	}), gaps
}

// readWords fills the items, some in parallel, and returns what could not be read, in their order.
func readWords(ctx context.Context, r previouslog.Reader, items []*report.Item) (gaps []report.Gap) {
	missing := make([]*report.Gap, len(items))
	slots := make(chan struct{}, wordsParallel)
	var wg sync.WaitGroup
	for i, it := range items {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			log, gap := r.Read(ctx,
				previouslog.Instance{Namespace: it.Namespace, Pod: it.Pod, Container: it.Container, ID: it.From.ContainerID})
			if gap != nil {
				missing[i] = &report.Gap{Source: string(gap.Source), Node: gap.Node, Why: gap.Why, Hint: gap.Hint}
			}
			if log != nil {
				it.PreviousLog = wordsOf(it, log)
			}
		})
	}
	wg.Wait()
	for _, g := range missing {
		if g != nil {
			gaps = append(gaps, *g)
		}
	}
	return gaps
}

func wordsOf(it *report.Item, log *previouslog.Log) *report.PreviousLog {
	out := &report.PreviousLog{ContainerID: it.From.ContainerID, Lines: []report.LogLine{}, Earlier: log.Earlier}
	for _, l := range log.Lines {
		out.Lines = append(out.Lines, report.LogLine{At: report.Time(l.At), Text: l.Text.String()})
		out.Hint = cmp.Or(lookup.LastWords(l.Text.String()), out.Hint)
	}
	return out
}
