// Package pace ends what is stuck and lets go on what is slow: a limit of time that begins
// anew with every step that is made. A node that we are asked about is often overloaded,
// and then a limit for everything together loses what would have been read a moment later.
//
// It holds one kind of context and nothing about sources. It imports the standard library
// only.
package pace

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Within returns a context that ends, with context.DeadlineExceeded, when no step was made
// for the time, or when its parent ends. It has no deadline of its own: when it ends is
// not known before.
func Within(parent context.Context, quiet time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithCancelCause(parent)
	p := &paced{Context: inner, tick: quiet / ticks, left: ticks, end: func() { cancel(context.DeadlineExceeded) }}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(p.tick, p.ticked)
	return p, func() {
		p.mu.Lock()
		p.timer.Stop()
		p.mu.Unlock()
		cancel(context.Canceled)
	}
}

// Step tells that something was read: the limits of the context and of those around it begin
// anew. What only failed is no step.
func Step(ctx context.Context) {
	if p, ok := ctx.Value(key{}).(*paced); ok {
		p.step()
	}
}

type key struct{}

// ticks is in how many parts a limit is counted. A process that was stopped, or whose machine was, comes back to a
// timer that is over: that is one part, and the rest is for what it was about to read.
const ticks = 4

type paced struct {
	context.Context
	tick  time.Duration
	end   func()
	mu    sync.Mutex
	timer *time.Timer
	left  int // ticks
	late  int // ticks that were due when a step was made, and do not count
}

func (p *paced) step() {
	p.mu.Lock()
	if p.Context.Err() == nil {
		if !p.timer.Reset(p.tick) {
			p.late++
		}
		p.left = ticks
	}
	p.mu.Unlock()
	Step(p.Context) // of the one around it
}

// ticked counts down.
func (p *paced) ticked() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.Context.Err() != nil:
	case p.late > 0:
		p.late--
	case p.left == 1:
		p.end()
	default:
		p.left--
		p.timer.Reset(p.tick)
	}
}

// Value returns itself to Step.
func (p *paced) Value(k any) any {
	if _, ok := k.(key); ok {
		return p
	}
	return p.Context.Value(k)
}

// Err tells a limit that was reached from a context that was given up.
func (p *paced) Err() error {
	err := p.Context.Err()
	if err != nil && errors.Is(context.Cause(p.Context), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}
