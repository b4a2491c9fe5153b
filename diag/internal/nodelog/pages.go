package nodelog

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/spool"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// mark is a line at the edge of a page, where the next page has to join.
type mark struct {
	at   time.Time
	text string
	// zone is the node's local time zone, nil while unknown. The kubelet passes sinceTime and untilTime to journalctl
	// without their zone, and journalctl reads them in its own (v1.27–v1.36 kubelet_server_journal_linux.go
	// getLoggingCmd): with a time in another zone the node silently leaves out lines that were requested.
	zone *time.Location
}

// param returns the mark's second in the form that the kubelet needs.
func (m mark) param(add time.Duration) string {
	return m.at.Truncate(time.Second).Add(add).In(m.zone).Format(time.RFC3339)
}

// page is one answer, reduced to the wanted lines.
type page struct {
	buf         *spool.Buffer
	first, last mark
	lines       int  // in the answer, wanted or not
	met         bool // the answer has the line where it joins the previous page
	cut         bool // the kubelet stopped before the end
	err         error
}

// log is what was read of one service: pages that join, the oldest first.
type log struct {
	pages []*page
	until time.Time // the time up to which the log demonstrably reaches; zero if only its lines say so
	why   []error
}

// read pages through one service's log: first the newest 100 000 lines, then on to the present while the kubelet's
// limit cuts the answer, then back as far as requested. Pages that do not join are not combined, because a hole looks
// like silence, and silence is evidence.
func (s *Source) read(ctx context.Context, service string) log {
	l := log{until: s.o.Now().UTC().Round(0)}
	newest := s.page(ctx, url.Values{"query": {service}, "tailLines": {strconv.Itoa(s.o.tail)}}, mark{}, mark{})
	l.pages = []*page{newest}
	left := s.o.Budget - newest.buf.Size()
	for newest.cut && newest.last.zone != nil && ctx.Err() == nil && left > 0 {
		asked := s.o.Now().UTC().Round(0)
		next := s.page(ctx, url.Values{"query": {service}, "sinceTime": {newest.last.param(0)}}, newest.last, mark{})
		switch {
		case next.buf.Size() == 0 && !next.met:
			next.err = nil // nothing new: the previous page is the end
		case !next.met:
			l.pages, l.why = nil, append(l.why, errHole)
		}
		if next.buf.Size() == 0 {
			newest.cut = newest.cut && (next.cut || !next.met)
			break
		}
		newest.cut, newest.err = false, nil
		l.pages, newest, left, l.until = append(l.pages, next), next, left-next.buf.Size(), asked
	}
	if newest.err != nil {
		l.why = append(l.why, newest.err)
	}
	if newest.cut {
		l.why = append(l.why, errLimit)
	}
	if newest.cut || newest.err != nil {
		l.until = time.Time{}
	}
	for oldest := l.pages[0]; oldest.lines >= s.o.tail && oldest.first.zone != nil &&
		oldest.first.at.After(s.o.Reach) && !s.o.Reach.IsZero() && ctx.Err() == nil && left > 0; {
		before := s.page(ctx, url.Values{"query": {service}, "untilTime": {oldest.first.param(time.Second)},
			"tailLines": {strconv.Itoa(s.o.tail)}}, mark{}, oldest.first)
		if !before.met {
			l.why = append(l.why, errHole)
			break
		}
		if before.buf.Size() == 0 {
			break
		}
		l.pages, oldest, left = slices.Insert(l.pages, 0, before), before, left-before.buf.Size()
	}
	return l
}

// file combines the pages, and records what did not fit into the budget.
func (l *log) file(path string) evidence.File {
	var parts []evidence.File
	out := evidence.File{Path: path}
	for _, p := range l.pages {
		f := p.buf.File(path)
		parts, out.Size = append(parts, f), out.Size+f.Size
		if p.buf.Dropped() > 0 && !errors.Is(errors.Join(l.why...), errBudget) {
			l.why = append(l.why, errBudget)
		}
	}
	out.Open = func() (io.ReadCloser, error) {
		var readers []io.Reader
		var closers closers
		for _, f := range parts {
			r, err := f.Open()
			if err != nil {
				return nil, errors.Join(err, closers.Close())
			}
			readers, closers = append(readers, r), append(closers, r)
		}
		return struct {
			io.Reader
			io.Closer
		}{io.MultiReader(readers...), closers}, nil
	}
	return out
}

type closers []io.Closer

func (c closers) Close() error {
	var errs []error
	for _, one := range c {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// page makes one request. It leaves out lines up to and including after, and from before on: they belong to other
// pages.
func (s *Source) page(ctx context.Context, query url.Values, after, before mark) *page {
	p := &page{buf: spool.New(s.o.Budget)}
	began := s.o.Now()
	body, err := s.get.Get(ctx, "/api/v1/nodes/"+url.PathEscape(s.node)+"/proxy/logs/", query)
	if err != nil {
		p.err = classify(err)
		return p
	}
	defer body.Close()
	if err := s.copy(body, p, after, before); err != nil {
		p.err = classify(err)
	}
	// If the kubelet cut the answer it looks complete; only the elapsed time shows it.
	p.cut = p.err == nil && s.o.Now().Sub(began) >= serverLimit-time.Second
	return p
}

// copy keeps the wanted lines of an answer, without secrets.
func (s *Source) copy(body io.Reader, p *page, after, before mark) error {
	br := bufio.NewReaderSize(body, 256<<10)
	hide := textlog.Hider()
	head, _ := br.Peek(64 << 10)
	if isListing(head) {
		return &listed{names: names(head)}
	}
	for {
		line, err := textlog.ReadLine(br)
		if p.lines == 0 {
			for _, known := range inBand {
				if strings.HasPrefix(line, known) {
					return errors.New(strings.TrimSpace(line))
				}
			}
		}
		if _, boot := textlog.BootMark(line); boot {
			if p.first.text != "" || after.text == "" {
				p.buf.Add([]byte(line + "\n"))
			}
		} else if line != "" && !strings.HasPrefix(line, "-- ") { // not "-- No entries --"
			p.lines++
			clear, keep := hide(line) // for every line: a secret left open continues in the next
			if s.wanted(p, line, after, before) && keep {
				// A line without a line break stays without one: the reader must see that it was cut.
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					clear += "\n"
				}
				p.buf.Add([]byte(clear))
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// wanted reports whether a line belongs to this page, and updates the page's edges.
func (s *Source) wanted(p *page, line string, after, before mark) bool {
	m := mark{text: line, zone: p.last.zone}
	at, rest, ok := textlog.SyslogStamp(line)
	if ok {
		m.at = at.Time(textlog.Times{Reference: s.o.Now()})
		if z := zoneOf(rest, m.at); z != nil {
			m.zone = z
		}
	} else {
		m.at = p.last.at // the second line of a message
	}
	switch {
	case after.text != "" && !p.met:
		if line == after.text {
			p.met = true
			return false
		}
		if !m.at.After(after.at) {
			return false
		}
	case before.text != "" && p.met:
		return false
	case before.text != "" && line == before.text:
		p.met = true
		return false
	}
	if p.first.text == "" {
		p.first = m
	}
	if p.first.zone == nil {
		p.first.zone = m.zone
	}
	p.last = m
	return true
}

// zoneOf derives the node's time zone from a line whose envelope is in UTC: klog's header is in local time, and
// logrus's time has a zone.
func zoneOf(rest string, at time.Time) *time.Location {
	var e textlog.Envelope
	if !e.Identify(rest) {
		return nil
	}
	text := e.Message
	if t, ok := runtimelog.Time(text); ok {
		_, offset := t.Zone()
		return land(time.Duration(offset) * time.Second)
	}
	h, _, ok := klogline.ParseHeader(text)
	if !ok {
		return nil
	}
	// journald stamps a line a little after klog does; offsets are multiples of 15 minutes.
	offset := h.Time(at, time.UTC).Sub(at).Round(15 * time.Minute)
	return land(offset)
}

// land returns the zone with an offset that some country has, or nil.
func land(offset time.Duration) *time.Location {
	if offset < -12*time.Hour || offset > 14*time.Hour {
		return nil
	}
	return time.FixedZone("", int(offset/time.Second))
}
