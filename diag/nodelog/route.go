package nodelog

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// Route reads a text log of a format into a router, as ReadText reads it into
// Router.Add, with all processors at work: chunks of lines are taken apart side
// by side and handed on in order, without the lines that say nothing. unit is
// that of the router's Options.
func Route(r io.Reader, f Format, times Times, unit string, router *statement.Router) (odd int, err error) {
	if !alone(f) {
		return ReadText(r, f, times, router.Add)
	}
	workers := max(runtime.GOMAXPROCS(0), 1)
	work, queue := make(chan *chunk), make(chan *chunk, workers+1)
	free := make(chan *chunk, 2*workers+2)
	for range cap(free) {
		free <- &chunk{done: make(chan struct{}, 1)}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			p := preparer{format: f, times: times, unit: unit, names: map[string]string{}}
			for c := range work {
				p.prepare(c)
				c.done <- struct{}{}
			}
		})
	}
	wg.Go(func() {
		defer close(work)
		defer close(queue)
		s := splitter{r: r}
		for {
			c := <-free
			var end error
			c.data, end = s.next(c.data)
			c.end = end
			queue <- c
			work <- c
			if end != nil {
				return
			}
		}
	})
	out := sequel{router: router, format: f}
	for c := range queue {
		<-c.done
		out.add(c)
		odd, err = odd+c.odd, c.end
		free <- c
	}
	wg.Wait()
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return odd + out.odd, err
}

// alone tells whether a line of the format can be understood without those
// before it, but for the lines that go on a klog block.
func alone(f Format) bool {
	switch f {
	case FormatKlog, FormatSyslog, FormatISO, FormatRFC5424, FormatFull, FormatFullLocal, FormatUnix:
		return true
	}
	return false
}

// chunk is some lines on their way.
type chunk struct {
	data []byte
	end  error // of the stream, behind this chunk
	done chan struct{}
	odd  int
	kept []kept
	room []evidence.Observation
}

// kept is an entry that goes on to the router.
type kept struct {
	statement.Prepared
	// loose: the line has no header; time and process are those of the line before,
	// which another chunk has.
	loose bool
	// mark: not an entry, but journalctl's note of a boot.
	mark bool
	boot boot
}

// preparer takes chunks apart. Each worker has its own.
type preparer struct {
	format Format
	times  Times
	unit   string
	names  map[string]string // hosts and units, which repeat

	thin    statement.Thinner
	pending envelope // the last line that was left out
	waits   bool     // pending is one
	last    envelope // the last line with a header
	any     bool     // last is one
	force   bool     // the next line goes on, whatever it is
}

func (p *preparer) prepare(c *chunk) {
	clear(c.kept)
	c.kept, c.room, c.odd = c.kept[:0], c.room[:0], 0
	p.thin = statement.Thinner{Unit: p.unit}
	p.waits, p.any, p.force = false, false, false
	for data := c.data; len(data) > 0; {
		line := data
		if end := bytes.IndexByte(data, '\n'); end >= 0 {
			line, data = data[:end], data[end+1:]
		} else {
			data = nil
		}
		for len(line) > 0 && line[len(line)-1] == '\r' {
			line = line[:len(line)-1]
		}
		if len(line) > 0 {
			// The buffer is used again. Whatever outlives this call is cloned in keep.
			p.line(c, unsafe.String(&line[0], len(line)))
		}
	}
	p.flush(c)
}

func (p *preparer) line(c *chunk, line string) {
	x, ok := cut(p.format, line)
	if !ok {
		p.odd(c, line)
		return
	}
	keep := p.thin.Keep(x.unit, x.message, x.kernel) || p.force || p.any && x.at.key() < p.last.at.key()
	p.last, p.any = x, true
	if !keep {
		p.pending, p.waits = x, true
		return
	}
	if p.waits && x.at.key() < p.pending.at.key() {
		p.flush(c)
	}
	p.waits, p.force = false, false
	p.keep(c, &x)
}

// odd handles a line that is not of the format.
func (p *preparer) odd(c *chunk, line string) {
	if b, ok := bootMark(line); ok {
		p.flush(c)
		c.kept = append(c.kept, kept{mark: true, boot: boot{id: strings.Clone(b.id), known: true}})
		p.force = true
		return
	}
	if about(line) || continues(p.format, line) {
		return
	}
	if p.format != FormatKlog || strings.HasPrefix(line, "-- ") {
		c.odd++
		return
	}
	p.flush(c)
	x := envelope{message: line}
	loose := !p.any
	if p.any {
		x.at, x.pid = p.last.at, p.last.pid
	}
	p.thin.Keep("", line, false) // it may go on a block
	p.keep(c, &x)
	c.kept[len(c.kept)-1].loose = loose
	if loose {
		c.kept[len(c.kept)-1].Entry.Time = evidence.Entry{}.Time
	}
}

// flush hands on the line that stands for those that were left out.
func (p *preparer) flush(c *chunk) {
	if p.waits {
		p.waits = false
		p.keep(c, &p.pending)
	}
}

func (p *preparer) keep(c *chunk, x *envelope) {
	e := evidence.Entry{PID: x.pid, Kernel: x.kernel, Message: strings.Clone(x.message), Host: p.name(x.host), Unit: p.name(x.unit)}
	if x.at.month != 0 {
		e.Time = x.at.time(p.times)
	}
	if cap(c.room)-len(c.room) < 64 {
		c.room = make([]evidence.Observation, 0, roomFor)
	}
	used := len(c.room)
	k := kept{Prepared: statement.Prepare(e, p.unit, c.room[used:])}
	if n := k.Said(); used+n <= cap(c.room) { // else it found no room here
		c.room = c.room[:used+n]
	}
	c.kept = append(c.kept, k)
}

// roomFor is how many observations are made room for at once.
const roomFor = 1024

func (p *preparer) name(s string) string {
	if s == "" {
		return ""
	}
	if known, ok := p.names[s]; ok {
		return known
	}
	if len(p.names) > 4096 {
		clear(p.names)
	}
	s = strings.Clone(s)
	p.names[s] = s
	return s
}

// sequel hands prepared chunks to the router, in order.
type sequel struct {
	router *statement.Router
	format Format
	last   evidence.Entry
	marked boot
	odd    int
}

func (s *sequel) add(c *chunk) {
	for i := range c.kept {
		k := &c.kept[i]
		if k.mark {
			s.marked = k.boot
			continue
		}
		if k.loose {
			if s.last.Time.IsZero() {
				s.odd++
				continue
			}
			k.Entry.Time, k.Entry.PID = s.last.Time, s.last.PID
		}
		if s.marked.known {
			k.Entry.Rebooted, k.Entry.BootID = !s.last.Time.IsZero(), s.marked.id
			s.marked = boot{}
		}
		s.last = evidence.Entry{Time: k.Entry.Time, PID: k.Entry.PID}
		s.router.AddPrepared(&k.Prepared)
	}
}
