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

// way is one way to read the entries of a node's journal.
type way interface {
	// record stores the entries of a kind of log (kubelet, runtime, kernel), oldest first. until is up to when entries
	// were visible if the error is nil.
	record(ctx context.Context, kind string, r *recorder) (until time.Time, err error)
}

// journalctl reads through the program of that name.
type journalctl struct{ o *Options }

func (j journalctl) record(ctx context.Context, kind string, r *recorder) (time.Time, error) {
	until := j.o.Now().UTC().Round(0)
	err := j.run(ctx, append(j.args(kind), "--output-fields="+strings.Join(fields(), ",")), r)
	if err != nil && strings.Contains(err.Error(), "output-fields") { // systemd <236
		err = j.run(ctx, j.args(kind), r)
	}
	return until, err
}

// args returns journalctl's arguments for a file. The kernel's log is selected by its transport: option -k would leave
// out all boots but the current one.
func (j journalctl) args(kind string) []string {
	args := []string{"--no-pager", "--output=export", "--since=@" + strconv.FormatInt(j.o.Since.Unix(), 10)}
	if kind != "kernel" {
		for _, u := range units(kind) {
			args = append(args, "--unit="+u)
		}
		return args // systemd's message about a set clock has no unit; the entries' own clocks show it, too
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

// run copies journalctl's output, entry by entry.
func (j journalctl) run(ctx context.Context, args []string, r *recorder) error {
	out, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := j.o.Runner.Run(ctx, args, w)
		w.Close()
		done <- err
	}()
	copyErr := copyExport(out, r)
	// A reader that gave up must not block journalctl.
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
		case errors.Is(err, errBroken): // "-- No entries --", or a damaged journal
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

// endOfOutput handles the end of the output: if it breaks off, journalctl's own error says so. A lone "-- No entries
// --" was counted as unreadable, but is fine.
func endOfOutput(err error, bad int, r *recorder) error {
	switch {
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case bad > 0 && r.buf.Size() > 0:
		return fmt.Errorf("%d entries of journalctl were unreadable", bad)
	}
	return nil
}
