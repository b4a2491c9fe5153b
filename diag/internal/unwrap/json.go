package unwrap

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/oneline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/part"
)

const (
	// maxLine is the longest record on one line.
	maxLine = 16 << 20
	// maxKept is how much of an object is kept besides its lists.
	maxKept = 32 << 20
	// maxResyncs is how often reading restarts after something broken.
	maxResyncs = 10_000
)

// lines reads records on one line each, with or without a prefix, also as the elements of a list. A broken record costs
// only itself.
func (w *walker) lines(r *bufio.Reader) error {
	for {
		line, err := readLine(r)
		if errors.Is(err, errLong) {
			w.broken("a line of more than 16 MiB")
			continue
		}
		if len(line) > 0 {
			w.line(line, errors.Is(err, io.EOF))
		}
		if errors.Is(err, io.EOF) {
			w.Cut = w.Cut || len(w.open) > 0
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (w *walker) line(line []byte, last bool) {
	text := bytes.TrimSpace(line)
	switch string(text) {
	case "", "[", "]", "],", ",", "[]", "---":
		return
	}
	prefix, payload := payloadOf(bytes.TrimSuffix(text, []byte(",")))
	valid := payload != nil && json.Valid(payload)
	if len(w.open) > 0 || !valid && text[0] == '{' {
		if !valid && w.goOn(text, last) {
			return
		}
		if len(w.open) > 0 { // the next one begins, so this one has no end
			w.open = nil
			w.broken("a record without an end")
		}
	}
	if !valid {
		if last {
			w.Cut = true
		} else {
			w.broken("a line that is not JSON")
		}
		return
	}
	w.value(payload, prefixed(prefix), 0)
}

// goOn collects a value over several lines in a file with one per line. It returns false if the line cannot continue
// one.
func (w *walker) goOn(line []byte, last bool) bool {
	if len(w.open) == 0 {
		w.braces = part.Braces{}
	}
	for _, c := range line {
		w.braces.Add(c)
	}
	w.open = append(append(w.open, line...), '\n')
	switch {
	case w.braces.Depth == 0:
		raw := w.open
		w.open = nil
		if raw = bytes.TrimRight(raw, ",\n"); json.Valid(raw) {
			w.value(raw, Record{}, 0)
		} else {
			w.broken("a line that is not JSON")
		}
	case last:
		w.open, w.Cut = nil, true
	case len(w.open) > maxKept:
		w.open = nil
		w.broken("a record that is too long")
	}
	return true
}

// payloadOf finds the JSON in a line: "[0] host.kubelet: [[1747025915.1, {}], {…}]", "10.5.0.2: {…}",
// "2025-05-12T04:58:35+00:00\ttag\t{…}".
func payloadOf(line []byte) (prefix string, payload []byte) {
	if len(line) > 0 && (line[0] == '{' || line[0] == '"' && json.Valid(line)) {
		return "", line
	}
	if i := bytes.Index(line, []byte(": [")); i >= 0 && i < klogline.MaxPrefix && json.Valid(line[i+2:]) {
		return string(line[:i]), line[i+2:]
	}
	if len(line) > 0 && line[0] == '[' && json.Valid(line) {
		return "", line
	}
	i := bytes.Index(line[:min(len(line), klogline.MaxPrefix)], []byte(`{"`))
	if i < 0 {
		return "", nil
	}
	return string(line[:i]), line[i:]
}

// values reads consecutive values in any arrangement. Of a list at the top level, or in one of the objects there, it
// holds one element at a time.
func (w *walker) values(in io.Reader) error {
	in = io.MultiReader(in)             // of no buffered one, which r would be itself
	r := bufio.NewReaderSize(in, 4<<10) // small: its content is put back after every break between values
	for begun, resyncs := false, 0; ; begun = true {
		skipped, err := w.toValue(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if skipped && begun {
			w.broken("text between records")
		}
		d := json.NewDecoder(r)
		for err = w.top(d); err == nil && follows(d); {
			err = w.top(d)
		}
		held, _ := r.Peek(r.Buffered())
		in = io.MultiReader(d.Buffered(), bytes.NewReader(bytes.Clone(held)), in) // they read beyond the value's end
		r.Reset(in)
		switch {
		case err == nil:
		case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			w.Cut = true
			return nil
		case isSyntax(err):
			w.broken(strings.TrimPrefix(err.Error(), "json: "))
			if _, err := readLine(r); err != nil && !errors.Is(err, errLong) {
				return nil
			}
			if resyncs++; resyncs > maxResyncs {
				w.broken("too many broken places: the rest was not read")
				return nil
			}
		default:
			return err
		}
	}
}

// follows reports whether the next value follows directly.
func follows(d *json.Decoder) bool {
	if !d.More() {
		return false
	}
	next := make([]byte, 1)
	_, err := d.Buffered().Read(next)
	return err == nil && (next[0] == '{' || next[0] == '[')
}

func isSyntax(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.Is(err, errLarge)
}

// toValue skips to the beginning of a value: at the start of a line, after blanks, commas and closing brackets. skipped
// reports that other text was skipped.
func (w *walker) toValue(r *bufio.Reader) (skipped bool, err error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return skipped, err
		}
		switch c {
		case ' ', '\t', '\r', '\n', ',', ']', '}', 0x1e:
			continue
		case '{', '[':
			return skipped, r.UnreadByte()
		}
		skipped = true
		if _, err := readLine(r); err != nil && !errors.Is(err, errLong) {
			return skipped, err
		}
	}
}

// top reads one value at the top level.
func (w *walker) top(d *json.Decoder) error {
	tok, err := d.Token()
	if err != nil {
		return err
	}
	if tok == json.Delim('[') {
		return w.elements(d, Record{})
	}
	rest, err := w.members(d, 0)
	if err != nil || rest == nil {
		return err
	}
	raw, err := json.Marshal(rest)
	if err == nil {
		w.value(raw, Record{}, 0)
	}
	return nil
}

// elements reads the elements of an opened list.
func (w *walker) elements(d *json.Decoder, outer Record) error {
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		w.value(raw, outer, 1)
	}
	_, err := d.Token()
	return err
}

var errLarge = fmt.Errorf("an object of more than %d MiB", maxKept>>20)

// members reads the members of an opened object and passes on lists of records immediately. It returns the rest of the
// object, nil if only a list matters.
func (w *walker) members(d *json.Decoder, depth int) (object, error) {
	kept, size, streamed := object{}, 0, false
	for d.More() {
		tok, err := d.Token()
		if err != nil {
			return nil, err
		}
		key, ok := tok.(string)
		if !ok {
			return nil, errLarge // never: the decoder checks it
		}
		if !lists[strings.ToLower(key)] || depth > 4 {
			var raw json.RawMessage
			if err := d.Decode(&raw); err != nil {
				return nil, err
			}
			if size += len(raw); size > maxKept {
				return nil, errLarge
			}
			kept[key] = raw
			continue
		}
		tok, err = d.Token()
		if err != nil {
			return nil, err
		}
		switch tok {
		case json.Delim('['):
			streamed = true
			if kept["columns"] != nil && key == "rows" { // a table needs both
				err = w.rows(d, kept)
			} else {
				err = w.elements(d, Record{})
			}
		case json.Delim('{'):
			var inner object
			if inner, err = w.members(d, depth+1); inner == nil {
				streamed = true
			} else if raw, bad := json.Marshal(inner); bad == nil {
				kept[key] = raw
			}
		default:
			if raw, bad := json.Marshal(tok); bad == nil {
				kept[key] = raw
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if streamed {
		return nil, nil
	}
	return kept, nil
}

// rows reads the rows of a table with known columns.
func (w *walker) rows(d *json.Decoder, table object) error {
	for d.More() {
		var row json.RawMessage
		if err := d.Decode(&row); err != nil {
			return err
		}
		if !w.table(object{"columns": table["columns"], "rows": append(append([]byte("["), row...), ']')}, Record{}) {
			w.Strange++
		}
	}
	_, err := d.Token()
	return err
}

var errLong = errors.New("a line that is too long")

// readLine returns the next line without its line break; errLong if it is too long.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, cut, err := oneline.Read(r, maxLine)
	if cut {
		return nil, cmp.Or(err, errLong)
	}
	return line, err
}
