package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/bundle"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/tui"
)

// viewing is a run with the viewer: it collects while the viewer draws, and sends updates.
type viewing struct {
	o       *listOptions
	updates chan tui.Update

	mu     sync.Mutex
	latest *collect.Collected // the evidence of the newest report, for a bundle
}

// view opens the viewer at once and fills it. If nothing restarted and it does not watch for more, it prints a line
// about that instead, as text output does.
func (o *listOptions) view(ctx context.Context) error {
	v := &viewing{o: o, updates: make(chan tui.Update)}
	options := v.options()
	collecting, stop := context.WithCancel(ctx)
	defer stop()
	shown, leave := context.WithCancel(ctx)
	defer leave()
	if o.watch {
		o.sources.Read.Watching = collect.NewWatcher(o.every,
			func(text string) { v.send(collecting, tui.Update{Watch: &text}) })
	}
	work := v.collect
	if o.sources.AsksOnTerminal() {
		// A login that prompts on the terminal comes before the viewer.
		first, instead := v.first(ctx, command.NewProgress(o.env))
		if instead != nil {
			return errors.Join(instead(), v.close())
		}
		options.Report, options.Details = first.Report, first.Details
		work = func(ctx context.Context, _ *command.ProgressBar) func() error {
			v.again(ctx)
			return nil
		}
	}
	var instead func() error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(v.updates)
		instead = work(collecting, &command.ProgressBar{Tell: func(source string, done bool) {
			v.send(collecting, tui.Update{Progress: &tui.Progress{Source: source, Done: done, At: clock.Now()}})
		}})
		if instead != nil {
			leave()
		}
	}()
	err := tui.Run(shown, options)
	stop()
	<-ended // pods are removed and files closed before the process exits
	if instead != nil && ctx.Err() == nil {
		return errors.Join(instead(), v.close())
	}
	return errors.Join(err, v.partly(), v.close())
}

// first gathers for the first time. If there is nothing to show, instead is what to do in place of the viewer.
func (v *viewing) first(ctx context.Context, p *command.ProgressBar) (u tui.Update, instead func() error) {
	o := v.o
	g, err := o.sources.Gather(ctx, &o.scope, p)
	if err != nil {
		return u, func() error { return err }
	}
	v.keep(g)
	res, s := o.analyse(g)
	if len(res.Report.Items) == 0 && !o.watch {
		if err := o.checkNames(s); err != nil {
			return u, func() error { return errors.Join(err, g.Err) }
		}
		return u, func() error { return errors.Join(o.tell(context.WithoutCancel(ctx), res, s), g.Err) }
	}
	u = tui.Update{Report: o.withWords(ctx, g.Cluster, res.Report, p), Details: res.Details}
	if g.Err != nil {
		u.Notice = g.Err.Error()
	}
	return u, nil
}

func (v *viewing) options() tui.Options {
	o := tui.Options{
		In: v.o.env.Streams.In, Out: v.o.env.Streams.Out, Updates: v.updates,
		NoColor: v.o.output.NoColor, Mouse: v.o.output.Mouse,
		Write: v.write, Formats: []string{"markdown", "html"}, Save: v.save,
	}
	if v.o.sources.Recorded() {
		o.Save, o.CannotSave = nil, "nothing to save: this already comes from a recording"
	}
	for _, c := range analyzer.Causes() {
		o.Causes = append(o.Causes, tui.Cause{ID: c.ID, Title: c.Title})
	}
	o.Explain = command.Explained
	return o
}

// send passes an update to the viewer, unless the user has left.
func (v *viewing) send(ctx context.Context, u tui.Update) {
	select {
	case v.updates <- u:
	case <-ctx.Done():
	}
}

// collect gathers, once or repeatedly. What it returns, if anything, is to be done instead of the viewer.
func (v *viewing) collect(ctx context.Context, p *command.ProgressBar) (instead func() error) {
	o := v.o
	o.sources.Read.Early = func(g *collect.Collected) {
		res, _ := o.analyse(g)
		v.send(ctx, tui.Update{Report: res.Report, Details: res.Details})
	}
	u, instead := v.first(ctx, p)
	o.sources.Read.Early = nil
	switch {
	case ctx.Err() != nil:
		return nil // the user has left: there is nothing to report to
	case instead != nil:
		return instead
	}
	v.send(ctx, u)
	v.again(ctx)
	return nil
}

// again gathers whenever there is something new, until the user leaves. The API server's evidence is shown before the
// logs of nodes are read.
func (v *viewing) again(ctx context.Context) {
	if !v.o.watch {
		return
	}
	o := v.o
	// All senders of updates have ended when this returns, and the viewer keeps using its evidence, whose files are
	// freed with it.
	defer o.sources.Read.Watching.End()
	var busy, took time.Duration
	judge := func(g *collect.Collected) {
		elapsed := clock.Stopwatch()
		res, _ := o.analyse(g)
		busy += elapsed()
		v.send(ctx, tui.Update{Report: res.Report, Details: res.Details})
	}
	o.sources.Read.Early = judge
	for o.sources.Read.Watching.Next(ctx, busy, took) {
		elapsed := clock.Stopwatch()
		busy = 0
		g, err := o.sources.Gather(ctx, &o.scope, &command.ProgressBar{Tell: func(string, bool) {}})
		took = elapsed()
		if err != nil {
			v.send(ctx, tui.Update{Notice: err.Error()})
			continue
		}
		v.keep(g)
		judge(g)
	}
}

// keep stores the newest evidence and releases the previous one.
func (v *viewing) keep(g *collect.Collected) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.latest != nil {
		_ = v.latest.Close() // it was read already
	}
	v.latest = g
}

// partly returns what could not be read although something else could: it was shown, and is reported again after the
// user has left.
func (v *viewing) partly() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.latest == nil || errors.Is(v.latest.Err, context.Canceled) {
		return nil
	}
	return v.latest.Err
}

func (v *viewing) close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	var errs []error
	if v.o.sources.Read.Watching != nil {
		errs = append(errs, v.o.sources.Read.Watching.Close())
	}
	if v.latest != nil {
		errs = append(errs, v.latest.Close())
	}
	return errors.Join(errs...)
}

func (v *viewing) write(_ context.Context, format string, r *report.Report, t report.DetailProvider) (string, error) {
	print, err := render.New(render.Options{Format: format, Details: t, Detail: true})
	if err != nil {
		return "", err
	}
	return v.o.env.Ticket(format, func(w io.Writer) error { return print(w, r) })
}

// save writes the newest evidence as a bundle.
func (v *viewing) save(context.Context) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.latest == nil {
		return "", errors.New("save evidence: it is still being collected")
	}
	name := "restartwhy-" + v.o.env.Now().UTC().Format("20060102-150405") + ".tar.zst"
	g := v.latest
	_, err := bundle.Create(name, false, bundle.Manifest{
		Tool: "kubectl-restartwhy " + v.o.env.Version, Scope: v.o.scope.ForBundle(), CollectedAt: g.CollectedAt,
		Gaps: append(slices.Clone(g.Gaps), notKept(g)...), Redactions: redact.Policy(),
	}, g.Files())
	return name, err
}

// notKept says which pods are not in a bundle.
func notKept(g *collect.Collected) []evidence.Gap {
	for _, p := range g.Pieces {
		if api, ok := p.(*apiobject.Piece); ok && api.Quiet() > 0 {
			return []evidence.Gap{{
				Source: evidence.SourceAPI, Why: fmt.Sprintf("%d pods in which nothing ended are not in the bundle", api.Quiet()),
				Hint: "kubectl restartwhy collect -A has all of them",
			}}
		}
	}
	return nil
}
