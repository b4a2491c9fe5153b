package unwrap

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"errors"
	"fmt"
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
	done  []sorted
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

// sorted is a sorted run: its first entry and its content.
type sorted struct {
	at    int64
	order int
	buf   *spool.Buffer
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
	back := l.reversed()
	slices.SortStableFunc(l.run, func(a, b entry) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		case back:
			return b.order - a.order
		}
		return a.order - b.order
	})
	b := spool.OnDisk(l.Disk)
	for _, e := range l.run {
		b.Add(fmt.Appendf(nil, "%d %d %d\n", e.at, e.order, len(e.text)))
		b.Add(e.text)
	}
	l.done = append(l.done, sorted{l.run[0].at, l.run[0].order, b})
	clear(l.run)
	l.run, l.size = l.run[:0], 0
}

// File returns the sorted log as a file in the format "record" of diag/textlog.
func (l *Log) File(path string) (evidence.File, error) {
	l.flush()
	out := spool.OnDisk(l.Disk)
	m := merger{back: l.reversed()}
	defer m.close()
	// Most logs are sorted, so one run is open at a time.
	slices.SortFunc(l.done, func(a, b sorted) int {
		if a.at != b.at || !m.back {
			return cmp.Or(cmp.Compare(a.at, b.at), a.order-b.order)
		}
		return b.order - a.order
	})
	var last string
	for next := 0; ; {
		for next < len(l.done) && (len(m.runs) == 0 || l.done[next].at <= m.runs[0].at) {
			b := l.done[next].buf
			if err := b.Err(); err != nil {
				return evidence.File{}, err
			}
			if err := m.open(b.File("run")); err != nil {
				return evidence.File{}, err
			}
			l.done[next].buf = nil
			next++
		}
		if len(m.runs) == 0 {
			break
		}
		text := m.runs[0].text
		if s := string(text); s != last || !strings.Contains(s, "] ") { // duplicates that were far apart
			out.Add(text)
			last = s
		} else {
			l.twice++
		}
		if err := m.next(); err != nil {
			return evidence.File{}, err
		}
	}
	l.done = nil
	f := out.File(path)
	return f, out.Err()
}

// merger merges runs.
type merger struct {
	runs []*run
	back bool
}

type run struct {
	in    io.Closer
	br    *bufio.Reader
	at    int64
	order int
	text  []byte
}

func (r *run) read() error {
	head, err := r.br.ReadSlice('\n')
	if err != nil {
		return err
	}
	var size int
	if _, err := fmt.Fscanf(bytes.NewReader(head), "%d %d %d", &r.at, &r.order, &size); err != nil {
		return fmt.Errorf("read a run: %w", err)
	}
	r.text = make([]byte, size)
	_, err = io.ReadFull(r.br, r.text)
	return err
}

func (m *merger) open(f evidence.File) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	r := &run{in: in, br: bufio.NewReaderSize(in, 64<<10)}
	if err := r.read(); err != nil {
		return errors.Join(err, in.Close())
	}
	heap.Push(m, r)
	return nil
}

// next moves to the next record.
func (m *merger) next() error {
	err := m.runs[0].read()
	switch {
	case err == nil:
		heap.Fix(m, 0)
		return nil
	case errors.Is(err, io.EOF):
		return heap.Pop(m).(*run).in.Close()
	}
	return err
}

func (m *merger) close() {
	for _, r := range m.runs {
		_ = r.in.Close() // read only, in memory
	}
}

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (m *merger) Len() int { return len(m.runs) }

// Less implements heap.Interface.
func (m *merger) Less(i, j int) bool {
	a, b := m.runs[i], m.runs[j]
	if a.at != b.at {
		return a.at < b.at
	}
	return a.order < b.order != m.back
}

// Swap implements heap.Interface.
func (m *merger) Swap(i, j int) { m.runs[i], m.runs[j] = m.runs[j], m.runs[i] }

// Push implements heap.Interface.
func (m *merger) Push(x any) { m.runs = append(m.runs, x.(*run)) }

// Pop implements heap.Interface.
func (m *merger) Pop() any {
	last := m.runs[len(m.runs)-1]
	m.runs = m.runs[:len(m.runs)-1]
	return last
}
