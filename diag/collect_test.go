package diag

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

var t0 = time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)

// piece is a piece of one file that observes a node of the file's name.
type piece string

func (p piece) Files() []evidence.File { return []evidence.File{evidence.Bytes(string(p), nil)} }
func (p piece) Observe(b *evidence.Builder) {
	if p == "explosive" {
		panic("boom")
	}
	b.Node(evidence.Node{Name: string(p)})
}

// source is a Source made of a function.
type source struct {
	name    string
	collect func(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap)
}

func (s source) Name() string { return s.name }
func (s source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	return s.collect(ctx)
}

func good(name string) Source {
	return source{name, func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
		return []evidence.RawEvidence{piece(name)}, nil
	}}
}

func names(y Collection) string {
	var all []string
	for _, f := range y.Files() {
		all = append(all, f.Path)
	}
	return strings.Join(all, " ")
}

func whys(gaps []evidence.Gap) string {
	var all []string
	for _, g := range gaps {
		all = append(all, string(g.Source)+": "+g.Why)
	}
	return strings.Join(all, "\n")
}

func TestOneBadSourceCostsOnlyItself(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	bad := map[string]struct {
		collect func(context.Context) ([]evidence.RawEvidence, []evidence.Gap)
		gap     string
	}{
		"that panics": {func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) { panic("nil map") },
			"bad: broke down while reading: nil map"},
		"that hangs and ignores its context": {func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
			<-stuck
			return nil, nil
		},
			"bad: no answer: the limit of 20ms was reached"},
		"that reports a gap": {func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
			return nil, []evidence.Gap{{Source: evidence.SourceCRI, Why: "no socket"}}
		}, "cri: no socket"},
	}
	for name, c := range bad {
		t.Run(name, func(t *testing.T) {
			y := Collect(t.Context(), []Source{good("a"), source{"bad", c.collect}, good("b")},
				Options{Parallel: 1, Timeout: 20 * time.Millisecond, Grace: 10 * time.Millisecond})
			if got := names(y); got != "a b" {
				t.Errorf("pieces %q, want those of a and b, in order", got)
			}
			if diff := cmp.Diff(c.gap, whys(y.Gaps)); diff != "" {
				t.Errorf("gaps: %s", diff)
			}
		})
	}
}

// On a machine that is slowed ten times a source takes ten times its limit, step by step, and so do many that wait
// for each other: nothing is lost.
func TestSlowSourcesLoseNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit, records = 30 * time.Second, 12
		var all []Source
		var want []string
		for i := range 9 {
			name := string(rune('a' + i))
			want = append(want, strings.Repeat(name, records))
			all = append(all, source{name, func(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
				read := ""
				for range records {
					time.Sleep(limit - time.Second)
					if ctx.Err() != nil {
						return []evidence.RawEvidence{piece(read)}, []evidence.Gap{{Source: "x", Why: "the limit was reached"}}
					}
					read += name
					pace.Step(ctx)
				}
				return []evidence.RawEvidence{piece(read)}, nil
			}})
		}
		y := Collect(t.Context(), all, Options{Parallel: 2, Timeout: limit})
		if got := names(y); got != strings.Join(want, " ") || len(y.Gaps) > 0 {
			t.Errorf("pieces %q, gaps %q", got, whys(y.Gaps))
		}
	})
}

func TestASourceThatHonoursItsDeadlineKeepsWhatItGot(t *testing.T) {
	slow := source{"slow", func(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
		<-ctx.Done()
		return []evidence.RawEvidence{piece("half")}, nil
	}}
	y := Collect(t.Context(), []Source{slow}, Options{Timeout: time.Millisecond, Grace: time.Minute})
	if names(y) != "half" || len(y.Gaps) != 0 {
		t.Errorf("got %q with gaps %q", names(y), whys(y.Gaps))
	}
}

func TestAnInterruptKeepsWhatWasCollected(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	interrupt := source{"b", func(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
		cancel()
		return []evidence.RawEvidence{piece("b")}, nil
	}}
	never := source{"c", func(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
		if ctx.Err() != nil {
			return nil, []evidence.Gap{{Source: "c", Why: "not read: interrupted"}}
		}
		return []evidence.RawEvidence{piece("c")}, nil
	}}
	y := Collect(ctx, []Source{good("a"), interrupt}, Options{Parallel: 1})
	y.Add(Collect(ctx, []Source{never}, Options{Parallel: 1}))
	if got := names(y); !strings.Contains(got, "b") || strings.Contains(got, "c") {
		t.Errorf("pieces %q", got)
	}
	if !strings.Contains(whys(y.Gaps), "c: not read: interrupted") {
		t.Errorf("gaps %q do not say that c was not read", whys(y.Gaps))
	}
}

func TestNoMoreThanParallelSourcesRunAtOnce(t *testing.T) {
	var now, most atomic.Int32
	var all []Source
	for range 12 {
		all = append(all, source{"s", func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
			n := now.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(2 * time.Millisecond)
			now.Add(-1)
			return nil, nil
		}})
	}
	var started, done int
	Collect(t.Context(), all, Options{Parallel: 3, Progress: func(_ string, d bool) {
		if d {
			done++
		} else {
			started++
		}
	}})
	if m := most.Load(); m > 3 || m < 2 {
		t.Errorf("%d sources ran at once, want 3 at most and not one after the other", m)
	}
	if started != 12 || done != 12 {
		t.Errorf("progress told of %d starts and %d ends", started, done)
	}
}

func TestObserveSurvivesAPieceThatBreaks(t *testing.T) {
	s := Observe(Collection{
		Pieces: []evidence.RawEvidence{piece("n1"), piece("explosive"), piece("n2")},
		Gaps:   []evidence.Gap{{Source: evidence.SourceAPI, Why: "events: forbidden"}},
	}, t0)
	if len(s.Nodes) != 2 || !s.CollectedAt.Equal(t0) {
		t.Errorf("snapshot %+v", s)
	}
	if got := whys(s.Gaps); got != "api: events: forbidden\ncollection: reading explosive broke down: boom" {
		t.Errorf("gaps %q", got)
	}
}

// Sources of every bad kind side by side, more of them than may run at once: the
// good ones are there, in order, and every bad one is a gap.
func TestManyBadSourcesCostOnlyThemselves(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	bad := []func(context.Context) ([]evidence.RawEvidence, []evidence.Gap){
		func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) { panic(errors.New("no map")) },
		func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) { <-stuck; return nil, nil },
		func(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) { <-ctx.Done(); panic("at the end") },
		func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
			return nil, []evidence.Gap{{Source: "x", Why: "no right"}}
		},
		func(context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
			<-stuck
			panic("after it was given up")
		},
	}
	var all []Source
	var want []string
	for i := range 20 {
		name := string(rune('a' + i))
		if i%3 == 2 {
			all = append(all, good(name))
			want = append(want, name)
		} else {
			all = append(all, source{name, bad[i%len(bad)]})
		}
	}
	y := Collect(t.Context(), all, Options{Parallel: 3, Timeout: 10 * time.Millisecond, Grace: 5 * time.Millisecond})
	if got := names(y); got != strings.Join(want, " ") {
		t.Errorf("pieces %q, want %q", got, want)
	}
	if len(y.Gaps) != len(all)-len(want) {
		t.Errorf("%d gaps for %d bad sources:\n%s", len(y.Gaps), len(all)-len(want), whys(y.Gaps))
	}
}
