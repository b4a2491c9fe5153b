package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// watchFormats are the formats that can be printed row by row.
var watchFormats = []string{"", "table", "wide", "json", "name"}

func (o *listOptions) addWatch(cmd *cobra.Command) {
	cmd.Flags().BoolVarP(&o.watch, "watch", "w", false, "keep watching, and show restarts as they happen")
	o.hook.addFlags(cmd)
}

func (o *listOptions) validateWatch() error {
	switch {
	case !o.watch:
		return o.hook.unwatched()
	case o.sources.Recorded():
		return command.Usage("a recording cannot be watched, since it does not change: --watch needs a cluster")
	case o.output.FailOn != "":
		return command.Usage("--watch does not end, so it cannot be combined with --fail-on")
	case o.output.Plain:
		return command.Usage("--watch prints rows as they come, so it cannot be combined with --plain")
	case !slices.Contains(watchFormats, o.output.Format):
		return command.Usage("--watch prints row by row: -o table, wide, json or name, not %s", o.output.Format)
	}
	return nil
}

// watchRows prints what is there, and then every restart that is new or judged
// anew, as `kubectl get -w` does: at once with what the API server tells, and again
// where the log of a node tells more. A round that fails is said and tried again.
func (o *listOptions) watchRows(ctx context.Context) (err error) {
	notes := &notes{w: o.env.Streams.ErrOut}
	w := collect.NewWatcher(o.every, notes.say)
	o.sources.Read.Watching = w
	defer func() { err = errors.Join(err, w.Close()) }()
	hook, err := o.hook.start(notes.say)
	if err != nil {
		return err
	}
	defer hook.Close()
	news := &news{}
	var busy, took time.Duration
	for first := true; first || w.Next(ctx, busy, took); first = false {
		elapsed := clock.Stopwatch()
		busy = 0
		var early error
		if !first {
			o.sources.Read.Early = func(g *collect.Collected) {
				worked := clock.Stopwatch()
				res, s := o.analyse(g)
				fresh := news.of(res)
				hook.Post(fresh.Report)
				early = o.print(ctx, fresh, s, false)
				busy = worked()
			}
		}
		p := command.NewProgress(o.env)
		g, err := o.sources.Gather(ctx, &o.scope, p)
		p.Clear()
		took = elapsed()
		switch {
		case ctx.Err() != nil: // someone has seen enough
			if err != nil {
				return nil
			}
			return g.Close()
		case err != nil && first:
			return err
		case err != nil:
			notes.say(err.Error())
			continue
		}
		worked := clock.Stopwatch()
		res, s := o.analyse(g)
		fresh := news.of(res)
		if !first { // what was there before is no news to a receiver
			hook.Post(fresh.Report)
		}
		if err := errors.Join(early, o.print(ctx, fresh, s, first), g.Close()); err != nil {
			return err
		}
		busy += worked()
	}
	return nil
}

// notes writes what is to be said beside the rows, each thing once in a row. It is used
// by several goroutines.
type notes struct {
	w    io.Writer
	mu   sync.Mutex
	last string
}

func (n *notes) say(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if text != "" && text != n.last {
		fmt.Fprintln(n.w, "note: "+text)
	}
	n.last = text
}

// print prints one round: with everything that there is to say the first time, and
// with rows alone after that.
func (o *listOptions) print(ctx context.Context, res analyzer.Result, s *evidence.Snapshot, first bool) error {
	switch {
	case first:
		// Whoever interrupts while this is printed has seen enough; what was collected is whole.
		return o.tell(context.WithoutCancel(ctx), res, s)
	case len(res.Report.Items) == 0:
		return nil
	}
	row, err := render.New(render.Options{Format: o.output.Format, NoHeaders: true})
	if err != nil {
		return command.Usage("%w", err)
	}
	if err := row(o.env.Streams.Out, res.Report); err != nil {
		return fmt.Errorf("print report: %w", err)
	}
	return nil
}

// news remembers which restarts were printed, and as what.
type news struct{ printed map[string]string }

// settling is how long an end may wait for its exit code: a kubelet's log tells of the end a
// few seconds before the API server does, whose word is then news by itself.
const settling = 30 * time.Second

// settles tells an end of which nothing is known yet and soon will be.
func settles(it *report.Item, now time.Time) bool {
	return it.Verdict.Confidence == report.Unknown && it.From != nil && it.From.ExitCode == nil &&
		it.Time != nil && now.Sub(*it.Time).Abs() < settling
}

// of returns the part of a result that was not printed yet. The evidence of a
// restart can get better: then it is news again.
func (n *news) of(res analyzer.Result) analyzer.Result {
	seen := map[string]string{}
	r := *res.Report
	r.Items = nil
	for _, it := range res.Report.Items {
		if settles(&it, r.GeneratedAt) {
			continue
		}
		key, said := identity(&it), it.Verdict.Cause+" "+string(it.Verdict.Confidence)
		seen[key] = said
		if n.printed[key] != said {
			r.Items = append(r.Items, it)
		}
	}
	n.printed = seen
	r.Normalise()
	return analyzer.Result{Report: &r, Details: res.Details}
}

// identity names the end of one instance. The id of an item does not: it changes
// with the evidence.
func identity(it *report.Item) string {
	end := string(it.Kind)
	switch {
	case it.From != nil && it.From.ContainerID != "":
		end = it.From.ContainerID
	case it.Time != nil:
		end = it.Time.UTC().Format(time.RFC3339Nano)
	}
	return it.Namespace + "/" + it.Pod + "/" + it.PodUID + "/" + it.Container + "/" + end
}
