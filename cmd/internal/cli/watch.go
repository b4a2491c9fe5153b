package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render/data"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/webhook"
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

// watchRows prints the existing restarts, and then every restart that is new or has a new verdict, as `kubectl get -w`
// does: at once with the API server's evidence, and again where the log of a node adds to it. A round that fails is
// reported and retried.
func (o *listOptions) watchRows(ctx context.Context) (err error) {
	notes := &command.Notes{W: o.env.Streams.ErrOut}
	w := collect.NewWatcher(o.every, notes.Say)
	o.sources.Read.Watching = w
	defer func() { err = errors.Join(err, w.Close()) }()
	hook, err := o.hook.start(notes.Say)
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
		g, err := o.sources.Gather(ctx, &o.scope, command.NewProgress(o.env))
		took = elapsed()
		switch {
		case ctx.Err() != nil: // the user ended it
			if err != nil {
				return nil
			}
			return g.Close()
		case err != nil && first:
			return err
		case err != nil:
			notes.Say(err.Error())
			if early != nil { // nobody reads the rows any more
				return early
			}
			continue
		}
		worked := clock.Stopwatch()
		res, s := o.analyse(g)
		fresh := news.of(res)
		if !first { // what existed before is not news to a receiver
			hook.Post(fresh.Report)
		}
		if err := errors.Join(early, o.print(ctx, fresh, s, first), g.Close()); err != nil {
			return err
		}
		busy += worked()
	}
	return nil
}

// print prints one round: everything the first time, and only rows after that.
func (o *listOptions) print(ctx context.Context, res analyzer.Result, s *evidence.Snapshot, first bool) error {
	switch {
	case first:
		// An interrupt while this is printed ends the watch; what was collected is complete.
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

// news remembers which restarts were printed, and how.
type news struct{ printed map[string]said }

type said struct {
	what string
	at   time.Time // when a report last had it
}

// absent is how long a restart may be missing from the reports and is still no news when it comes back: a node whose
// log cannot be read for a while takes along what only its log tells of.
const absent = time.Hour

// settling is how long an end may wait for its exit code: a kubelet's log reports the end a few seconds before the API
// server does, and the latter is then printed as news itself.
const settling = 30 * time.Second

// settles reports whether an end is still unexplained but soon will not be.
func settles(it *report.Item, now time.Time) bool {
	return it.Verdict.Confidence == report.Unknown && it.From != nil && it.From.ExitCode == nil &&
		it.Time != nil && now.Sub(*it.Time).Abs() < settling
}

// of returns the part of a result that was not printed yet. When the evidence of a restart improves, it is news again.
func (n *news) of(res analyzer.Result) analyzer.Result {
	if n.printed == nil {
		n.printed = map[string]said{}
	}
	r := *res.Report
	r.Items = nil
	for _, it := range res.Report.Items {
		if settles(&it, r.GeneratedAt) {
			continue
		}
		key, what := it.End(), it.Verdict.Cause+" "+string(it.Verdict.Confidence)
		if n.printed[key].what != what {
			r.Items = append(r.Items, it)
		}
		n.printed[key] = said{what, r.GeneratedAt}
	}
	maps.DeleteFunc(n.printed, func(_ string, s said) bool { return r.GeneratedAt.Sub(s.at) > absent })
	r.Normalise()
	return analyzer.Result{Report: &r, Details: res.Details}
}

// hookOptions configure where --watch posts new verdicts.
type hookOptions struct{ url, template string }

func (o *hookOptions) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.url, "webhook", "", "with --watch: POST each new verdict to this `URL`, as JSON")
	f.StringVar(&o.template, "webhook-template", "", "a `FILE` with a Go template that makes the JSON of --webhook")
}

// unwatched rejects flags that need --watch.
func (o *hookOptions) unwatched() error {
	if o.url != "" || o.template != "" {
		return command.Usage("--webhook posts what happens from now on: add --watch")
	}
	return nil
}

// start returns the hook, nil if there is none.
func (o *hookOptions) start(say func(string)) (*webhook.Hook, error) {
	if o.url == "" {
		if o.template != "" {
			return nil, command.Usage("--webhook-template needs --webhook URL")
		}
		return nil, nil
	}
	var text string
	if o.template != "" {
		var err error
		if text, err = data.ReadTemplate(o.template); err != nil {
			return nil, command.Usage("%w", err)
		}
	}
	to, err := webhook.New(webhook.Options{URL: o.url, Template: text, Say: say})
	if err != nil {
		return nil, command.Usage("%w", err)
	}
	return to, nil
}
