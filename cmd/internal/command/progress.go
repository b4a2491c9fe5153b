package command

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// ProgressBar shows what is being read: each running source with its elapsed time, and how many are done. The lines
// erase themselves. It prints nothing unless standard error is a terminal.
type ProgressBar struct {
	W       io.Writer
	watched bool
	now     func() time.Time
	// Tell gets the steps instead of the terminal, which a viewer occupies.
	Tell func(source string, done bool)

	mu    sync.Mutex
	open  []underway
	done  int
	drawn int           // lines on the terminal
	end   chan struct{} // ends the redrawing; nil while there is none
	// gauge is the progress of reading logs, from gaugeSince on; nil while none are read.
	gauge      func() evidence.Progress
	gaugeSince time.Time
}

type underway struct {
	source string
	since  time.Time
}

const (
	// progressRows is how many sources get a line; the others are only counted.
	progressRows = 6
	// progressDelay keeps short work silent, to avoid a flicker.
	progressDelay = 300 * time.Millisecond
	progressTick  = 150 * time.Millisecond
)

// NewProgress returns a progress display for a terminal; elsewhere it prints nothing.
func NewProgress(env Env) *ProgressBar {
	_, tty := terminal(env.Streams.ErrOut)
	// A terminal that cannot move its cursor would keep every line.
	return &ProgressBar{W: env.Streams.ErrOut, watched: tty && !env.dumb(), now: clock.Now}
}

// Step marks that the reading of a source begins or ends.
func (p *ProgressBar) Step(source string, done bool) {
	if p.Tell != nil {
		p.Tell(source, done)
		return
	}
	if !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.open, func(u underway) bool { return u.source == source })
	switch {
	case !done:
		p.open = append(p.open, underway{source, p.now()})
	case i >= 0:
		p.open = slices.Delete(p.open, i, i+1)
		p.done++
	}
	if p.end == nil {
		p.end = make(chan struct{})
		go p.redraw(p.end)
	}
}

// Reading shows a meter until the lines are cleared.
func (p *ProgressBar) Reading(gauge func() evidence.Progress) {
	if p.Tell != nil || !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gauge, p.gaugeSince = gauge, p.now()
	if p.end == nil {
		p.end = make(chan struct{})
		go p.redraw(p.end)
	}
}

// gaugeLine formats the progress of reading logs: bytes, lines, ends found, time left.
func gaugeLine(g evidence.Progress, elapsed time.Duration) string {
	line := fmt.Sprintf("%s of %s, %s lines, %s container exits", size(g.Bytes),
		size(g.Total), count(g.Lines), count(g.Ends))
	switch {
	case g.Bytes >= g.Total:
		return line + ": working out why"
	case g.Bytes > 0 && elapsed > time.Second:
		left := time.Duration(float64(elapsed) * float64(g.Total-g.Bytes) / float64(g.Bytes))
		return line + fmt.Sprintf(", %s left", left.Round(time.Second))
	}
	return line
}

// size formats a number of bytes briefly.
func size(n int64) string {
	if n >= 10<<30 {
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", n>>20)
}

// count formats a number briefly.
func count(n int64) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%.1f million", float64(n)/1e6)
	}
	return strconv.FormatInt(n, 10)
}

// redraw draws until the work is over.
func (p *ProgressBar) redraw(end chan struct{}) {
	t := time.NewTicker(progressTick)
	defer t.Stop()
	for {
		select {
		case <-end:
			return
		case <-t.C:
			p.mu.Lock()
			if p.end == end {
				p.draw()
			}
			p.mu.Unlock()
		}
	}
}

// draw writes the lines over the previous ones. Callers hold mu.
func (p *ProgressBar) draw() {
	var b bytes.Buffer
	lines := p.lines()
	if p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", p.drawn)
	}
	for _, l := range lines {
		b.WriteString("\r\x1b[K" + l + "\n")
	}
	b.WriteString("\x1b[J")
	p.drawn = len(lines)
	_, _ = p.W.Write(b.Bytes()) // errors of a closed terminal do not matter
}

// lines returns the lines to show now.
func (p *ProgressBar) lines() (out []string) {
	now := p.now()
	for _, u := range p.open {
		elapsed := now.Sub(u.since)
		if elapsed < progressDelay || len(out) == progressRows {
			continue
		}
		out = append(out, fmt.Sprintf("%-32.32s %5.1fs", safetext.Ident(u.source), elapsed.Seconds()))
	}
	bars := len(out)
	if p.gauge != nil {
		if elapsed := now.Sub(p.gaugeSince); elapsed >= progressDelay {
			out = append(out, gaugeLine(p.gauge(), elapsed))
		}
	}
	if more := len(p.open) - bars; len(out) > 0 && (more > 0 || p.done > 0) {
		out = append(out, fmt.Sprintf("%d done, %d more under way", p.done, more))
	}
	return out
}

// Clear erases the lines, before anything else is printed.
func (p *ProgressBar) Clear() {
	if !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		close(p.end)
		p.end = nil
	}
	p.open, p.gauge = nil, nil
	if p.drawn > 0 {
		p.draw()
	}
}

// Note prints a permanent line about an input that was read.
func (p *ProgressBar) Note(text string) {
	if !p.watched {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.W, "\r\x1b[Kread %s\n", text)
}

// Notes writes messages in addition to the rows, without consecutive repetitions. It is used by several goroutines.
type Notes struct {
	W    io.Writer
	mu   sync.Mutex
	last string
}

// Say writes a message, unless it is the last one again; "" is none, after which any is new.
func (n *Notes) Say(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if text != "" && text != n.last {
		fmt.Fprintln(n.W, "note: "+text)
	}
	n.last = text
}
