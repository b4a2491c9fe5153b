package unwrap

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/kernel"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/klogline"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/runtimelog"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Shape is how a file arranges records.
type Shape string

// The shapes.
const (
	None   Shape = ""
	Lines  Shape = "JSON lines"
	Values Shape = "JSON"
	YAML   Shape = "YAML"
	CSV    Shape = "CSV"
	Text   Shape = "lines with a prefix"
)

// maxNoise is how many other lines may precede the first record: messages of kubectl or a shell.
const maxNoise = 50

// Sniff determines from its beginning how a file arranges records, None for a file without records. It also returns
// None for a file of log lines, which has to be checked first.
func Sniff(head []byte) Shape {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if stringLines(head) {
		return Lines
	}
	n := 0
	rest := head
	key := 0 // position of the next key, -1 if there is none left
	hasKey := func() bool {
		if at := len(head) - len(rest); key == 0 || key >= 0 && key < at {
			key = -1
			if m := recordKeys.FindIndex(rest); m != nil {
				key = at + m[0]
			}
		}
		return key >= 0
	}
	for len(rest) > 0 && n < maxNoise {
		line, tail, whole := bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSpace(line)
		if n++; len(line) == 0 {
			rest = tail
			continue
		}
		if _, payload := payloadOf(line); payload != nil && line[0] != '{' &&
			len(payload) < len(line) && json.Valid(payload) && recordKeys.Match(payload) {
			return Lines
		}
		if c := line[0]; (c == '{' || c == '[') && hasKey() || c == '[' && pairOf.Match(line) {
			if s := arranged(line, tail, whole); s != None {
				return s
			}
		}
		if n <= 5 {
			_, _, table := columnsOf(string(line))
			if _, series := seriesOf(string(line)); whole && (table || series) {
				return CSV
			}
		}
		rest = tail
	}
	if first := bytes.TrimSpace(head); yamlKeys.Match(head) && !Unnested.Match(head) &&
		(bytes.HasPrefix(first, []byte("---")) || yamlStart(first)) {
		return YAML
	}
	all, others := 0, 0
	for line := range bytes.Lines(head) {
		s := safetext.Uncoloured(strings.TrimRight(string(line[:min(len(line), klogline.MaxPrefix)]), "\r\n"))
		at := messageAt(s)
		if at >= 0 && klogline.At(s) == at {
			return Text
		}
		if all++; at > 0 && labelled(s[:at]) {
			others++
		}
	}
	if 2*others > all { // few such lines may be quoted, or printed by a job beside what else it did
		return Text
	}
	return None
}

// stringLines reports whether a log's lines, or objects, are JSON strings, as jq prints them: one after the other or in
// a list.
func stringLines(head []byte) bool {
	for in, n := json.NewDecoder(bytes.NewReader(head)), 0; n < maxNoise; n++ {
		token, err := in.Token()
		line, text := token.(string)
		switch {
		case err != nil, !text && (token != json.Delim('[') || n > 0):
			return false
		case text && (textkind.Stamped(line) || speaks(line) || kernel.Reports(line) || strings.HasPrefix(line, "{")):
			return true
		}
	}
	return false
}

// yamlStart reports whether a document begins with a key or an item.
func yamlStart(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	key, _, ok := bytes.Cut(bytes.TrimPrefix(line, []byte("- ")), []byte(":"))
	return ok && len(key) > 0 && len(key) < 64 && !bytes.ContainsAny(key, " \t")
}

// arranged distinguishes records of one line each from values over many lines.
func arranged(line, tail []byte, whole bool) Shape {
	text := bytes.TrimSuffix(line, []byte(","))
	switch {
	case !whole:
		return Values // the only line, or a very long one
	case len(text) > 1 && json.Valid(text):
		return Lines
	case string(text) == "[":
		next, _, more := bytes.Cut(bytes.TrimLeft(tail, " \t\r\n"), []byte("\n"))
		if more && len(next) > 2 && json.Valid(bytes.TrimSuffix(bytes.TrimSpace(next), []byte(","))) {
			return Lines
		}
		return Values
	case text[0] == '{' && (len(text) == 1 || text[1] == '"' || text[1] == ' '), text[0] == '[' &&
		bytes.ContainsAny(text, `{"`), text[0] == '[' && len(text) == 2:
		return Values
	}
	return None
}

// Read reads the content of a file with a known shape into a sink.
func Read(r io.Reader, shape Shape, sink Sink) (Tally, error) {
	w := &walker{sink: sink}
	br := bufio.NewReaderSize(r, 256<<10)
	var err error
	switch shape {
	case Lines:
		err = w.lines(br)
	case Values:
		err = w.values(br)
	case YAML:
		err = w.yaml(br)
	case CSV:
		err = w.csv(br)
	case Text:
		err = w.prefixed(br)
	}
	w.putPods()
	return w.Tally, err
}

// OfContainers reports whether a text has records of containers' output.
func OfContainers(text []byte) bool {
	shape := Sniff(text)
	if shape == None || shape == Text {
		return false
	}
	tally, err := Read(bytes.NewReader(text), shape, Sink{})
	return err == nil && tally.OfContainers > 0
}

// Anonymous reports whether the prefixes in a text are those that docker logs -t, kubectl logs and stern put before a
// container's output, which say nothing about a node.
func Anonymous(head []byte) bool {
	for line := range bytes.Lines(head) {
		s := safetext.Uncoloured(strings.TrimRight(string(line[:min(len(line), klogline.MaxPrefix)]), "\r\n"))
		at := messageAt(s)
		if prefix, payload := payloadOf([]byte(s)); at < 0 && prefix != "" &&
			(isKlogJSON(string(payload)) || runtimelog.Logged(string(payload))) {
			at = len(prefix)
		}
		if at > 0 {
			r := prefixed(s[:at])
			return r.Host == "" && r.Unit == ""
		}
	}
	return false
}
