package preflightcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/preflight/exchange"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/command"
	"github.com/restartwhy/kubectl-restartwhy/cmd/internal/render"
	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/collect"
)

func (o *Options) validateWatch() error {
	switch {
	case !o.watch:
		return nil
	case o.sources.Recorded():
		return command.Usage("--watch needs a cluster: recorded evidence does not change")
	case o.screen.FailOn != "":
		return command.Usage("--watch does not end, so it cannot be combined with --fail-on")
	case o.screen.Plain:
		return command.Usage("--watch prints lines as they come, so it cannot be combined with --plain")
	case o.screen.Format != "" && !slices.Contains(render.PreflightWatchFormats, o.screen.Format):
		return command.Usage("--watch prints line by line: -o table or json, not %s", o.screen.Format)
	}
	return nil
}

// follow prints the prediction, and then the outcome as kubelets are replaced, until it is interrupted. A round that
// fails is reported and retried.
func (o *Options) follow(ctx context.Context) error {
	elapsed := clock.Stopwatch()
	g, err := o.sources.Gather(ctx, &o.scope, command.NewProgress(o.env))
	if err != nil {
		return err
	}
	follower, err := o.begin(g)
	if err := errors.Join(err, g.Close()); err != nil {
		return err
	}
	// The API server shows the outcome for containers: nodes are not read again.
	o.sources.Read.Level = collect.API
	notes := command.Notes{W: o.env.Streams.ErrOut}
	for collect.Pause(ctx, o.every, elapsed()) {
		elapsed = clock.Stopwatch()
		now, err := o.look(ctx)
		switch {
		case ctx.Err() != nil: // the user ended it
			return o.sumUp(follower)
		case err != nil:
			notes.Say(err.Error())
			continue
		}
		notes.Say("")
		if err := render.Outcomes(o.env.Streams.Out, o.screen.Format, follower.Round(now)); err != nil {
			return fmt.Errorf("print outcomes: %w", err)
		}
	}
	return o.sumUp(follower)
}

// look reads the API server again. It rejects an incomplete answer: pods that could not be read are not gone.
func (o *Options) look(ctx context.Context) (exchange.Extract, error) {
	g, err := o.sources.Gather(ctx, &o.scope, command.NewProgress(o.env))
	if err != nil {
		return exchange.Extract{}, err
	}
	return exchange.StateOf(g.Snapshot()), errors.Join(g.Err, g.Close())
}

func (o *Options) begin(g *collect.Collected) (*exchange.Watcher, error) {
	if g.Err != nil {
		// Part of the pods would be treated as all of them.
		return nil, g.Err
	}
	r, s, err := o.predict(g)
	if err != nil {
		return nil, err
	}
	if err := o.print(r); err != nil {
		return nil, err
	}
	unread := 0
	for i := range r.Nodes {
		if r.Nodes[i].From == "" {
			unread++
		}
	}
	say := func(text string, args ...any) { fmt.Fprintf(o.env.Streams.ErrOut, "note: "+text+"\n", args...) }
	if unread > 0 {
		say("nodes whose kubelet version is not known, so that a change cannot be seen: %d", unread)
	}
	if o.to == preflight.Same {
		say("a kubelet that only restarts is visible only by its Starting event; without that, only changes of containers " +
			"are visible")
	}
	say("nodes being watched: %d; press Ctrl-C to end", len(r.Nodes))
	return exchange.NewWatcher(r, exchange.StateOf(s)), nil
}

// sumUp prints the summary; along with JSON lines it goes to standard error, for a person.
func (o *Options) sumUp(f *exchange.Watcher) error {
	w := o.env.Streams.Out
	if o.screen.Format == "json" {
		w = o.env.Streams.ErrOut
	}
	return render.Watched(w, f.Summary())
}
