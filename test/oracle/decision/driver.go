package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"

	"github.com/restartwhy/kubectl-restartwhy/test/oracle/internal/cases"
)

// upstream is one running driver: the real functions of one release.
type upstream struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

func start(ctx context.Context, path string) (*upstream, error) {
	cmd := exec.CommandContext(ctx, path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	// Its log is dropped: upstream complains there about every odd case.
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return &upstream{in, bufio.NewReaderSize(out, 1<<20), cmd}, nil
}

// answer asks all lines; each ends with a line feed. Meanwhile work is done here.
func (u *upstream) answer(lines [][]byte, meanwhile func()) ([]cases.Answer, error) {
	failed := make(chan error, 1)
	go func() {
		for _, line := range lines {
			if _, err := u.in.Write(line); err != nil {
				failed <- fmt.Errorf("ask driver: %w", err)
				return
			}
		}
		failed <- nil
	}()
	meanwhile()
	answers := make([]cases.Answer, len(lines))
	for i := range answers {
		line, err := u.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("read driver's answer: %w", err)
		}
		if err := json.Unmarshal(line, &answers[i]); err != nil {
			return nil, fmt.Errorf("read driver's answer: %w", err)
		}
	}
	return answers, <-failed
}

// answerOne asks one case.
func (u *upstream) answerOne(c *cases.Case) (cases.Answer, error) {
	line, err := c.Line()
	if err != nil {
		return cases.Answer{}, err
	}
	answers, err := u.answer([][]byte{line}, func() {})
	if err != nil {
		return cases.Answer{}, err
	}
	return answers[0], nil
}

func (u *upstream) stop() error {
	if err := u.in.Close(); err != nil {
		return err
	}
	return u.cmd.Wait()
}
