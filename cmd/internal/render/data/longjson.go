package data

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// long is a list of a report that is written element by element: in a large cluster it is gigabytes as JSON, and an
// encoder of the whole report would hold that several times.
type long struct {
	name string
	n    int
	at   func(i int) any
}

// JSON writes the same bytes as printJSON, element by element.
func JSON(w io.Writer, r *report.Report) error {
	r.Normalise()
	frame := *r
	frame.Items, frame.Evidence = []report.Item{}, []report.Evidence{}
	return longJSON(w, &frame,
		long{"items", len(r.Items), func(i int) any { return &r.Items[i] }},
		long{"evidence", len(r.Evidence), func(i int) any { return &r.Evidence[i] }})
}

// PreflightJSON writes the same bytes as printJSON, element by element.
func PreflightJSON(w io.Writer, r *report.Preflight) error {
	r.Normalise()
	frame := *r
	frame.Items = []report.PreflightItem{}
	return longJSON(w, &frame, long{"items", len(r.Items), func(i int) any { return &r.Items[i] }})
}

// longJSON writes a report whose long lists were taken out, and puts these lists back in place, in the order of its
// fields.
func longJSON(w io.Writer, frame Normal, lists ...long) error {
	var buf bytes.Buffer
	if err := printJSON(&buf, frame); err != nil {
		return err
	}
	out, rest := bufio.NewWriterSize(w, 64<<10), buf.Bytes()
	for _, l := range lists {
		// This is how printJSON writes an empty list. No text of a report looks like it: line breaks within JSON
		// strings are escaped.
		before, after, found := bytes.Cut(rest, []byte("\n    \""+l.name+"\": [],"))
		if !found {
			return fmt.Errorf("encode report: it has no list %q", l.name)
		}
		rest = after
		out.Write(before) // bufio keeps the first error for Flush
		fmt.Fprintf(out, "\n    %q: [", l.name)
		if err := l.write(out); err != nil {
			return err
		}
		if l.n > 0 {
			out.WriteString("\n    ")
		}
		out.WriteString("],")
	}
	out.Write(rest)
	return out.Flush()
}

// atOnce is how many elements are encoded in parallel before they are written: the list of a large cluster is
// gigabytes.
const atOnce = 256

func (l long) write(out *bufio.Writer) error {
	parts := make([]part, min(runtime.GOMAXPROCS(0), l.n/16+1))
	for at := 0; at < l.n; at += atOnce {
		n := min(atOnce, l.n-at)
		var wg sync.WaitGroup
		for i := range parts {
			wg.Go(func() { parts[i].encode(l.at, at+n*i/len(parts), at+n*(i+1)/len(parts)) })
		}
		wg.Wait()
		for i := range parts {
			if parts[i].err != nil {
				return fmt.Errorf("encode report: %w", parts[i].err)
			}
			if _, err := out.Write(parts[i].text); err != nil {
				return err // a closed pipe accepts no more
			}
		}
	}
	return nil
}

// part is some elements in the form of the list. Its memory is reused.
type part struct {
	one  bytes.Buffer
	text []byte
	err  error
}

func (p *part) encode(at func(int) any, from, to int) {
	e := json.NewEncoder(&p.one)
	e.SetEscapeHTML(false)
	p.text = p.text[:0]
	for i := from; i < to; i++ {
		p.one.Reset()
		if p.err = e.Encode(at(i)); p.err != nil {
			return
		}
		if i > 0 {
			p.text = append(p.text, ',')
		}
		p.text = appendIndented(append(p.text, "\n        "...), bytes.TrimSuffix(p.one.Bytes(), []byte("\n")), 2)
	}
}

// appendIndented appends what json.Indent would make of an encoder's output, four blanks per level, starting at the
// given level. Unlike json.Indent it need not validate its input, which would take as long as all other work on a large
// cluster's report.
func appendIndented(out, in []byte, level int) []byte {
	line := func() {
		out = append(out, '\n')
		for n := 4 * level; n > 0; n -= len(blanks) {
			out = append(out, blanks[:min(n, len(blanks))]...)
		}
	}
	for i := 0; i < len(in); i++ {
		c := in[i]
		switch c {
		case '"':
			end := i + 1
			for in[end] != '"' {
				if in[end] == '\\' {
					end++
				}
				end++
			}
			out = append(out, in[i:end+1]...)
			i = end
			continue
		case '{', '[':
			out = append(out, c)
			if in[i+1] == c+2 { // its closing bracket
				i++
				out = append(out, in[i])
				continue
			}
			level++
			line()
			continue
		case '}', ']':
			level--
			line()
		}
		out = append(out, c)
		switch c {
		case ',':
			line()
		case ':':
			out = append(out, ' ')
		}
	}
	return out
}

const blanks = "                                "
