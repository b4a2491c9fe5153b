package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/test/field/internal/entry"
	"github.com/restartwhy/kubectl-restartwhy/test/internal/score"
)

// judged is one truth of an entry compared with the report on it.
type judged struct {
	score.Judged
	entry *entry.Entry
	truth entry.Truth
	gaps  []report.Gap // what could not be read
	// nameless: silent, but the report has the cause for a pod that it does not name.
	nameless bool
}

// sums are the results over the entries.
type sums struct {
	entries int
	all     []judged // in the order of the entries
	// torn are the pages of the entries; true for those that have entries in both halves, and so are not entirely
	// blind.
	torn map[string]bool
}

// run judges all entries, on all processors.
func run(ctx context.Context, entries []*entry.Entry) (*sums, error) {
	found := make([][]judged, len(entries))
	errs := make([]error, len(entries))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() == nil {
				found[i], _, errs[i] = judge(e)
			}
		})
	}
	wg.Wait()
	s := &sums{entries: len(entries)}
	s.torn = pages(entries)
	for _, f := range found {
		s.all = append(s.all, f...)
	}
	return s, errors.Join(append(errs, ctx.Err())...)
}

func judge(e *entry.Entry) ([]judged, *report.Report, error) {
	r, err := e.Report()
	if err != nil {
		return nil, nil, fmt.Errorf("judge field: %w", err)
	}
	var out []judged
	truths := e.Scored()
	for i, j := range score.All(truths, r.Items) {
		nameless := j.Outcome == score.Silent && slices.ContainsFunc(r.Items, func(it report.Item) bool {
			return it.Pod == evidence.Unnamed && truths[i].Is(it.Verdict.Cause)
		})
		out = append(out, judged{Judged: j, entry: e, truth: e.Truths[i], gaps: r.Gaps, nameless: nameless})
	}
	return out, r, nil
}

func pages(entries []*entry.Entry) map[string]bool {
	halves := map[string]map[bool]bool{}
	for _, e := range entries {
		if halves[e.Page()] == nil {
			halves[e.Page()] = map[bool]bool{}
		}
		halves[e.Page()][e.Blind()] = true
	}
	torn := map[string]bool{}
	for page, h := range halves {
		torn[page] = len(h) > 1
	}
	return torn
}

// count counts those for which want is true.
func (s *sums) count(want func(judged) bool) score.Counts {
	var t score.Tally
	for _, j := range s.all {
		if want(j) {
			t.Add("", j.Judged)
		}
	}
	return t.Sum()
}

func anyOf(judged) bool        { return true }
func blind(j judged) bool      { return j.entry.Blind() }
func open(j judged) bool       { return !j.entry.Blind() }
func (j judged) decides() bool { return *j.truth.Decidable }

// verdict reports whether the limits are kept. It counts, and names nothing.
func (s *sums) verdict() error {
	all := s.count(anyOf)
	decidable := s.count(func(j judged) bool { return blind(j) && j.decides() })
	if all.Judged == 0 {
		return errors.New("judge field: nothing to judge")
	}
	var broken []error
	if n := all.Outcomes[score.WrongProven]; n > 0 {
		broken = append(broken, fmt.Errorf("judge field: %d verdicts are wrongly proven", n))
	}
	if n := all.Outcomes[score.Silent]; n > 0 {
		broken = append(broken, fmt.Errorf("judge field: of %d ends nothing is said", n))
	}
	if all.WrongShare() > wrongLikely {
		broken = append(broken, fmt.Errorf("judge field: %.1f %% of what is called likely is wrong, want at most %.1f %%",
			100*all.WrongShare(), 100*wrongLikely))
	}
	if decidable.Share() < rightBlind {
		broken = append(broken, fmt.Errorf("judge field: %.1f %% of the blind half are right where decidable, want %.0f %%",
			100*decidable.Share(), 100*rightBlind))
	}
	return errors.Join(broken...)
}
