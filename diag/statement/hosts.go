package statement

import (
	"cmp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
)

// Hosts takes the entries of a text log in order, and gives those of each machine to a router of its own: a collector
// writes many machines into one file, and what one of them does says nothing about another.
//
// A host name alone does not make a machine: until a machine has its name, its kernel writes under another one. So a
// machine is a name under which a kubelet or a runtime writes, and lines under another name wait for the next line of
// the first machine's daemons: only if that is a new process, the machine may have booted in between.
type Hosts struct {
	sink   Sink
	o      Options
	first  *Router
	name   string // of the first machine
	others map[string]*Router
	order  []*Router
	// last and of are the host of the last entry, and what it is short for.
	last, of string
	pids     map[Writer]int // of the first machine's daemons
	held     []Prepared
}

// maxHeld limits the entries that wait.
const maxHeld = 4096

// NewHosts returns one that observes into a sink. The first machine is the options' node, the others have their host
// names.
func NewHosts(sink Sink, o Options) *Hosts {
	return &Hosts{sink: sink, o: o, first: NewRouter(sink, o), others: map[string]*Router{}, pids: map[Writer]int{}}
}

// Add takes the next entry.
func (h *Hosts) Add(e evidence.Entry) {
	e.Unit, e.Message = Inner(e.Unit, e.Message)
	h.AddPrepared(&Prepared{Entry: e, writer: writerFor(&e)})
}

// AddPrepared is Add for an entry that was prepared before.
func (h *Hosts) AddPrepared(p *Prepared) {
	host := h.machine(p.Entry.Host)
	daemon := p.writer == writerKubelet || p.writer == writerRuntime
	switch r := h.others[host]; {
	case r != nil:
		r.AddPrepared(p)
	case daemon && (host == h.name || len(h.pids) == 0):
		h.name = host
		was, known := h.pids[p.writer]
		h.settle(!known || was == p.Entry.PID)
		h.pids[p.writer] = p.Entry.PID
		h.first.AddPrepared(p)
	case daemon:
		h.settle(true)
		h.router(host).AddPrepared(p)
	case len(h.pids) > 0 && (host != h.name || len(h.held) > 0):
		h.hold(p)
	default:
		h.first.AddPrepared(p)
	}
}

// machine returns the name that counts: a host may write its domain or not.
func (h *Hosts) machine(host string) string {
	if host == "" {
		return h.name
	}
	if host != h.last {
		h.last = host
		short, _, _ := strings.Cut(host, ".")
		if strings.Trim(short, "0123456789") == "" {
			short = host // an address
		}
		h.of = strings.ToLower(strings.Clone(short))
	}
	return h.of
}

// hold keeps an entry, whose message is only lent.
func (h *Hosts) hold(p *Prepared) {
	k := Prepared{Entry: p.Entry, writer: p.writer}
	k.Entry.Message = strings.Clone(k.Entry.Message)
	if h.held = append(h.held, k); len(h.held) >= maxHeld {
		h.settle(true)
	}
}

// settle passes on what was held: to each its own router if the names are of different machines, else to the first.
func (h *Hosts) settle(different bool) {
	for i := range h.held {
		p, r := &h.held[i], h.first
		if host := h.machine(p.Entry.Host); different && host != h.name {
			r = h.router(host)
		}
		r.AddPrepared(p)
	}
	h.held = h.held[:0]
}

// router returns the router of another machine.
func (h *Hosts) router(host string) *Router {
	r := h.others[host]
	if r == nil {
		o := h.o
		o.Node = cmp.Or(host, o.Node)
		r = NewRouter(h.sink, o)
		h.others[host] = r
		h.order = append(h.order, r)
	}
	return r
}

// all returns the routers, the first machine's first.
func (h *Hosts) all() []*Router { return append([]*Router{h.first}, h.order...) }

// Cut marks that the log was cut: its coverage ends at its last entry.
func (h *Hosts) Cut() {
	for _, r := range h.all() {
		r.Cut()
	}
	h.o.Until = time.Time{}
}

// Close emits what is still open and the coverage of each source.
func (h *Hosts) Close() {
	h.settle(true)
	for _, r := range h.all() {
		r.Close()
	}
}
