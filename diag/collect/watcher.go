package collect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/access"
	"github.com/restartwhy/kubectl-restartwhy/diag/apiserver"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Watcher keeps the evidence of a --watch up to date. It uses the API server's watch, so that nothing runs while
// nothing happens; where that is impossible, it polls everything. Nodes are read again only when one of their
// containers ended or started.
//
// It is used by one goroutine, apart from the follower's callbacks.
type Watcher struct {
	// say reports whether the watcher polls, and why, or what interrupts the watch; "" when it continues.
	say   func(text string)
	every time.Duration // the pause between two polls

	// The results of the first round.
	cluster     *Cluster
	source      *apiserver.Source
	gaps        []evidence.Gap
	unwatchable string // why the scope cannot be watched, "" if it can

	follower *apiserver.Watcher
	polls    bool
	// run is the running follower, nil while there is none.
	run *underWatch

	reads []*nodeRead
	stale map[string]bool // nodes with new lines in their logs
	// old are reads that were replaced; the previous round's evidence may still use their files.
	old []*nodeRead
}

// NewWatcher returns a watcher that polls with a pause, where it cannot watch. It calls say when it
// polls, with the reason, or when something interrupts the watch; "" when it continues.
func NewWatcher(every time.Duration, say func(string)) *Watcher {
	return &Watcher{say: say, every: every, stale: map[string]bool{}}
}

// errEnded is the cause of a watch ended from outside.
var errEnded = errors.New("the watch was ended")

// Next waits until another round is worthwhile, and returns false when the watch ends. busy is how long the program was
// working in the previous round, took how long the whole round lasted.
func (w *Watcher) Next(ctx context.Context, busy, took time.Duration) bool {
	if w.follower == nil && !w.polls && w.source != nil {
		w.begin(ctx)
	}
	if w.follower == nil {
		for _, r := range w.reads {
			w.stale[r.node] = true
		}
		return Pause(ctx, w.every, took)
	}
	// However much happens, the machine needs time for other work.
	if !Pause(ctx, 0, busy) {
		return false
	}
	change, err := w.await(ctx)
	switch {
	case ctx.Err() != nil:
		return false
	case err != nil:
		w.follower = nil
		w.poll(err.Error())
		return w.Next(ctx, busy, took)
	}
	for _, n := range change.Nodes {
		w.stale[n] = true
	}
	return true
}

// begin starts to watch, if the scope and the rights of this user allow it.
func (w *Watcher) begin(ctx context.Context) {
	if w.unwatchable != "" {
		w.poll(w.unwatchable)
		return
	}
	for _, d := range Review(ctx, w.cluster, access.Review{Step: access.Find(access.Watch),
		Namespace: w.source.Namespace()}) {
		gap := d.Gap()
		w.poll(gap.Why + " (" + gap.Hint + ")")
		return
	}
	w.follower = w.source.Follow(apiserver.FollowOptions{Trouble: func(err error) {
		if err != nil {
			w.say(safetext.Clean(fmt.Sprintf("%v; trying again, the display may be out of date", err)).String())
			return
		}
		w.say("")
	}})
	w.run = follow(ctx, w.follower)
}

// underWatch is a running follower.
type underWatch struct {
	ctx   context.Context // ends with the work; its cause is the reason
	end   context.CancelCauseFunc
	ended chan struct{}
}

func follow(ctx context.Context, f *apiserver.Watcher) *underWatch {
	u := &underWatch{ended: make(chan struct{})}
	u.ctx, u.end = context.WithCancelCause(ctx)
	go func() {
		defer close(u.ended)
		u.end(f.Run(u.ctx))
	}()
	return u
}

// await waits for news. The error says why the API server cannot be watched.
func (w *Watcher) await(ctx context.Context) (apiserver.News, error) {
	change, err := w.follower.Next(w.run.ctx)
	if err != nil && ctx.Err() == nil {
		err = context.Cause(w.run.ctx)
	}
	return change, err
}

func (w *Watcher) poll(why string) {
	w.polls = true
	w.say(fmt.Sprintf("checking again every %s instead of watching: %s", w.every, why))
}

// recall splits nodes into those whose evidence is still valid and those to be read. Without a watch, all are to be
// read.
func (w *Watcher) recall(nodes []string) (known []*nodeRead, unread []string) {
	if w == nil {
		return nil, nodes
	}
	for _, n := range nodes {
		if r := w.read(n); r != nil && !w.stale[n] {
			known = append(known, r)
		} else {
			unread = append(unread, n)
		}
	}
	if r := w.read(""); r != nil && len(unread) == 0 {
		known = append(known, r)
	}
	return known, unread
}

func (w *Watcher) read(node string) *nodeRead {
	if i := slices.IndexFunc(w.reads, func(r *nodeRead) bool { return r.node == node }); i >= 0 {
		return w.reads[i]
	}
	return nil
}

// older returns earlier reads of nodes, up to date or not.
func (w *Watcher) older(nodes []string) (out []*nodeRead) {
	if w == nil {
		return nil
	}
	for _, r := range w.reads {
		if r.node == "" || slices.Contains(nodes, r.node) {
			out = append(out, r)
		}
	}
	return out
}

// keep stores fresh reads in place of earlier ones of the same nodes, and returns those that count now. A read that
// failed replaces nothing: what was read before is still true, and the node is read again with the next change. It
// frees what the previous call replaced: nothing uses that any more.
func (w *Watcher) keep(fresh []*nodeRead) []*nodeRead {
	if w == nil || len(fresh) == 0 {
		return fresh
	}
	_ = closeReads(w.old) // it was read already
	w.old = nil
	now := slices.Clone(fresh)
	for _, r := range fresh {
		have := w.read(r.node)
		if have != nil && len(r.collection.Pieces) == 0 && len(have.collection.Pieces) > 0 {
			w.old = append(w.old, r)
			now = append(now, have)
			continue
		}
		if have != nil {
			w.old = append(w.old, have)
			w.reads = slices.DeleteFunc(w.reads, func(o *nodeRead) bool { return o == have })
		}
		w.reads = append(w.reads, r)
		delete(w.stale, r.node)
	}
	return now
}

// End ends the watch: say is not called any more.
func (w *Watcher) End() {
	if w.run != nil {
		w.run.end(errEnded)
		<-w.run.ended
	}
}

// Close ends the watch and frees the evidence.
func (w *Watcher) Close() error {
	w.End()
	return errors.Join(closeReads(w.old), closeReads(w.reads))
}

// pollRest: the pause after a round of polling is at least so many times as long as the round, for large clusters.
const pollRest = 4

// Pause waits between two rounds, and returns false when ctx ends.
func Pause(ctx context.Context, every, took time.Duration) bool {
	t := time.NewTimer(max(every, pollRest*took))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
