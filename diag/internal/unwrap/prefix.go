package unwrap

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// prefixed parses what a tool put before a message: a time, labels of Loki in braces, a stream of CloudWatch, an
// address of Talos, a tag of stern, a file's name as grep does; behind them may be the header of syslog.
func prefixed(prefix string) (r Record) {
	all := strings.TrimSpace(grepped.ReplaceAllString(prefix, ""))
	rest := all
	if at, tail, ok := leadingTime(rest); ok {
		r.Time, rest = at, tail
	}
	if labels, tail, ok := leadingLabels(rest); ok {
		r.Host, r.Unit = labels.Host(), labels.Unit()
		rest = tail
	}
	for _, header := range []string{all, rest} {
		if host, unit, pid, _, ok := textlog.Inner(header); ok {
			r.Host, r.Unit, r.PID = cmp.Or(r.Host, host), cmp.Or(r.Unit, unit), pid
			return r
		}
	}
	for word := range strings.FieldsSeq(rest) {
		word = strings.Trim(word, "[]|›>:,")
		if word == "" {
			continue
		}
		host, unit := field.OfStream(word)
		_, err := netip.ParseAddr(word)
		switch {
		case unit != "":
			r.Host, r.Unit = host, unit
		case err == nil:
			r.Host = cmp.Or(r.Host, word)
		case word == "kubelet":
			r.Unit = cmp.Or(r.Unit, word)
		}
	}
	return r
}

// grepped matches the name of a file of logs before a line.
var grepped = regexp.MustCompile(`^(?:/[\w./-]+|[\w./-]+\.(?:log|txt)(?:\.\w+)*):(?:\d+:)?`)

// leadingTime parses a time of one or two words.
func leadingTime(s string) (at time.Time, rest string, ok bool) {
	words := strings.SplitN(s, " ", 4)
	if first, tail, tabbed := strings.Cut(words[0], "\t"); tabbed {
		at, ok = field.Moment(first)
		return at, tail + strings.TrimPrefix(s, words[0]), ok
	}
	for n := min(3, len(words)); n > 0; n-- {
		if at, ok = field.Moment(strings.Join(words[:n], " ")); ok {
			return at, strings.Join(words[n:], " "), true
		}
	}
	return at, s, false
}

// leadingLabels parses {node="n1", unit="kubelet.service"}.
func leadingLabels(s string) (f field.Fields, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, "{") || strings.HasPrefix(s, `{"`) {
		return nil, s, false
	}
	f = field.Fields{}
	for rest = s[1:]; ; {
		rest = strings.TrimLeft(rest, ", ")
		if tail, ok := strings.CutPrefix(rest, "}"); ok {
			return f, tail, true
		}
		key, tail, ok := strings.Cut(rest, `="`)
		value, after, closed := strings.Cut(tail, `"`)
		if !ok || !closed || len(key) > 64 || len(f) > field.Max || strings.ContainsAny(key, " {}") {
			return nil, s, false
		}
		f[strings.ToLower(key)], rest = value, after
	}
}

// unprefix removes what precedes a kubelet's header at a place in the message.
func unprefix(r *Record, at int) {
	p := prefixed(r.Message[:at])
	r.Message = r.Message[at:]
	if r.Time.IsZero() {
		r.Time = p.Time
	}
	r.Host, r.Unit, r.PID = cmp.Or(r.Host, p.Host), cmp.Or(r.Unit, p.Unit), cmp.Or(r.PID, p.PID)
}

// unsyslog takes the header of syslog off a message, as agents ship /var/log/messages, unless the store says which unit
// wrote it. It returns true for a message whose header alone has a time: that stays.
func unsyslog(r *Record) (stays bool) {
	host, unit, pid, message, ok := textlog.Inner(r.Message)
	if !ok || r.Time.IsZero() {
		return ok
	}
	if r.Host = cmp.Or(r.Host, host); r.Unit == "" {
		r.Unit, r.PID, r.Message = unit, pid, message
	}
	return false
}

// structuredAround reports whether a header is quoted: then it is part of another program's message about a kubelet,
// which that program's reader handles.
func structuredAround(prefix string) bool {
	return strings.ContainsAny(prefix, `"='`) && !strings.Contains(prefix, "} ")
}

// maxShapes is how many kinds of prefixes one file may have.
const maxShapes = 256

// shape is a prefix without its numbers.
type shape []string

// shapeOf splits a prefix at its digits.
func shapeOf(prefix string) (s shape) {
	from, digits := 0, false
	for i := 0; i <= len(prefix); i++ {
		digit := i < len(prefix) && prefix[i] >= '0' && prefix[i] <= '9'
		if i == len(prefix) || digit != digits {
			if !digits {
				s = append(s, prefix[from:i])
			}
			from, digits = i, digit
		}
	}
	if digits {
		s = append(s, "")
	}
	return s
}

// match returns the length of a line's prefix if it has this shape, -1 if not.
func (s shape) match(line string) int {
	at := 0
	for i, words := range s {
		if i > 0 {
			from := at
			for at < len(line) && line[at] >= '0' && line[at] <= '9' {
				at++
			}
			if at == from {
				return -1
			}
		}
		if !strings.HasPrefix(line[at:], words) {
			return -1
		}
		at += len(words)
	}
	return at
}

// text reads lines of text with prefixes. The lines with a header show which prefix the lines without one have.
type text struct {
	w      *walker
	shapes []shape
	last   Record
}

func (w *walker) prefixed(r *bufio.Reader) error {
	t := text{w: w}
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errLong):
			w.broken("a line of more than 16 MiB")
			continue
		case len(line) == 0:
		case errors.Is(err, io.EOF):
			w.Cut = true // half of a number is a different number
		default:
			t.line(safetext.Uncoloured(string(line)))
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *text) line(s string) {
	if at := messageAt(s); at >= 0 {
		t.learn(s[:at])
		t.take(s[:at], s[at:])
		return
	}
	best := -1
	for _, sh := range t.shapes {
		best = max(best, sh.match(s))
	}
	if best >= 0 {
		t.take(s[:best], s[best:])
		return
	}
	if prefix, payload := payloadOf([]byte(s)); payload != nil {
		outer := prefixed(prefix)
		if outer.Time.IsZero() {
			outer.Time = t.last.Time
		}
		t.w.value(payload, outer, 0)
		return
	}
	if at, rest, ok := leadingTime(s); ok {
		if labels, message, ok := leadingLabels(rest); ok && !labels.OfContainer() {
			t.give(Record{Time: at, Host: labels.Host(), Unit: labels.Unit(), Message: strings.TrimPrefix(message, " ")})
			return
		}
		if host, unit, pid, message, ok := textlog.Inner(rest); ok {
			t.give(Record{Time: at, Host: host, Unit: unit, PID: pid, Message: message})
			return
		}
		if stream, message, ok := strings.Cut(rest, " "); ok {
			if host, unit := field.OfStream(stream); unit != "" {
				t.give(Record{Time: at, Host: host, Unit: unit, Message: message})
				return
			}
		}
	}
	t.w.broken("a line without a prefix that is known")
}

func (t *text) learn(prefix string) {
	if len(t.shapes) >= maxShapes {
		return
	}
	for _, sh := range t.shapes {
		if sh.match(prefix) == len(prefix) {
			return
		}
	}
	t.shapes = append(t.shapes, shapeOf(prefix))
}

// named matches what kubectl logs --prefix puts before a container's line.
var named = regexp.MustCompile(`^\[pod/[^/\]]+/([^/\]]+)\]`)

func (t *text) take(prefix, message string) {
	f, _, ok := labelsIn(prefix)
	if of := named.FindStringSubmatch(prefix); of != nil {
		f, ok = field.Fields{"container_name": of[1]}, true
	}
	if ok && f.OfContainer() {
		t.w.OfContainers++
		return
	}
	r := prefixed(prefix)
	r.Message = message
	t.give(r)
}

func labelsIn(prefix string) (f field.Fields, rest string, ok bool) {
	_, rest, timed := leadingTime(strings.TrimSpace(prefix))
	if !timed {
		rest = prefix
	}
	return leadingLabels(rest)
}

func (t *text) give(r Record) {
	if r.Time.IsZero() {
		r.Time = t.last.Time
	}
	t.last = r
	t.w.record(r)
}
