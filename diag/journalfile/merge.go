package journalfile

import (
	"context"
	"iter"
	"slices"
)

// head is a file's next entry in the merge.
type head struct {
	file   *File
	scan   scan
	end    uint64 // the size of the file when reading began
	at     entry
	cursor Cursor
	ended  bool
	// checked: the file could not be searched, so the time of each entry is compared.
	checked bool
	hole    string // what is missing before it
	told    int    // entries passed on when that was reported
}

// Entries returns the entries that match a query, from all files in journalctl's order, each once. If there is an
// error, it comes last and is the context's: broken parts are reported to OnHole and skipped.
func (s *Set) Entries(ctx context.Context, q Query) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		m := &merge{q: q, breaks: s.breaks()}
		for _, f := range s.files {
			m.open(f)
		}
		var e Entry
		var buf []byte
		var refs []uint64
		for {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			h := m.pick()
			if h == nil {
				return
			}
			m.before(h)
			var why string
			buf, refs, why = h.file.decode(h.at, &q, &e, buf, refs)
			if why != "" {
				m.tell(h.file.name, why)
			}
			m.count++
			if !yield(&e, nil) {
				return
			}
			m.last, m.some = h.cursor, true
			m.advance(h)
		}
	}
}

type merge struct {
	q      Query
	heads  []*head
	first  *head // the head that comes next, as far as known
	second *head // the one that comes after it
	breaks []breach
	last   Cursor // of the previous entry
	some   bool   // there is one
	from   *File  // the file that it is from
	count  int
}

// open creates a file's head, if anything in the file can be wanted.
func (m *merge) open(f *File) {
	h := &head{file: f, end: uint64(f.size)}
	lo := uint64(1)
	if !m.q.Since.IsZero() {
		since := micros(m.q.Since)
		if f.State != Online && f.TailRealtime != 0 && f.TailRealtime < since {
			return // the header alone shows it
		}
		// Where the search cannot be trusted, every entry is checked instead.
		switch at, sure := f.seek(func(e entry) bool { return e.realtime >= since }); {
		case !sure:
			h.checked = true
		case at == 0:
			return
		default:
			lo = at
		}
	}
	h.scan = f.scan(&m.q)
	h.at.offset = lo - 1
	m.heads = append(m.heads, h)
	m.advance(h)
}

// advance moves the next entry of a file into its head.
func (m *merge) advance(h *head) {
	hole := ""
	for {
		offset := h.scan.next(h.at.offset + 1)
		if bad := h.scan.trouble(); bad != "" && hole == "" {
			hole = bad
		}
		if h.file.spent() {
			hole = errSpent.Error()
		}
		if offset == 0 || offset >= h.end || h.file.spent() {
			h.ended = true
			h.file.known = nil // its data is not needed any more
			break
		}
		e, err := h.file.entryAt(offset)
		if err != nil {
			e, err = h.file.fresh(offset, err)
		}
		if err == nil && h.file.newer(e) || err != nil && h.file.later(offset, typeEntry) {
			h.ended = true
			break
		}
		if err == nil {
			h.at, h.cursor = e, h.file.cursor(e)
			if h.checked && e.realtime < micros(m.q.Since) {
				continue
			}
			break
		}
		h.at.offset = offset
		if hole == "" {
			hole = err.Error()
		}
	}
	if hole != "" {
		m.tell(h.file.name, hole)
		h.hole, h.told = hole, m.count
	}
	if h == m.first || h.ended {
		m.settle(h)
	}
}

// settle keeps first and second correct after the first has changed, or drops a head that has ended.
func (m *merge) settle(h *head) {
	if h.ended {
		m.heads = slices.DeleteFunc(m.heads, func(o *head) bool { return o == h })
	}
	if h == m.first && !h.ended && (m.second == nil || h.cursor.compare(&m.second.cursor) < 0) {
		return
	}
	m.first, m.second = nil, nil
}

// pick returns the head that comes next, nil at the end. It skips the same entry in another file.
func (m *merge) pick() *head {
	for {
		if m.first == nil {
			for _, h := range m.heads {
				switch {
				case m.first == nil || h.cursor.compare(&m.first.cursor) < 0:
					m.first, m.second = h, m.first
				case m.second == nil || h.cursor.compare(&m.second.cursor) < 0:
					m.second = h
				}
			}
		}
		h := m.first
		if h == nil || !m.some || h.cursor != m.last {
			return h
		}
		m.advance(h)
	}
}

// before reports what is missing before an entry: between the files, or within its own.
func (m *merge) before(h *head) {
	// Holes between files are at a change of file or boot.
	if !m.some || h.file != m.from || h.cursor.Boot != m.last.Boot {
		m.breaks = slices.DeleteFunc(m.breaks, func(b breach) bool {
			passed := b.passed(&h.cursor)
			if passed && m.some { // before the first entry nothing is claimed
				m.tell(b.file, b.why)
			}
			return passed
		})
		m.from = h.file
	}
	if h.hole != "" && h.told < m.count {
		m.tell(h.file.name, h.hole)
	}
	h.hole = ""
}

func (m *merge) tell(file, why string) {
	if m.q.OnHole != nil {
		m.q.OnHole(Hole{File: file, Why: why})
	}
}
