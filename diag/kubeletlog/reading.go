package kubeletlog

import (
	"fmt"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Peeked is the result of a quick look at a message, to decide whether to Read it. It references nothing of the message
// but File.
type Peeked struct {
	PID  int    // from the header, 0 without one
	File string // from the header: a substring of the message
	// Plain: the line has a header, and no rule knows it: it is irrelevant.
	Plain bool

	severity   byte
	structured bool
	text       int // where the text after the header begins
	msg        int // the length of the message within the text
	rule       *rule
}

// Peek inspects a message. It allocates nothing, and is safe for concurrent use like the tables.
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
		// Relevant messages contain no quotes, so the next one ends them.
		end := strings.IndexByte(rest[1:], '"')
		if end < 0 {
			g.msg = 0
		} else {
			g.msg, g.structured = end, true
			if g.rule = structured[rest[1:1+end]]; rest[1:1+end] == "HTTP" && !enters(rest) {
				g.rule = nil
			}
		}
	} else {
		g.rule = printed(rest, h.Severity)
	}
	g.Plain = g.rule == nil && g.PID != 0
	return g
}

// OnlyKubelet reports whether a source file, as named in a Peeked, is one that no other component has.
func OnlyKubelet(file string) bool { return kubeletFiles[file] }

// Parsed is what one message states by itself, without the lines around it.
type Parsed struct {
	pid  int
	json bool
	open bool // it ends with the start of a block: more lines belong to it
	rule *rule
	file string // of the kubelet's source that wrote it; "" where the message does not name it
	msg  string
	text string
	said []evidence.Observation
}

// Said returns the observations, with Subject, Fact and Text. The source and, with few exceptions, the time come from
// the envelope.
func (r *Parsed) Said() []evidence.Observation { return r.said }

// Closed reports whether the message is whole: no further lines belong to it.
func (r *Parsed) Closed() bool { return !r.open }

// Arena holds the results of parsing, so that parsing many messages costs few allocations. The zero value is ready; an
// Arena is for one goroutine.
type Arena struct {
	line  line
	pairs [klogline.MaxPairs]klogline.Pair
	emit  emitFunc
	// said is the block being filled, blocks[at].
	said   []evidence.Observation
	blocks [][]evidence.Observation
	at     int
}

// roomFor is how many observations a block of an Arena has.
const roomFor = 512

// Reset makes room again: earlier results are no longer valid.
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

// Read parses one message (blocks joined) whose Peeked is g.
func (r *Arena) Read(message string, g Peeked) Parsed {
	var out Parsed
	r.ReadInto(&out, message, &g)
	return out
}

// ReadInto is Read into a reused Parsed.
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

// fill splits a text line at the positions found by Peek.
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

// observe applies the rule that matches the line.
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
	if !l.structured {
		var ok bool
		if l.values, ok = l.rule.parse(l.values, l.msg); !ok {
			return nil
		}
	}
	l.rule.read(l, r.emit)
	said := r.said[first:len(r.said):len(r.said)]
	text := safetext.Clean(l.text)
	for i := range said {
		said[i].Text, said[i].Time = text, l.at
		// The first sync loop line after a start lists every pod of the node: quoting all of it for each pod would take
		// quadratic space.
		if len(said) > 1 {
			if c, is := said[i].Fact.(evidence.PodConfig); is {
				said[i].Text = safetext.Clean(fmt.Sprintf("SyncLoop %s, %q: %s/%s (%d of %d)",
					c.Op, c.Origin, said[i].Subject.Namespace, said[i].Subject.Pod, i+1, len(said)))
			}
		}
	}
	return said
}

// Parse parses one message (blocks joined) into its header and statements. The observations have a Subject, a Fact and
// a Text, but neither time nor source: those come from the envelope. Most lines have no statement.
func Parse(message string) (klogline.Header, []evidence.Observation) {
	h, _, _ := klogline.ParseHeader(message)
	var room Arena
	r := room.Read(message, Peek(message))
	return h, r.said
}
