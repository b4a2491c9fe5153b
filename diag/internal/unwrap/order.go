package unwrap

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
)

// Log collects the records of one host and sorts them by time: stores return the newest first, or one stream after the
// other. The records are kept compressed. The zero value is ready to use, and keeps them in memory.
type Log struct {
	Disk  *spool.Disk
	run   []entry
	size  int
	runs  []*run
	up    int // steps forward in time, and back
	down  int
	last  int64
	count int
	same  map[string]bool // the records with the last time, by identity
	twice int
}

type entry struct {
	at    int64 // nanoseconds since 1970, 0 for a record without a time
	order int
	text  []byte // a line or several
}

// run is a sorted run: its next entry, and those behind it. It is opened when its first one is due: most logs are
// sorted, so one is open at a time.
type run struct {
	entry
	rest *spool.Buffer
	in   io.ReadCloser // nil until it is opened
	br   *bufio.Reader
}

// runBytes is how much is sorted at once.
const runBytes = 32 << 20

// Add adds a record. A duplicate, which stores return if a collector tried again, counts once.
func (l *Log) Add(r Record) {
	e := entry{order: l.count}
	if l.count++; !r.Time.IsZero() {
		e.at = r.Time.UnixNano()
	} else {
		e.at = l.last
	}
	switch {
	case l.last == 0:
	case e.at > l.last:
		l.up++
	case e.at < l.last:
		l.down++
	}
	if e.at != l.last || l.same == nil {
		l.last, l.same = e.at, map[string]bool{}
	}
	if id := identity(&r); id != "" && len(l.same) < 4096 {
		if l.same[id] {
			l.twice++
			return
		}
		l.same[id] = true
	}
	e.text = r.Append(nil)
	l.run = append(l.run, e)
	if l.size += len(e.text); l.size >= runBytes {
		l.flush()
	}
}

// identity returns the key for detecting duplicates: the store's own id and the text. Without an id only a kubelet's
// line has one, because it has microseconds.
func identity(r *Record) string {
	if klogline.At(r.Message) == 0 {
		return r.Message
	}
	if r.ID != "" {
		return r.ID + "\x00" + r.Message
	}
	return ""
}

// Twice returns the number of duplicate records.
func (l *Log) Twice() int { return l.twice }

// reversed reports whether the newest record comes first: then so it is for records with the same time.
func (l *Log) reversed() bool { return l.down > l.up }

func (l *Log) flush() {
	if len(l.run) == 0 {
		return
	}
	slices.SortFunc(l.run, inOrder(l.reversed()))
	b := spool.OnDisk(l.Disk)
	for _, e := range l.run {
		head, _ := binary.Append(nil, binary.LittleEndian, []int64{e.at, int64(e.order), int64(len(e.text))})
		b.Add(head)
		b.Add(e.text)
	}
	l.runs = append(l.runs, &run{entry: entry{at: l.run[0].at, order: l.run[0].order}, rest: b})
	clear(l.run)
	l.run, l.size = l.run[:0], 0
}

// inOrder returns the order of entries by time. The later one of the same time is first if the log goes back in time.
func inOrder(back bool) func(a, b entry) int {
	return func(a, b entry) int {
		if back && a.at == b.at {
			return b.order - a.order
		}
		return cmp.Or(cmp.Compare(a.at, b.at), a.order-b.order)
	}
}

// File returns the sorted log as a file in the format "record" of diag/textlog.
func (l *Log) File(path string) (evidence.File, error) {
	l.flush()
	out, order := spool.OnDisk(l.Disk), inOrder(l.reversed())
	slices.SortFunc(l.runs, func(a, b *run) int { return order(a.entry, b.entry) })
	defer func() {
		for _, r := range l.runs {
			r.close()
		}
		l.runs = nil
	}()
	for last := ""; len(l.runs) > 0; {
		next := 0
		for i := 1; i < len(l.runs) && l.runs[i-1].in != nil; i++ { // the first that is not open is before the others
			if order(l.runs[i].entry, l.runs[next].entry) < 0 {
				next = i
			}
		}
		r := l.runs[next]
		if r.in == nil {
			if err := r.open(); err != nil {
				return evidence.File{}, err
			}
		}
		if s := string(r.text); s != last || !strings.Contains(s, "] ") { // duplicates that were far apart
			out.Add(r.text)
			last = s
		} else {
			l.twice++
		}
		if err := r.read(); errors.Is(err, io.EOF) {
			r.close()
			l.runs = slices.Delete(l.runs, next, next+1)
		} else if err != nil {
			return evidence.File{}, err
		}
	}
	f := out.File(path)
	return f, out.Err()
}

// open reads the first entry.
func (r *run) open() (err error) {
	if err := r.rest.Err(); err != nil {
		return err
	}
	if r.in, err = r.rest.File("run").Open(); err != nil {
		return err
	}
	r.br = bufio.NewReaderSize(r.in, 64<<10)
	return r.read()
}

// read reads the next entry.
func (r *run) read() error {
	head := make([]int64, 3)
	if err := binary.Read(r.br, binary.LittleEndian, head); err != nil {
		return err
	}
	r.at, r.order, r.text = head[0], int(head[1]), make([]byte, head[2])
	_, err := io.ReadFull(r.br, r.text)
	return err
}

func (r *run) close() {
	if r.in != nil {
		_ = r.in.Close() // read only, in memory
	}
}
