package journal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
	"github.com/restartwhy/kubectl-restartwhy/diag/journalfile"
)

// Options say what to collect. Zero fields have defaults.
type Options struct {
	// Since is where to begin, to the second; zero means a week ago.
	Since time.Time
	// Budget is the number of bytes of log kept per file, the newest; 256 MiB.
	Budget int64
	// Timeout is how long a journal file may yield nothing, and the total time of journalctl for one kind of log; 60
	// seconds.
	Timeout time.Duration
	// Root is where the node's file system begins; "/".
	Root string
	// Dirs are the directories of the journal below Root; /var/log/journal and /run/log/journal. If empty but not nil,
	// the files are not read.
	Dirs []string
	// Runner runs journalctl; Command{"journalctl"}.
	Runner Runner
	// Now is the clock; clock.Now.
	Now func() time.Time
}

// units returns the units whose logs belong to a kind.
func units(kind string) []string {
	if kind == "runtime" {
		return evidence.RuntimeUnits()
	}
	return evidence.KubeletUnits()
}

// Source collects the journals of the kubelet, the runtime and the kernel.
type Source struct {
	node string
	o    Options
}

// NewSource returns the source for the node that it runs on.
func NewSource(node string, o Options) *Source {
	o.Now = clock.Or(o.Now)
	if o.Since.IsZero() {
		o.Since = o.Now().Add(-7 * 24 * time.Hour)
	}
	if o.Dirs == nil {
		o.Dirs = []string{"/var/log/journal", "/run/log/journal"}
	}
	o.Root = cmp.Or(o.Root, "/")
	o.Budget = cmp.Or(o.Budget, 256<<20)
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	if o.Runner == nil {
		o.Runner = Command{"journalctl"}
	}
	return &Source{node: node, o: o}
}

// Name returns the source's name.
func (s *Source) Name() string { return "journal" }

// Collect reads the journal once per kind of log. A partial log is kept as far as it was read, with a gap.
//
// It reads the files themselves if permitted. If it can read none, or some have a newer format than this reader, it
// runs journalctl.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	f, bad := openFiles(&s.o)
	if f != nil {
		defer f.close()
		if !slices.ContainsFunc(bad, othersMayRead) {
			pieces, gaps, _ := s.collect(ctx, f)
			return pieces, append(gaps, s.unread(bad)...)
		}
	}
	pieces, gaps, found := s.collect(ctx, journalctl{&s.o})
	if found {
		return pieces, gaps
	}
	if f != nil { // a part is better than nothing
		pieces, gaps, _ = s.collect(ctx, f)
	}
	if len(bad) == 1 && errors.Is(bad[0], errNoFiles) {
		bad = nil // the lack of journalctl is the better reason
	}
	return pieces, append(gaps, s.unread(bad)...)
}

// othersMayRead reports whether another way may be able to read a file that could not be opened.
func othersMayRead(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, journalfile.ErrUnsupported)
}

// unread returns the gaps of files that could not be opened: each kind of log may have had entries there.
func (s *Source) unread(bad []error) (out []evidence.Gap) {
	for _, err := range bad {
		for _, kind := range kinds() {
			out = append(out, s.gap(kind, err))
		}
	}
	return out
}

func kinds() []string { return []string{"kubelet", "runtime", "kernel"} }

func (s *Source) gap(kind string, err error) evidence.Gap {
	return evidence.Gap{Source: sourceOf(kind), Node: s.node, Why: fmt.Sprintf("read the %s journal: %v", kind, err),
		Hint: hint(err)}
}

// collect reads all kinds in one way. found is false if that way is not available here.
func (s *Source) collect(ctx context.Context, w way) (pieces []evidence.RawEvidence, gaps []evidence.Gap, found bool) {
	for _, kind := range kinds() {
		p, why := s.one(ctx, w, kind)
		if p != nil {
			pieces = append(pieces, p)
		}
		for _, err := range why {
			gaps = append(gaps, s.gap(kind, err))
		}
		if errors.Is(errors.Join(why...), exec.ErrNotFound) {
			// Without journalctl there is no use in trying again.
			return pieces, gaps, false
		}
	}
	return pieces, gaps, true
}

// errNothing: there is a journal, but it has no entries of these units.
var errNothing = errors.New("no entries since the beginning of the window")

func (s *Source) one(ctx context.Context, w way, kind string) (evidence.RawEvidence, []error) {
	ctx, cancel := pace.Within(ctx, s.o.Timeout)
	defer cancel()
	var why []error
	r := newRecorder(ctx, s.o.Budget)
	until, err := w.record(ctx, kind, r)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("stopped at the entry of %s: time is over", stamp(r.last))
		}
		why = append(why, err)
		until = time.Time{} // what comes after the last entry is unknown
	}
	file := r.buf.File(Path(s.node, kind))
	if n := r.buf.Dropped(); n > 0 {
		why = append(why, fmt.Errorf("%w: the oldest %d MiB were left out", errBudget, n>>20))
	}
	if r.last.IsZero() {
		if err == nil {
			why = append(why, errNothing)
		}
		return nil, why
	}
	return NewPiece(s.node, kind, file, until), why
}

var errBudget = errors.New("longer than the budget")

// hint returns a remedy for an error.
func hint(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "journalctl is missing here: run on the node itself, or pass its log files"
	case errors.Is(err, errPartial), strings.Contains(text, "ermission"):
		return "run as root, or as a member of the group systemd-journal"
	case errors.Is(err, errNothing):
		return "the units may have other names here, or log elsewhere: pass the log files"
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
