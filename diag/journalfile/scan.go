package journalfile

import (
	"bytes"
	"slices"
)

// scan iterates over the entries of one file that match a query.
type scan interface {
	// next returns the offset of the first entry at or after an offset, 0 at the end.
	next(from uint64) uint64
	// trouble returns what was broken since the last call, "" for nothing.
	trouble() string
}

// scan plans the iteration. If the hash table is broken, every entry is checked.
func (f *File) scan(q *Query) scan {
	if len(q.Any) == 0 {
		return &walk{list: f.main()}
	}
	var some either
	for _, group := range q.Any {
		all, met, err := f.both(group)
		if err != nil {
			return &look{file: f, list: f.main(), any: q.Any}
		}
		if met {
			some = append(some, &branch{scan: all})
		}
	}
	if len(some) == 1 {
		return some[0].scan
	}
	return some
}

// both plans the iteration over the entries that meet all conditions of a group. met is false if none can.
func (f *File) both(group []Match) (all scan, met bool, err error) {
	var out together
	for _, m := range group {
		d, found, err := f.find([]byte(m.Field + "=" + m.Value))
		if err != nil || !found {
			return nil, false, err
		}
		out = append(out, &walk{list: d.list(f)})
	}
	switch len(out) {
	case 0:
		return &walk{list: f.main()}, true, nil
	case 1:
		return out[0], true, nil
	}
	return out, true, nil
}

// walk iterates over one list.
type walk struct{ list }

func (w *walk) trouble() string {
	bad := w.bad
	w.bad = ""
	return bad
}

// together iterates over the intersection of several lists.
type together []*walk

func (t together) next(from uint64) uint64 {
	for agree := 0; agree < len(t); {
		for _, w := range t {
			at := w.highest
			if at < from {
				at = w.next(from)
			}
			if at == 0 {
				return 0
			}
			if at > from {
				from, agree = at, 0
			}
			if agree++; agree == len(t) {
				break
			}
		}
	}
	return from
}

func (t together) trouble() string { return firstTrouble(t) }

func firstTrouble[S scan](all []S) string {
	for _, s := range all {
		if bad := s.trouble(); bad != "" {
			return bad
		}
	}
	return ""
}

// either iterates over the union of several scans.
type either []*branch

// branch is a scan with its current entry.
type branch struct {
	scan
	at    uint64
	ended bool
}

func (e either) next(from uint64) uint64 {
	first := uint64(0)
	for _, b := range e {
		if !b.ended && b.at < from {
			b.at = b.scan.next(from)
			b.ended = b.at == 0
		}
		if !b.ended && (first == 0 || b.at < first) {
			first = b.at
		}
	}
	return first
}

func (e either) trouble() string { return firstTrouble(e) }

// look reads every entry and compares its fields: for files without a usable index.
type look struct {
	file *File
	list list
	any  [][]Match
	buf  []byte
	refs []uint64
	bad  string
}

func (l *look) next(from uint64) uint64 {
	for {
		offset := l.list.next(from)
		if offset == 0 || l.file.spent() {
			return 0
		}
		e, err := l.file.entryAt(offset)
		if err == nil {
			var met bool
			if met, err = l.meets(e); met {
				return offset
			}
		}
		if err != nil && l.bad == "" {
			l.bad = err.Error()
		}
	}
}

// meets compares an entry. Unreadable data is an error only if the rest does not match the query.
func (l *look) meets(e entry) (bool, error) {
	refs, err := l.file.items(e, l.refs[:0])
	if err != nil {
		return false, err
	}
	l.refs, l.buf = refs, l.buf[:0]
	met := map[Match]bool{}
	for _, ref := range refs {
		field, grown, failed := l.file.field(ref, &Query{}, l.buf[:0])
		l.buf = grown
		if failed != nil {
			err = failed
			continue
		}
		name, value, _ := bytes.Cut(field, []byte("="))
		for _, group := range l.any {
			for _, m := range group {
				if string(name) == m.Field && string(value) == m.Value {
					met[m] = true
				}
			}
		}
	}
	if slices.ContainsFunc(l.any, func(group []Match) bool {
		return !slices.ContainsFunc(group, func(m Match) bool { return !met[m] })
	}) {
		return true, nil
	}
	return false, err
}

func (l *look) trouble() string {
	bad := l.bad
	l.bad = ""
	if bad == "" {
		bad = l.list.bad
		l.list.bad = ""
	}
	return bad
}
