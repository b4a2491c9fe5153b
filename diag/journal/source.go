package journal

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/redact"
	"github.com/restartwhy/kubectl-restartwhy/diag/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// Runner starts journalctl with arguments and copies its output to out. The
// error tells what journalctl wrote to stderr.
type Runner interface {
	Run(ctx context.Context, args []string, out io.Writer) error
}

// Command is a Runner: the words before journalctl's arguments, for example
// ["journalctl"] or ["chroot", "/host", "journalctl"].
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

// errPartial: journalctl ran, but may only see the journal of its own user.
var errPartial = errors.New("no permission to read the system's journal")

// Options say what to collect. Zero fields have defaults.
type Options struct {
	// Since is where to begin; zero means a week before now.
	Since time.Time
	// KubeletUnits and RuntimeUnits; statement's lists by default.
	KubeletUnits, RuntimeUnits []string
	// Budget is the number of bytes of log kept per file, the newest; 256 MiB.
	Budget int64
	// Timeout is for one file; 60 seconds.
	Timeout time.Duration
	// Runner runs journalctl; Command{"journalctl"}.
	Runner Runner
	// Now is the clock; time.Now.
	Now func() time.Time
}

// Source collects the journals of the kubelet, the runtime and the kernel.
type Source struct {
	node string
	o    Options
}

// NewSource returns the source of the node that it runs on.
func NewSource(node string, o Options) *Source {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Since.IsZero() {
		o.Since = o.Now().Add(-7 * 24 * time.Hour)
	}
	if o.KubeletUnits == nil {
		o.KubeletUnits = statement.KubeletUnits()
	}
	if o.RuntimeUnits == nil {
		o.RuntimeUnits = statement.RuntimeUnits()
	}
	o.Budget = cmp.Or(o.Budget, 256<<20)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	if o.Runner == nil {
		o.Runner = Command{"journalctl"}
	}
	return &Source{node: node, o: o}
}

// Name names the source.
func (s *Source) Name() string { return "journal" }

// Collect runs journalctl once per file. A file that could not be had whole is
// kept as far as it came, with a gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.Piece, []evidence.Gap) {
	var pieces []evidence.Piece
	var gaps []evidence.Gap
	for _, kind := range []string{"kubelet", "runtime", "kernel"} {
		p, why := s.collect(ctx, kind)
		if p != nil {
			pieces = append(pieces, p)
		}
		for _, err := range why {
			gaps = append(gaps, evidence.Gap{Source: sourceOf(kind), Node: s.node, Why: fmt.Sprintf("read the %s journal: %v", kind, err), Hint: hint(err)})
		}
		if errors.Is(errors.Join(why...), exec.ErrNotFound) {
			// Without journalctl there is no use in asking it again.
			return pieces, gaps
		}
	}
	return pieces, gaps
}

// errNothing: there is a journal, but nothing of these units in it.
var errNothing = errors.New("no entries since the beginning of the window")

func (s *Source) collect(ctx context.Context, kind string) (evidence.Piece, []error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	var why []error
	buf, last, err := s.run(ctx, append(s.args(kind), "--output-fields="+outputFields))
	if err != nil && strings.Contains(err.Error(), "output-fields") { // systemd <236
		buf, last, err = s.run(ctx, s.args(kind))
	}
	until := s.o.Now().UTC().Round(0)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("stopped after %s, at the entry of %s", s.o.Timeout, stamp(last))
		}
		why = append(why, err)
		until = time.Time{} // what comes after the last entry is unknown
	}
	file := buf.File(Path(s.node, kind))
	if n := buf.Dropped(); n > 0 {
		why = append(why, fmt.Errorf("%w: the oldest %d MiB were left out", errBudget, n>>20))
	}
	if file.Size == 0 {
		if err == nil {
			why = append(why, errNothing)
		}
		return nil, why
	}
	return NewPiece(s.node, kind, file, until), why
}

var errBudget = errors.New("longer than the budget")

// outputFields are the fields of wanted that journalctl does not print anyway.
const outputFields = "MESSAGE,_HOSTNAME,_SYSTEMD_UNIT,SYSLOG_IDENTIFIER,UNIT,_PID,_BOOT_ID,_TRANSPORT"

// args are journalctl's arguments for a file. The kernel's log is selected by
// its transport: option -k would leave out all boots but the present one.
func (s *Source) args(kind string) []string {
	args := []string{"--no-pager", "--output=export", "--since=@" + strconv.FormatInt(s.o.Since.Unix(), 10)}
	switch kind {
	case "kernel":
		return append(args, "_TRANSPORT=kernel")
	case "runtime":
		for _, u := range s.o.RuntimeUnits {
			args = append(args, "--unit="+u)
		}
	default:
		for _, u := range s.o.KubeletUnits {
			args = append(args, "--unit="+u)
		}
	}
	return args
}

// run copies what journalctl writes into a buffer, entry by entry and only the
// fields that are read. It returns the time of the last entry.
func (s *Source) run(ctx context.Context, args []string) (*spool.Buffer, time.Time, error) {
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := s.o.Runner.Run(ctx, args, w)
		w.Close()
		done <- err
	}()
	buf := spool.New(s.o.Budget)
	last, copyErr := filter(r, buf)
	// A reader that gave up must not leave journalctl waiting.
	r.CloseWithError(io.ErrClosedPipe)
	if err := <-done; err != nil {
		return buf, last, err
	}
	return buf, last, copyErr
}

// filter copies entries with their wanted fields. Secrets in messages stay behind:
// a kubelet may print a whole container, environment included.
func filter(r io.Reader, buf *spool.Buffer) (last time.Time, err error) {
	bad := 0
	s := newScanner(r)
	var record []byte
	var d decoder
	for {
		record = record[:0]
		d.begin()
		err := readEntry(s, wanted, func(name, value []byte) {
			if wanted(name) {
				if string(name) == "MESSAGE" {
					value = []byte(redact.Text(string(value)))
				}
				record = appendField(record, name, value)
				if string(name) == "__REALTIME_TIMESTAMP" {
					d.field(name, value)
				}
			}
		})
		switch {
		case errors.Is(err, errBroken): // "-- No entries --", or a journal that is damaged
			bad++
			if err := s.skip(); err != nil {
				return last, endOfOutput(err, bad, buf)
			}
		case err != nil:
			return last, endOfOutput(err, bad, buf)
		case len(record) > 0:
			if d.timed {
				last = time.UnixMicro(d.micros).UTC()
			}
			buf.Add(append(record, '\n'))
		}
	}
}

// endOfOutput: that journalctl's output breaks off is told by its own error.
// "-- No entries --" alone counts as one that cannot be read, and is none.
func endOfOutput(err error, bad int, buf *spool.Buffer) error {
	switch {
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return err
	case bad > 0 && buf.Size() > 0:
		return fmt.Errorf("%d entries of journalctl were unreadable", bad)
	}
	return nil
}

// appendField writes a field as journald does: as text, or with its length when
// it holds anything but printable text and tabs.
func appendField(b, name, value []byte) []byte {
	b = append(b, name...)
	for _, c := range value {
		if c < ' ' && c != '\t' {
			b = append(b, '\n')
			n := uint64(len(value))
			b = append(b, byte(n), byte(n>>8), byte(n>>16), byte(n>>24), byte(n>>32), byte(n>>40), byte(n>>48), byte(n>>56))
			b = append(b, value...)
			return append(b, '\n')
		}
	}
	b = append(b, '=')
	b = append(b, value...)
	return append(b, '\n')
}

// hint says what a person can do about an error.
func hint(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "journalctl is missing here: run on the node itself, or hand over its log files"
	case errors.Is(err, errPartial), strings.Contains(text, "ermission"):
		return "run as root, or as a member of the group systemd-journal"
	case errors.Is(err, errNothing):
		return "the units may have other names here, or log elsewhere: hand over the log files"
	case errors.Is(err, errBudget):
		return "choose a shorter time window"
	}
	return ""
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return "(none)"
	}
	return t.Format(time.RFC3339)
}

// limited keeps the first bytes and swallows the rest.
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
