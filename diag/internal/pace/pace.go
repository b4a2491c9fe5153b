// Package pace ends what is stuck and lets slow work go on: a time limit that begins again with every step. A node that
// we read is often overloaded; a limit for everything together would lose what comes a moment later.
//
// It holds one kind of context and nothing about sources. It imports only the standard library.
package pace

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Within returns a context that ends, with context.DeadlineExceeded, if no step is made for that time, or when its
// parent ends. It has no deadline of its own, because its end is not known in advance.
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

// Step records that something was read: the limits of the context and of its parents begin again. A mere failure is no
// step.
func Step(ctx context.Context) {
	if p, ok := ctx.Value(key{}).(*paced); ok {
		p.step()
	}
}

type key struct{}

// ticks is the number of parts in which a limit is counted. A process that was paused, or whose machine was, resumes
// with an expired timer: that costs one part, and the rest is left for its next read.
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
	Step(p.Context) // of the parent context
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

// Value returns the context itself to Step.
func (p *paced) Value(k any) any {
	if _, ok := k.(key); ok {
		return p
	}
	return p.Context.Value(k)
}

// Err distinguishes a limit that was reached from a context that was cancelled.
func (p *paced) Err() error {
	err := p.Context.Err()
	if err != nil && errors.Is(context.Cause(p.Context), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}
