package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/analyzer"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/corpus/internal/vary"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

type options struct {
	lines int
	cuts  int
	seed  uint64
	only  string
	// whole leaves large, recorded entries as they are: removing evidence from them takes minutes.
	whole bool
}

// large is the size in bytes from which an entry counts as large.
const large = 256 << 10

// sums are the results over the corpus.
type sums struct {
	// every reports that all entries were judged, all that every line was removed too: a share over fewer cannot be
	// compared.
	every, all        bool
	entries, truths   int
	tiers             score.Tally // every entry at every tier, nothing removed
	whole             score.Tally // every entry with all its evidence
	poorer            score.Tally // with evidence removed
	cut               score.Tally // with parts of logs removed
	equal, unequal    int         // variants of equal meaning
	failures, remarks []string
}

// run judges all entries, on all processors.
func run(ctx context.Context, entries []*entry.Entry, o options) (*sums, error) {
	s := &sums{every: o.only == "", all: o.only == "" && o.lines >= allLines && !o.whole}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, e := range entries {
		if o.only != "" && e.Name != o.only {
			continue
		}
		s.entries, s.truths = s.entries+1, s.truths+len(e.Truths)
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			err := s.entry(&mu, e, o)
			mu.Lock()
			defer mu.Unlock()
			failed = errors.Join(failed, err)
		})
	}
	wg.Wait()
	slices.Sort(s.failures)
	slices.Sort(s.remarks)
	return s, errors.Join(failed, ctx.Err())
}

func (s *sums) entry(mu *sync.Mutex, e *entry.Entry, o options) error {
	full := e.Full()
	var whole *report.Report
	for _, tier := range entry.Tiers {
		if tier > full {
			break
		}
		at := e.At(tier)
		if len(at.Files) == 0 {
			continue // the evidence is only a node's
		}
		r, err := analyse(vary.Variant{Entry: at})
		if err != nil {
			return err
		}
		whole = r
		mu.Lock()
		for i, j := range score.All(e.Scored(), r.Items) {
			s.tiers.Add(strconv.Itoa(tier), j)
			if tier == full {
				s.whole.Add(strconv.Itoa(tier), j)
			}
			s.note(e, j, fmt.Sprintf("tier %d", tier), tier == full)
			if short := short(e.Truths[i], tier, full, j); short != "" {
				s.failures = append(s.failures, fmt.Sprintf("%s, tier %d, %s: %s", e.Name, tier, j.Truth.Cause, short))
			}
		}
		mu.Unlock()
	}
	poorer := append(vary.Sources(e), vary.Lines(e, o.lines)...)
	if o.whole && e.Size() > large {
		poorer = nil
	}
	s.less(mu, slices.Values(poorer), full, &s.poorer)
	s.less(mu, vary.Cuts(e, o.cuts, o.seed), full, &s.cut)
	for _, v := range vary.Equal(e, 1) {
		r, err := analyse(v)
		if err != nil {
			return fmt.Errorf("%s, %s: %w", e.Name, v.How, err)
		}
		differs := compare(e, whole, v.Entry, r)
		mu.Lock()
		s.equal++
		if differs != "" {
			s.unequal++
			s.failures = append(s.failures, fmt.Sprintf("%s, %s: %s", e.Name, v.How, differs))
		}
		mu.Unlock()
	}
	return nil
}

// less judges an entry's variants with less evidence, and counts what they say.
func (s *sums) less(mu *sync.Mutex, variants iter.Seq[vary.Variant], full int, tally *score.Tally) {
	for v := range variants {
		r, err := analyse(v)
		if err != nil {
			continue // nothing left to read
		}
		mu.Lock()
		for _, j := range score.All(v.Entry.Scored(), r.Items) {
			tally.Add(strconv.Itoa(full), j)
			if j.Outcome == score.WrongProven {
				s.note(v.Entry, j, v.How, true)
			}
		}
		mu.Unlock()
	}
}

// note records what is not right. The caller holds the lock.
func (s *sums) note(e *entry.Entry, j score.Judged, how string, fails bool) {
	if j.Outcome == score.Right {
		return
	}
	text := fmt.Sprintf("%s: %s, %s: %s/%s is %s: %s", j.Outcome, e.Name,
		how, j.Truth.Pod, j.Truth.Container, j.Truth.Cause, j.Why)
	if j.Outcome == score.WrongProven || fails {
		s.failures = append(s.failures, text)
		return
	}
	s.remarks = append(s.remarks, text)
}

func analyse(v vary.Variant) (*report.Report, error) {
	snap, err := v.Entry.Snapshot()
	if err != nil {
		return nil, err
	}
	if v.Change != nil {
		v.Change(snap)
	}
	return analyzer.Analyze(snap, analyzer.Options{GeneratedAt: snap.CollectedAt}), nil
}

// compare describes how two reports on the same events differ, "" if in nothing that matters.
func compare(a *entry.Entry, ra *report.Report, b *entry.Entry, rb *report.Report) string {
	va, vb := score.All(a.Scored(), ra.Items), score.All(b.Scored(), rb.Items)
	for i := range va {
		if va[i].Cause != vb[i].Cause || va[i].Confidence != vb[i].Confidence {
			return fmt.Sprintf("%s becomes %s (%s) instead of %s (%s)", va[i].Truth.Pod,
				vb[i].Cause, vb[i].Confidence, va[i].Cause, va[i].Confidence)
		}
	}
	if len(ra.Items) != len(rb.Items) {
		return fmt.Sprintf("%d items instead of %d", len(rb.Items), len(ra.Items))
	}
	return ""
}
