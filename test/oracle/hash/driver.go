package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// upstream is one running driver: the real function of one release.
type upstream struct {
	in  io.WriteCloser
	out *bufio.Reader
	cmd *exec.Cmd
}

func start(ctx context.Context, path string) (*upstream, error) {
	cmd := exec.CommandContext(ctx, path)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return &upstream{in, bufio.NewReaderSize(out, 1<<20), cmd}, nil
}

// answer asks all lines, each of which ends with a line feed, and returns one answer for each.
func (u *upstream) answer(lines [][]byte) ([]string, error) {
	failed := make(chan error, 1)
	go func() {
		to := bufio.NewWriterSize(u.in, 1<<16)
		for _, line := range lines {
			if _, err := to.Write(line); err != nil {
				failed <- fmt.Errorf("ask driver: %w", err)
				return
			}
		}
		failed <- to.Flush()
	}()
	answers := make([]string, len(lines))
	for i := range answers {
		line, err := u.out.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("read driver's answer: %w", err)
		}
		answers[i] = strings.TrimSuffix(line, "\n")
	}
	return answers, <-failed
}

func (u *upstream) stop() error {
	if err := u.in.Close(); err != nil {
		return err
	}
	return u.cmd.Wait()
}
