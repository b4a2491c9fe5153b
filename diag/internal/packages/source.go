package packages

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/clock"
	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/hostfiles"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/nodefile"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/pace"
)

const (
	maxFile    = 32 << 20
	maxEntries = 5000
	quiet      = 10 * time.Second // how long to wait without reading a file
)

// Options say where and how far back to look. The zero value is for the machine we run on, and a month.
type Options struct {
	// Node is the node's name in the cluster; it names the file.
	Node string
	// Root is where the node's file system is mounted; / if empty.
	Root string
	// Since is where to begin; 30 days before now if zero.
	Since time.Time
	// Now is the clock; clock.Now if nil.
	Now func() time.Time
}

// Source reads the records of this machine's package managers.
type Source struct{ o Options }

// New returns a source.
func New(o Options) *Source {
	o.Root = cmp.Or(o.Root, "/")
	o.Now = clock.Or(o.Now)
	if o.Since.IsZero() {
		o.Since = o.Now().Add(-30 * 24 * time.Hour)
	}
	return &Source{o}
}

// Name returns the name of the source.
func (s *Source) Name() string { return "packages" }

// Collect reads the logs of all package managers that exist. A node without any, or without relevant entries, yields
// nothing, which is no gap.
func (s *Source) Collect(ctx context.Context) ([]evidence.RawEvidence, []evidence.Gap) {
	ctx, cancel := pace.Within(ctx, quiet)
	defer cancel()
	r := reader{ctx: ctx, o: s.o}
	zone, err := hostfiles.Zone(s.o.Root)
	if err != nil {
		r.gap(fmt.Errorf("read the times of package managers: %w", err))
		zone = nil
	}
	r.zone = zone
	r.debian()
	r.rpms()
	r.snaps()
	r.entries = slices.DeleteFunc(r.entries, func(e entry) bool { return e.Time.Before(s.o.Since) })
	slices.SortStableFunc(r.entries, func(a, b entry) int { return a.Time.Compare(b.Time) })
	if n := len(r.entries); n > maxEntries {
		r.gap(fmt.Errorf("read the records of package managers: the newest %d of %d are kept", maxEntries, n))
		r.entries = r.entries[n-maxEntries:]
	}
	if len(r.entries) == 0 {
		return nil, r.gaps
	}
	at := s.o.Now().UTC()
	return nodefile.Store(Kind, s.o.Node, Name, stored{CollectedAt: at, Entries: r.entries}, at, NewPiece, r.gaps)
}

type reader struct {
	ctx     context.Context
	o       Options
	zone    *time.Location // nil: local times have no known zone
	entries []entry
	gaps    []evidence.Gap
	told    bool // the timeout was reported
}

func (r *reader) gap(err error) {
	r.gaps = append(r.gaps, evidence.Gap{Source: Kind, Node: r.o.Node, Why: err.Error(), Hint: hostfiles.Hint(err)})
}

// over reports whether the time is up, and records that once as a gap.
func (r *reader) over(name string) bool {
	err := r.ctx.Err()
	if err != nil && !r.told {
		r.told = true
		r.gap(fmt.Errorf("read %s: time is over: %w", name, err))
	}
	return err != nil
}

// open opens a log, even if it was rotated and compressed, and returns when it was last written. It skips a log that
// was finished before Since.
func (r *reader) open(name string) (io.Reader, time.Time, func()) {
	f, written, err := hostfiles.Open(hostfiles.Below(r.o.Root, name))
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, hostfiles.ErrIrregular) {
			r.gap(fmt.Errorf("read %s: %w", name, err))
		}
		return nil, time.Time{}, nil
	}
	if written.Before(r.o.Since) || r.over(name) {
		f.Close()
		return nil, time.Time{}, nil
	}
	var in io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			r.gap(fmt.Errorf("read %s: %w", name, err))
			f.Close()
			return nil, time.Time{}, nil
		}
	}
	return io.LimitReader(in, maxFile), written, func() { f.Close() }
}

// lines reads a log and its rotated files line by line.
func (r *reader) lines(name string, parse func(string, *time.Location, time.Time) (entry, bool)) {
	for _, file := range r.rotated(name) {
		in, written, done := r.open(file)
		if in == nil {
			continue
		}
		scan := bufio.NewScanner(in)
		scan.Buffer(make([]byte, 0, 64<<10), 1<<20)
		for scan.Scan() && !r.over(file) {
			pace.Step(r.ctx)
			if e, ok := parse(scan.Text(), r.zone, written); ok {
				e.Path = file
				r.entries = append(r.entries, e)
			}
		}
		if err := scan.Err(); err != nil {
			r.gap(fmt.Errorf("read %s: %w", file, err))
		}
		done()
	}
}

// rotated lists a log and its rotated names: dpkg.log, dpkg.log.1, dpkg.log.2.gz.
func (r *reader) rotated(name string) []string {
	matches, _ := filepath.Glob(hostfiles.Below(r.o.Root, name) + ".*")
	slices.Sort(matches)
	files := []string{name}
	for _, m := range matches[:min(len(matches), 12)] {
		files = append(files, path.Join(path.Dir(name), filepath.Base(m)))
	}
	return files
}

func (r *reader) text(name string) string {
	in, _, done := r.open(name)
	if in == nil {
		return ""
	}
	defer done()
	data, err := io.ReadAll(in)
	if err != nil {
		r.gap(fmt.Errorf("read %s: %w", name, err))
	}
	pace.Step(r.ctx)
	return string(data)
}

func (r *reader) debian() {
	if r.zone == nil {
		return
	}
	r.lines("/var/log/dpkg.log", func(line string, zone *time.Location, _ time.Time) (entry, bool) {
		return dpkg(line, zone)
	})
	var runs []run
	for _, name := range r.rotated("/var/log/apt/history.log") {
		runs = append(runs, history(r.text(name), r.zone)...)
	}
	attribute(r.entries, runs)
	for _, name := range r.rotated("/var/log/apt/term.log") {
		for _, e := range terminal(r.text(name), r.zone) {
			e.Path = name
			r.entries = append(r.entries, e)
		}
	}
}

func (r *reader) rpms() {
	r.lines("/var/log/dnf.rpm.log", func(line string, zone *time.Location, _ time.Time) (entry, bool) {
		return dnf(line, zone)
	})
	if r.zone == nil {
		return
	}
	r.lines("/var/log/yum.log", yumLine)
	r.lines("/var/log/zypp/history", func(line string, zone *time.Location, _ time.Time) (entry, bool) {
		return zypper(line, zone)
	})
}

func (r *reader) snaps() {
	const dir = "/var/lib/snapd/sequence"
	found, err := os.ReadDir(hostfiles.Below(r.o.Root, dir))
	if err != nil {
		return
	}
	for _, f := range found {
		name, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok || !matters(name) {
			continue
		}
		file := path.Join(dir, f.Name())
		in, written, done := r.open(file)
		if in == nil {
			continue
		}
		data, err := io.ReadAll(in)
		done()
		if e, ok := snap(name, data, written.UTC()); ok && err == nil {
			e.Path = file
			r.entries = append(r.entries, e)
		}
	}
}
