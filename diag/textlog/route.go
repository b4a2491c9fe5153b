package textlog

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/kubeletlog"
	"github.com/restartwhy/kubectl-restartwhy/diag/statement"
)

// Taker takes entries in order: statement.Router, or Hosts.
type Taker interface {
	Add(evidence.Entry)
	AddPrepared(*statement.Prepared)
}

// Route reads a text log of a format into a router, like ReadText with its Add, but on all processors: chunks of lines
// are parsed in parallel and passed on in order, without the lines that state nothing.
func Route(r io.Reader, f Format, times Times, router Taker) (odd int, err error) {
	if !alone(f) {
		return ReadText(r, f, times, router.Add)
	}
	return routeChunks(&splitter{r: r, size: chunkBytes}, f, times, router)
}

func routeChunks(s *splitter, f Format, times Times, router Taker) (odd int, err error) {
	workers := max(runtime.GOMAXPROCS(0), 1)
	work, queue := make(chan *chunk), make(chan *chunk, workers+1)
	free := make(chan *chunk, workers+3)
	for range cap(free) {
		free <- &chunk{done: make(chan struct{}, 1)}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			p := preparer{format: f, times: times, names: map[string]string{}, now: new(line), pending: new(line)}
			for c := range work {
				p.prepare(c)
				c.done <- struct{}{}
			}
		})
	}
	wg.Go(func() {
		defer close(work)
		defer close(queue)
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
	out := sequel{router: router}
	var ballast []byte
	for n := 0; ; n++ {
		c, ok := <-queue
		if !ok {
			break
		}
		if n == ballastAfter/chunkBytes {
			ballast = make([]byte, ballastBytes)
		}
		<-c.done
		out.add(c)
		odd, err = odd+c.odd, c.end
		free <- c
	}
	wg.Wait()
	runtime.KeepAlive(ballast)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return odd + out.odd, err
}

// A long log produces much garbage but few live objects, so the garbage collector would run again and again. A ballast
// that is never touched, and so takes no physical memory, makes it run less often.
const (
	ballastAfter = 32 << 20 // bytes of log
	ballastBytes = 40 << 20
)

// alone reports whether a line of the format can be parsed without those before it, apart from lines that continue a
// klog block.
func alone(f Format) bool {
	switch f {
	case FormatKlog, FormatSyslog, FormatISO, FormatRFC5424, FormatFull, FormatFullLocal,
		FormatUnix, FormatRecord, FormatTalos:
		return true
	}
	return false
}

// chunk is a number of lines in the pipeline.
type chunk struct {
	data []byte
	end  error // of the stream, after this chunk
	done chan struct{}
	odd  int
	kept []kept
	room kubeletlog.Arena
}

// kept is an entry that is passed to the router.
type kept struct {
	statement.Prepared
	// loose: the line has no header; time and process are those of the previous line, which is in another chunk.
	loose bool
	// inBlock: the line continues a multi-line message.
	inBlock bool
	// mark: not an entry, but journalctl's boot mark.
	mark bool
	boot boot
}

// preparer parses chunks. Each worker has its own.
type preparer struct {
	format Format
	times  Times
	names  map[string]string // hosts and units, which repeat

	thin    statement.Thinner
	days    days
	slab    slab  // for messages that are quoted
	brief   slab  // for messages that are needed only briefly
	now     *line // the current line
	pending *line // the last line that was left out
	waits   bool  // there is a pending line
	any     bool  // a line with a header was seen; its fields follow
	last    int64
	lastAt  stamp
	lastPID int
	opened  bool // that line opens a multi-line value
	// blockHost and blockUnit are those of the line.
	blockHost, blockUnit string
	force                bool // the next line is passed on in any case
}

func (p *preparer) prepare(c *chunk) {
	c.kept, c.odd = c.kept[:0], 0
	c.room.Reset()
	p.thin = statement.Thinner{}
	p.waits, p.any, p.force, p.opened = false, false, false, false
	if len(c.data) == 0 {
		return
	}
	// The buffer is reused. Whatever outlives this call is cloned in keep.
	for rest := unsafe.String(&c.data[0], len(c.data)); rest != ""; {
		s := rest
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			s, rest = rest[:end], rest[end+1:]
		} else {
			rest = ""
		}
		s = s[:min(len(s), maxLine)]
		if s = strings.TrimRight(s, blanks); s != "" {
			p.line(c, s)
		}
	}
	p.flush(c)
}

// line is a parsed line.
type line struct {
	Envelope
	writer statement.Writer
	glance kubeletlog.Peeked
}

func (p *preparer) line(c *chunk, s string) {
	l := p.now
	if !cut(p.format, s, &l.Envelope) {
		p.odd(c, s)
		return
	}
	keep := l.kernel
	if keep {
		l.writer = statement.Kernel
	} else {
		if p.format != FormatKlog {
			l.behind()
		}
		keep = p.thin.Keep(l.Unit, l.Message, l.header, l.rest, &l.writer, &l.glance)
	}
	key := l.at.key()
	back := p.any && key < p.last
	if p.waits && (back || l.host != p.pending.host) {
		p.flush(c) // it is the last of its machine's lines so far
	}
	p.last, p.lastPID, p.lastAt, p.any = key, l.pid, l.at, true
	if p.opened = strings.HasSuffix(l.Message, "=<"); p.opened {
		p.blockHost, p.blockUnit = p.name(l.host), p.name(l.Unit)
	}
	if !keep && !p.force && !back {
		p.now, p.pending, p.waits = p.pending, l, true
		return
	}
	p.waits, p.force = false, false
	p.keep(c, l)
}

// odd handles a line that is not in the format.
func (p *preparer) odd(c *chunk, s string) {
	if b, ok := BootMark(s); ok {
		p.flush(c)
		c.kept = append(c.kept, kept{mark: true, boot: boot{id: strings.Clone(b.id), known: true}})
		p.force = true
		return
	}
	if about(s) {
		return
	}
	if continues(p.format, s) {
		p.goesOn(c, s)
		return
	}
	if p.format != FormatKlog || strings.HasPrefix(s, "-- ") {
		c.odd++
		return
	}
	p.flush(c)
	x := line{Envelope: Envelope{Message: s}}
	loose := !p.any
	if p.any {
		x.at, x.pid = p.lastAt, p.lastPID
	}
	p.thin.Keep("", s, klogline.Header{}, "", &x.writer, &x.glance) // it may continue a block
	p.keep(c, &x)
	c.kept[len(c.kept)-1].loose = loose
}

// flush passes on the line that represents those left out.
func (p *preparer) flush(c *chunk) {
	if p.waits {
		p.waits = false
		p.keep(c, p.pending)
	}
}

func (p *preparer) keep(c *chunk, l *line) {
	n := len(c.kept)
	if n < cap(c.kept) {
		c.kept = c.kept[:n+1]
	} else {
		c.kept = append(c.kept, kept{})
	}
	// Leftovers of an earlier chunk are overwritten field by field.
	k := &c.kept[n]
	k.loose, k.mark, k.inBlock = false, false, false
	e := &k.Entry
	message := unescaped(l.Message)
	e.PID, e.Kernel, e.Message, e.Host, e.Unit = l.pid, l.kernel, p.brief.clone(message), p.name(l.host), p.name(l.Unit)
	e.Time, e.BootID, e.Rebooted = time.Time{}, "", false
	if l.at != (stamp{}) {
		e.Time = p.days.time(l.at, p.times)
	}
	k.Prepare(l.writer, &l.glance, &c.room)
	if !k.Brief() {
		e.Message = p.slab.clone(message)
		k.Prepare(l.writer, &l.glance, &c.room)
	}
}

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

// sequel passes prepared chunks to the router, in order.
type sequel struct {
	router Taker
	last   evidence.Entry
	marked boot
	opened bool // the last entry opens or continues a multi-line value
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
			if k.inBlock && !s.opened {
				continue // it belongs to a message with more lines than its header
			}
			if s.last.Time.IsZero() {
				s.odd++
				continue
			}
			if k.inBlock {
				k.Entry.Host, k.Entry.Unit = s.last.Host, s.last.Unit
			}
			k.Entry.Time, k.Entry.PID = s.last.Time, s.last.PID
		}
		if s.marked.known {
			k.Entry.Rebooted, k.Entry.BootID = !s.last.Time.IsZero(), s.marked.id
			s.marked = boot{}
		}
		s.opened = k.inBlock || strings.HasSuffix(k.Entry.Message, "=<")
		s.last = evidence.Entry{Time: k.Entry.Time, PID: k.Entry.PID, Host: k.Entry.Host, Unit: k.Entry.Unit}
		s.router.AddPrepared(&k.Prepared)
	}
}
