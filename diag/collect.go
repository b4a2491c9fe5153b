// Package diag turns sources into one snapshot of evidence. Collect runs the sources of a live cluster or node in
// parallel; Load reads the files of a bundle back; Observe makes a snapshot from either, so that the live and the
// offline path differ only in where the raw pieces came from.
//
// It may import evidence, bundle and the packages of the single sources. It never judges what the evidence means, and
// never imports analyzer.
package diag

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/apiobject"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodename"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

// Source returns the raw evidence of one place. It honours its context, but Collect does not depend on that. A source
// reports what it could not get as gaps; it has no other way to fail.
type Source interface {
	// Name is the source's name for people: "api", "kubelet log of n1".
	Name() string
	Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap)
}

// Collection is what sources returned, in the order of the sources.
type Collection struct {
	Pieces []evidence.RawEvidence
	Gaps   []evidence.Gap
}

// Add appends another collection.
func (y *Collection) Add(more Collection) {
	y.Pieces = append(y.Pieces, more.Pieces...)
	y.Gaps = append(y.Gaps, more.Gaps...)
}

// Files lists the raw files of all pieces: the content of a bundle.
func (y *Collection) Files() []evidence.File {
	var files []evidence.File
	for _, p := range y.Pieces {
		files = append(files, p.Files()...)
	}
	return files
}

// Size estimates how many bytes of logs there are to read, and of anything else. The API's objects are counted, not
// encoded.
func (y *Collection) Size() (logs, other int64) {
	for _, p := range y.Pieces {
		if objects, ok := p.(*apiobject.Piece); ok {
			other += int64(objects.Len()) * anObject
			continue
		}
		for _, f := range p.Files() {
			if strings.Contains(f.Path, "/log") || strings.Contains(f.Path, "/journal/") {
				logs += f.Size
			} else {
				other += f.Size
			}
		}
	}
	return logs, other
}

// anObject is the approximate size in bytes of a redacted pod or event.
const anObject = 4 << 10

// Options configure a collection. Zero values mean the defaults.
type Options struct {
	// Parallel is how many sources run at a time; 4 by default.
	Parallel int
	// Timeout is how long a source may go without progress (pace.Step), and the total for a source that reports none;
	// 30 s by default.
	Timeout time.Duration
	// Grace is how long a source may take to return its results after its context ended; 2 s by default. Then it is
	// abandoned.
	Grace time.Duration
	// Progress is called when a source starts and when it is done, from several goroutines, one call at a time.
	Progress func(source string, done bool)
}

// Collect runs every source and returns the results. A source that fails, panics or hangs loses only its own evidence,
// as a gap. When ctx ends, what was collected so far is kept.
func Collect(ctx context.Context, sources []Source, o Options) Collection {
	if o.Parallel <= 0 {
		o.Parallel = 4
	}
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Grace <= 0 {
		o.Grace = 2 * time.Second
	}
	var mu sync.Mutex
	progress := func(s Source, done bool) {
		if o.Progress != nil {
			mu.Lock()
			defer mu.Unlock()
			o.Progress(s.Name(), done)
		}
	}
	yields := make([]Collection, len(sources))
	slots := make(chan struct{}, o.Parallel)
	var wg sync.WaitGroup
	for i, s := range sources {
		wg.Go(func() {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
				yields[i] = lost(s, "not read: "+reason(ctx.Err(), o.Timeout))
				return
			}
			defer func() { <-slots }()
			progress(s, false)
			yields[i] = one(ctx, s, o)
			progress(s, true)
		})
	}
	wg.Wait()
	var all Collection
	for _, y := range yields {
		all.Add(y)
	}
	return all
}

// one runs a single source in its own goroutine, so that it can be abandoned. A late result is then dropped: the
// channel is buffered.
func one(ctx context.Context, s Source, o Options) Collection {
	ctx, cancel := pace.Within(ctx, o.Timeout)
	defer cancel()
	result := make(chan Collection, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				result <- lost(s, fmt.Sprintf("broke down while reading: %v", p))
			}
		}()
		pieces, gaps := s.Collect(ctx)
		result <- Collection{Pieces: pieces, Gaps: gaps}
	}()
	select {
	case y := <-result:
		return y
	case <-ctx.Done():
	}
	late := time.NewTimer(o.Grace)
	defer late.Stop()
	select {
	case y := <-result:
		return y
	case <-late.C:
		return lost(s, "no answer: "+reason(ctx.Err(), o.Timeout))
	}
}

// Observe reads all pieces into one snapshot. A piece that panics loses only its own evidence.
func Observe(y Collection, collectedAt time.Time) *evidence.Snapshot {
	return ObserveMetered(y, collectedAt, &evidence.Meter{})
}

// ObserveMetered is Observe with a meter for the progress.
func ObserveMetered(y Collection, collectedAt time.Time, m *evidence.Meter) *evidence.Snapshot {
	b := evidence.NewBuilder(collectedAt)
	logs, _ := y.Size()
	b.Watch(m, logs)
	for _, p := range y.Pieces {
		observe(b, p)
	}
	for _, g := range y.Gaps {
		b.Gap(g)
	}
	s := b.Build()
	nodename.Join(s)
	return s
}

func observe(b *evidence.Builder, p evidence.RawEvidence) {
	defer func() {
		if r := recover(); r != nil {
			b.Gap(evidence.Gap{Source: "collection", Why: fmt.Sprintf("reading %s broke down: %v", paths(p), r),
				Hint: "what this file says is missing from the verdicts; please report it"})
		}
	}()
	p.Observe(b)
}

// paths names a piece by its files, even if the piece is broken.
func paths(p evidence.RawEvidence) (name string) {
	defer func() {
		if recover() != nil {
			name = "a piece of evidence"
		}
	}()
	files := p.Files()
	if len(files) == 0 {
		return "a piece of evidence"
	}
	return files[0].Path
}

func lost(s Source, why string) Collection {
	return Collection{Gaps: []evidence.Gap{{Source: evidence.SourceKind(s.Name()), Why: why}}}
}

func reason(err error, limit time.Duration) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("the limit of %s was reached", limit)
	}
	return "interrupted"
}
