package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
)

// most is how many shapes of a property are shown, the most frequent first.
const most = 25

// batch is how many statuses one snapshot holds.
const batch = 200

// finding is a violation that several statuses may share: example is the smallest one so far.
type finding struct {
	property, shape string
	times           int
	example         status
}

// result is what a run has found.
type result struct {
	statuses, items int
	found           map[string]*finding
}

// run checks the properties on statuses, on all cores.
func run(ctx context.Context, seed uint64, n int) (*result, error) {
	r := &result{found: map[string]*finding{}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	jobs := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for from := range jobs {
				part, err := judge(seed, from, min(batch, n-from))
				mu.Lock()
				r.add(part)
				failed = errors.Join(failed, err)
				mu.Unlock()
			}
		})
	}
	for from := 0; from < n && ctx.Err() == nil; from += batch {
		jobs <- from
	}
	close(jobs)
	wg.Wait()
	return r, errors.Join(ctx.Err(), failed)
}

// judge analyses one snapshot. If that fails, it looks for the culprit status by status.
func judge(seed uint64, from, n int) (*result, error) {
	all := make([]status, n)
	for i := range all {
		all[i] = statusOf(seed, uint64(from+i))
	}
	r := &result{statuses: n, found: map[string]*finding{}}
	answers, err := answer(all)
	if err != nil {
		for _, s := range all {
			if _, alone := answer([]status{s}); alone != nil {
				return r, fmt.Errorf("%s: %w", s, alone)
			}
		}
		return r, err
	}
	for _, a := range answers {
		r.items += len(a.items)
		for _, p := range properties {
			for _, shape := range p.check(a) {
				r.add(&result{found: map[string]*finding{p.name + shape: {p.name, shape, 1, a.status}}})
			}
		}
	}
	return r, nil
}

func (r *result) add(part *result) {
	r.statuses, r.items = r.statuses+part.statuses, r.items+part.items
	for key, f := range part.found {
		if have := r.found[key]; have != nil {
			have.times += f.times
			if f.example.size() < have.example.size() {
				have.example = f.example
			}
		} else {
			r.found[key] = f
		}
	}
}

func (r *result) print(w io.Writer) error {
	all := slices.SortedFunc(maps.Values(r.found), func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.property, b.property), -cmp.Compare(a.times, b.times), cmp.Compare(a.shape, b.shape))
	})
	violations, shown := 0, map[string]int{}
	for _, f := range all {
		violations += f.times
		if shown[f.property]++; shown[f.property] > most {
			continue
		}
		small := shrink(f)
		fmt.Fprintf(w, "%s: %d× %s\n    %s\n", f.property, f.times, f.shape, small)
		if a, err := answer([]status{small}); err == nil {
			for _, it := range a[0].items {
				fmt.Fprintf(w, "    %s %s %s %s: %s\n", it.Kind, it.Container, it.Verdict.Confidence,
					it.Verdict.Cause, it.Verdict.Summary)
			}
		}
	}
	fmt.Fprintf(w, "statuses: %d statuses, %d items, %d violations\n", r.statuses, r.items, violations)
	if violations > 0 {
		return fmt.Errorf("hold properties: %d violations of %d shapes", violations, len(all))
	}
	return nil
}
