package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Runner runs journalctl with arguments and copies its output to out. The error includes what journalctl wrote to
// stderr.
type Runner interface {
	Run(ctx context.Context, args []string, out io.Writer) error
}

// Command is a Runner: the command line up to journalctl's arguments, for example ["journalctl"] or ["chroot", "/host",
// "journalctl"].
type Command []string

// Run implements Runner.
func (c Command) Run(ctx context.Context, args []string, out io.Writer) error {
	if len(c) == 0 {
		return errors.New("run journalctl: no command")
	}
	cmd := exec.CommandContext(ctx, c[0], append(append([]string{}, c[1:]...), args...)...)
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &limited{w: &stderr, left: 4 << 10}
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	first, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
	switch {
	case err != nil && first != "":
		return fmt.Errorf("%w: %s", err, first)
	case err == nil && strings.Contains(stderr.String(), "not seeing messages from other users"):
		return errPartial
	}
	return err
}

// errPartial: journalctl ran, but may see only the journal of its own user.
var errPartial = errors.New("no permission to read the system's journal")

// limited keeps the first bytes and discards the rest.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}
