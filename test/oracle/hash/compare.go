package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashcase"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/hashdriver"
	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/peer"
)

const (
	// batch is how many cases go to the driver at once. While it answers one batch, the next one is created and hashed
	// here.
	batch = 500
	// shown is how many differences are shrunk and printed for each release.
	shown = 5
)

// result is the comparison of one release.
type result struct {
	cases, hashes, differences, refused int
}

// prepared is a batch with our answers.
type prepared struct {
	lines [][]byte
	ours  []string
	err   error
}

// prepare creates n cases in batches, each case with a minor version for Hash.
func prepare(ctx context.Context, d hashdriver.Driver, seed uint64, n int) <-chan prepared {
	out := make(chan prepared, 1)
	go func() {
		defer close(out)
		g := hashcase.NewGenerator(seed)
		for made := 0; made < n; made += batch {
			p := prepared{lines: make([][]byte, min(batch, n-made))}
			p.ours = make([]string, len(p.lines))
			for i := range p.lines {
				p.lines[i] = g.Next()
				if p.ours[i], p.err = answer(d, made+i, p.lines[i]); p.err != nil {
					break
				}
			}
			select {
			case out <- p:
			case <-ctx.Done():
				return
			}
			if p.err != nil {
				return
			}
		}
	}()
	return out
}

// answer returns ours to the case numbered i; the minor versions of a driver take turns.
func answer(d hashdriver.Driver, i int, line []byte) (string, error) {
	c, err := hashcase.Read(line)
	if err != nil {
		return "", err
	}
	return hashcase.Ours(d, d.From+i%(d.To-d.From+1), c), nil
}

// compare gives the driver at path and our package the same n cases.
func compare(ctx context.Context, out io.Writer, path string, d hashdriver.Driver,
	seed uint64, n int) (_ result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	u, err := peer.Start(ctx, path, os.Stderr)
	if err != nil {
		return result{}, err
	}
	defer func() { err = errors.Join(err, u.Stop()) }()
	var r result
	for p := range prepare(ctx, d, seed, n) {
		if p.err != nil {
			return r, p.err
		}
		theirs, err := asked(u, p.lines...)
		if err != nil {
			return r, fmt.Errorf("compare %s after %d cases: %w", d, r.cases, err)
		}
		for i, a := range theirs {
			if strings.HasPrefix(a, "refused: ") {
				r.refused++
				continue
			}
			r.cases++
			r.hashes += 1 + strings.Count(a, " ")
			if a == p.ours[i] {
				continue
			}
			if r.differences++; r.differences <= shown {
				if err := show(out, u, d, i, p.lines[i]); err != nil {
					return r, err
				}
			}
		}
	}
	return r, ctx.Err()
}

// asked sends all lines and returns one answer for each.
func asked(u *peer.Driver, lines ...[]byte) ([]string, error) {
	texts, err := u.Answer(lines, func() {})
	answers := make([]string, len(texts))
	for i, text := range texts {
		answers[i] = string(text)
	}
	return answers, err
}

// show shrinks the differing case numbered i of its batch and prints it.
func show(out io.Writer, u *peer.Driver, d hashdriver.Driver, i int, line []byte) error {
	var askErr error
	small := peer.Shrink(line, func(smaller []byte) bool {
		ours, err := answer(d, i, smaller)
		if askErr != nil || err != nil {
			return false
		}
		var theirs []string
		theirs, askErr = asked(u, smaller)
		return askErr == nil && !strings.HasPrefix(theirs[0], "refused: ") && theirs[0] != ours
	})
	if askErr != nil {
		return askErr
	}
	theirs, err := asked(u, small)
	if err != nil {
		return err
	}
	ours, err := answer(d, i, small)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "difference in %s\n  case     %s  upstream %s\n  ours     %s\n", d, small, theirs[0], ours)
	return nil
}
