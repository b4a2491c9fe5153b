package kubeletlog

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Peeked is what one look at a message tells, before it is worth a Read. It
// holds on to nothing of the message but File.
type Peeked struct {
	PID  int    // in the header, 0 without one
	File string // in the header: a part of the message
	// Plain: the line has a header, and no rule knows it: it says nothing.
	Plain bool

	severity   byte
	structured bool
	text       int // where the text behind the header begins
	msg        int // the length of the message in it
	rule       *rule
}

// Peek glances at a message. It allocates nothing, and is safe for concurrent
// use like the tables.
func Peek(message string) Peeked {
	h, rest, ok := klogline.ParseHeader(message)
	if !ok {
		return Peeked{}
	}
	return PeekBehind(h, message, rest)
}

// PeekBehind is Peek for a message whose header was parsed before.
func PeekBehind(h klogline.Header, message, rest string) Peeked {
	g := Peeked{PID: h.PID, File: h.File, severity: h.Severity, text: len(message) - len(rest), msg: len(rest)}
	if strings.HasPrefix(rest, `"`) {
		// Messages that matter contain no quotes, so the next one ends them.
		end := strings.IndexByte(rest[1:], '"')
		if end < 0 {
			g.msg = 0
		} else {
			g.msg, g.structured = end, true
			g.rule = structured[rest[1:1+end]]
		}
	} else {
		g.rule = printed(rest, h.Severity)
	}
	g.Plain = g.rule == nil && g.PID != 0
	return g
}

// OnlyKubelet reports whether a source file, as a Peeked names it, is one that no
// other component has.
func OnlyKubelet(file string) bool { return kubeletFiles[file] }

// Parsed is what one message says by itself, without the lines around it.
type Parsed struct {
	pid  int
	json bool
	open bool // a block begins at its end: more lines belong to it
	rule *rule
	file string // of the kubelet's source that wrote it; "" where the message does not tell
	msg  string
	text string
	said []evidence.Observation
}

// Said are the observations, with Subject, Fact and Text. Source, and with few
// exceptions time, are the envelope's to know.
func (r *Parsed) Said() []evidence.Observation { return r.said }

// Closed reports whether the message is whole: no lines behind it belong to it.
func (r *Parsed) Closed() bool { return !r.open }

// Arena is where messages are read: what they say is kept in it, so that reading
// many costs few allocations. The zero value is ready; an Arena is for one
// goroutine.
type Arena struct {
	line  line
	pairs [klogline.MaxPairs]klogline.Pair
	emit  emitFunc
	// said is the block that is filled now, blocks[at].
	said   []evidence.Observation
	blocks [][]evidence.Observation
	at     int
}

// roomFor is how many observations a block of an Arena has.
const roomFor = 512

// Reset makes room again: readings of before are no longer valid.
func (r *Arena) Reset() {
	r.at = 0
	if len(r.blocks) > 0 {
		r.said = r.blocks[0][:0]
	}
}

// grow begins the next block.
func (r *Arena) grow() {
	if r.said != nil {
		r.at++
	}
	if r.at >= len(r.blocks) {
		r.blocks = append(r.blocks, make([]evidence.Observation, 0, roomFor))
	}
	r.said = r.blocks[r.at][:0]
}

// Read reads one message (blocks joined) that g is the Peeked of.
func (r *Arena) Read(message string, g Peeked) Parsed {
	var out Parsed
	r.ReadInto(&out, message, &g)
	return out
}

// ReadInto is Read into a Parsed that was used before.
func (r *Arena) ReadInto(out *Parsed, message string, g *Peeked) {
	l := &r.line
	l.header = klogline.Header{Severity: g.severity, PID: g.PID}
	l.msg, l.text, l.structured, l.json, l.values, l.rule, l.at = "", "", false, false, r.pairs[:0], nil, time.Time{}
	if message != "" && message[0] == '{' {
		l.readJSON(message)
	} else {
		l.fill(message, g)
	}
	out.pid, out.json, out.open = g.PID, l.json, strings.HasSuffix(message, "=<") || rawContainer(g.severity, l.text)
	out.msg, out.text, out.rule, out.said = l.msg, l.text, l.rule, nil
	out.file = g.File
	if l.json {
		out.file = l.header.File
	}
	if l.rule != nil {
		out.said = r.observe()
	}
}

// proves reports whether only a kubelet can have written the line.
func (r *Parsed) proves() bool {
	return OnlyKubelet(r.file) || r.msg == "Kubelet version" || strings.HasPrefix(r.msg, "Started kubelet")
}

// fill takes a text line apart where a glance found its parts.
func (l *line) fill(message string, g *Peeked) {
	l.text, l.structured, l.rule = message[g.text:], g.structured, g.rule
	l.msg = l.text[:g.msg]
	if g.structured {
		l.msg = l.text[1 : 1+g.msg]
		if g.rule != nil {
			l.values = klogline.ParseValues(l.values, l.text[g.msg+2:])
		}
	}
}

// observe applies the rule that knows the line.
func (r *Arena) observe() []evidence.Observation {
	if cap(r.said)-len(r.said) < klogline.MaxPairs {
		r.grow()
	}
	if r.emit == nil {
		r.emit = func(sub evidence.Subject, f evidence.Fact) {
			r.said = append(r.said, evidence.Observation{Subject: sub, Fact: f})
		}
	}
	first := len(r.said)
	l := &r.line
	l.rule.read(l, r.emit)
	said := r.said[first:len(r.said):len(r.said)]
	text := safetext.Clean(l.text)
	for i := range said {
		said[i].Text, said[i].Time = text, l.at
		// The first sync loop line after a start lists every pod of the node: quoting
		// it whole for each of them would cost the square of their number.
		if len(said) > 1 {
			if c, is := said[i].Fact.(evidence.PodConfig); is {
				said[i].Text = safetext.Clean(fmt.Sprintf("SyncLoop %s, %q: %s/%s (%d of %d)",
					c.Op, c.Origin, said[i].Subject.Namespace, said[i].Subject.Pod, i+1, len(said)))
			}
		}
	}
	return said
}

// Parse reads one message (blocks joined) into its header and statements. The
// observations have a Subject, a Fact and a Text, but neither time nor source:
// the envelope knows those. Most lines have no statement.
func Parse(message string) (klogline.Header, []evidence.Observation) {
	h, _, _ := klogline.ParseHeader(message)
	var room Arena
	r := room.Read(message, Peek(message))
	return h, r.said
}
