package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// way is one way to the entries of a node's journal.
type way interface {
	// record stores the entries of a kind of log (kubelet, runtime, kernel), the
	// oldest first. until is up to when entries have been seen if the error is nil.
	record(ctx context.Context, kind string, r *recorder) (until time.Time, err error)
}

// journalctl is the way through the program of that name.
type journalctl struct{ o *Options }

func (j journalctl) record(ctx context.Context, kind string, r *recorder) (time.Time, error) {
	until := j.o.Now().UTC().Round(0)
	err := j.run(ctx, append(j.args(kind), "--output-fields="+strings.Join(fields(), ",")), r)
	if err != nil && strings.Contains(err.Error(), "output-fields") { // systemd <236
		err = j.run(ctx, j.args(kind), r)
	}
	return until, err
}

// args are journalctl's arguments for a file. The kernel's log is selected by
// its transport: option -k would leave out all boots but the present one.
func (j journalctl) args(kind string) []string {
	args := []string{"--no-pager", "--output=export", "--since=@" + strconv.FormatInt(j.o.Since.Unix(), 10)}
	if kind != "kernel" {
		for _, u := range j.o.units(kind) {
			args = append(args, "--unit="+u)
		}
		return args // systemd's word of a set clock is of no unit; the entries' own clocks show it, too
	}
	for i, g := range kernelTerms() {
		if i > 0 {
			args = append(args, "+")
		}
		for _, m := range g {
			args = append(args, m.Field+"="+m.Value)
		}
	}
	return args
}

// run copies what journalctl writes, entry by entry.
func (j journalctl) run(ctx context.Context, args []string, r *recorder) error {
	out, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := j.o.Runner.Run(ctx, args, w)
		w.Close()
		done <- err
	}()
	copyErr := copyExport(out, r)
	// A reader that gave up must not leave journalctl waiting.
	out.CloseWithError(io.ErrClosedPipe)
	if err := <-done; err != nil {
		return err
	}
	return copyErr
}

// copyExport stores the entries of an export.
func copyExport(in io.Reader, r *recorder) error {
	bad := 0
	s := newScanner(in)
	for {
		r.begin()
		err := readEntry(s, wanted, r.field)
		switch {
		case errors.Is(err, errBroken): // "-- No entries --", or a journal that is damaged
			bad++
			if err := s.skip(); err != nil {
				return endOfOutput(err, bad, r)
			}
		case err != nil:
			return endOfOutput(err, bad, r)
		default:
			r.close()
		}
	}
}

// endOfOutput: that journalctl's output breaks off is told by its own error.
// "-- No entries --" alone counts as one that cannot be read, and is none.
func endOfOutput(err error, bad int, r *recorder) error {
	switch {
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case bad > 0 && r.buf.Size() > 0:
		return fmt.Errorf("%d entries of journalctl were unreadable", bad)
	}
	return nil
}
