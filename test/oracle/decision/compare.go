package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/driver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

const (
	// batch is how many cases share one setting of the gates, and go to the driver at once.
	batch = 250
	// shown is how many different differences are shrunk and printed for each release.
	shown = 5
)

// result is the comparison of one release.
type result struct {
	release            string
	cases, differences int
	refused, gateSets  int
	refusals           map[string]int  // by upstream's reason
	branches           map[string]bool // branches and answers of our trace
	keep               *recorder
	distinct           map[string]bool // kinds of difference already shown
	u                  upstream
	out                io.Writer
}

// compare gives both sides n cases of one release. An error means that there was no comparison.
func compare(ctx context.Context, out io.Writer, cache, release string,
	seed uint64, n int, keep *recorder) (*result, error) {
	path, err := driver.Build(ctx, cache, release)
	if err != nil {
		return nil, err
	}
	return ask(ctx, out, path, release, seed, n, keep)
}

func ask(ctx context.Context, out io.Writer, path, release string, seed uint64,
	n int, keep *recorder) (_ *result, err error) {
	driver, err := peer.Start(ctx, path, nil) // upstream logs a complaint about every odd case
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, driver.Stop()) }()
	u := upstream{driver}
	sets, err := gateSets(u, release)
	if err != nil {
		return nil, err
	}
	r := &result{release: release, gateSets: len(sets), branches: map[string]bool{}, keep: keep,
		distinct: map[string]bool{}, u: u, out: out}
	random := rand.New(rand.NewPCG(seed, 0))
	for r.cases < n {
		// The defaults are what almost every node has, so they get half of the cases.
		set := sets[0]
		if random.IntN(2) == 0 {
			set = sets[random.IntN(len(sets))]
		}
		p, err := cases.Profile(release, set)
		if err != nil {
			return nil, err
		}
		if err := r.batch(cases.NewGenerator(random.Uint64(), p, set), min(batch, n-r.cases)); err != nil {
			return nil, fmt.Errorf("compare %s after %d cases: %w", release, r.cases, err)
		}
	}
	return r, nil
}

func (r *result) batch(g *cases.Generator, n int) error {
	lines := make([][]byte, n)
	for i := range lines {
		c := g.Next()
		var err error
		if lines[i], err = c.Line(); err != nil {
			return err
		}
	}
	ours, read := make([]cases.Answer, n), make([]cases.Case, n)
	signatures := make([]string, n)
	var readErr error
	theirs, err := r.u.answer(lines, func() {
		for i, line := range lines {
			if read[i], readErr = cases.Read(line); readErr != nil {
				return
			}
			ours[i], _ = cases.Ours(g.Profile, &read[i], false)
			signatures[i] = r.trace(g.Profile, &read[i])
		}
	})
	if err = errors.Join(err, readErr); err != nil {
		return err
	}
	for i := range theirs {
		if theirs[i].Refused != "" {
			r.refused++
			if r.refusals == nil {
				r.refusals = map[string]int{}
			}
			r.refusals[theirs[i].Refused]++
			continue
		}
		r.cases++
		if reflect.DeepEqual(ours[i], theirs[i]) {
			r.keep.add(r.release, signatures[i], lines[i], &theirs[i])
			continue
		}
		r.differences++
		if err := r.show(g.Profile, read[i], ours[i], theirs[i]); err != nil {
			return err
		}
	}
	return nil
}

// trace records which way each branch went and returns the case's path as one text.
func (r *result) trace(p kubelet.Profile, c *cases.Case) string {
	_, steps := cases.Ours(p, c, true)
	var path strings.Builder
	for _, s := range steps {
		key := fmt.Sprintf("%s/%s=%t", s.Function, s.Branch, s.Taken)
		r.branches[key] = true
		path.WriteString(key)
		path.WriteByte(' ')
	}
	return path.String()
}

// show shrinks a difference and prints it, unless one of its kind was already printed.
func (r *result) show(p kubelet.Profile, c cases.Case, ours, theirs cases.Answer) error {
	if len(r.distinct) >= shown || r.distinct[kind(ours, theirs)] {
		return nil
	}
	wanted := kind(ours, theirs)
	r.distinct[wanted] = true
	line, err := c.Line()
	if err != nil {
		return err
	}
	var askErr error
	line = peer.Shrink(line, func(line []byte) bool {
		small, err := cases.Read(line)
		if askErr != nil || err != nil || small.Pod == nil {
			return false
		}
		if theirs, askErr = r.u.answerOne(line); askErr != nil || theirs.Refused != "" {
			return false
		}
		b, _ := cases.Ours(p, &small, false)
		return kind(b, theirs) == wanted
	})
	if askErr != nil {
		return askErr
	}
	small, err := cases.Read(line)
	if err != nil {
		return err
	}
	if theirs, err = r.u.answerOne(line); err != nil {
		return err
	}
	ours, steps := cases.Ours(p, &small, true)
	fmt.Fprintf(r.out, "difference in %s, gates %v\n  case     %s  upstream %+v\n  ours     %+v\n",
		r.release, p.Gates, line, theirs, ours)
	for _, s := range steps {
		fmt.Fprintf(r.out, "    %s %s %s %t: %s\n", s.Function, s.Branch, s.Container, s.Taken, s.Fact)
	}
	return nil
}

// kind names the fields in which two answers differ.
func kind(a, b cases.Answer) string {
	var fields []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			fields = append(fields, x.Type().Field(i).Name)
		}
	}
	return strings.Join(fields, ",")
}
