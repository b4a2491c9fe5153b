package excerpt

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/typed"
)

// This file reads JSON documents, and the outputs in their strings: results of agents and tools, transcripts, tests.

// document returns how many lines the JSON document takes that begins here, 0 if there is none.
func (s *splitter) document(line string) int {
	if s.now.Kind == Log || s.now.Kind == Printed || s.broken > maxBroken {
		return 0
	}
	if line == "" || line[0] != '{' && line[0] != '[' {
		return 0
	}
	for n := 1; ; n *= 2 { // no further than necessary: a text may have many documents
		text := strings.Join(s.lines[s.at:min(s.at+n, len(s.lines))], "\n")
		d := json.NewDecoder(strings.NewReader(text))
		var value json.RawMessage
		err := d.Decode(&value)
		if errors.Is(err, io.ErrUnexpectedEOF) && s.at+n < len(s.lines) {
			continue
		}
		if err != nil || len(value) < 2 || value[0] == '[' && !bytes.Contains(value, []byte("{")) {
			s.broken++
			return 0
		}
		return 1 + strings.Count(text[:d.InputOffset()], "\n")
	}
}

// maxQuoted is how deep in a document they may be.
const maxQuoted = 12

// quotable are the kinds of output to look for: other strings may be a program's own.
var quotable = []Kind{Table, Printed, Piece, Events, Stated, Said}

// quoted returns the parts of the outputs in a document's strings. It skips Kubernetes objects, because their
// containers write some of their strings.
func quoted(v any) (parts []Part) {
	var walk func(v any, command string, depth int)
	take := func(text, command string) bool {
		if strings.Count(strings.TrimSpace(text), "\n") == 0 {
			return false
		}
		inner, _ := Split(command + text)
		known := slices.ContainsFunc(inner, func(p Part) bool { return slices.Contains(quotable, p.Kind) })
		for i := 0; known && i < len(inner); i++ {
			inner[i].Quoted = true
			parts = append(parts, inner[i])
		}
		return known
	}
	walk = func(v any, command string, depth int) {
		if depth > maxQuoted {
			return
		}
		switch v := v.(type) {
		case string:
			take(v, command)
		case []any:
			lines := make([]string, 0, len(v))
			for _, item := range v {
				if s, ok := item.(string); ok {
					lines = append(lines, s)
				}
			}
			if len(lines) == len(v) && take(strings.Join(lines, "\n"), command) {
				return
			}
			for _, item := range v {
				walk(item, "", depth+1)
			}
		case object:
			if _, spec := v["spec"].(object); v["apiVersion"] != nil || v["metadata"] != nil && spec || isState(v) {
				return
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if s, ok := v[key].(string); ok && !strings.Contains(s, "\n") {
					if _, ok := typed.Of(s); ok {
						command = "$ " + s + "\n"
					}
				}
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key], command, depth+1)
			}
		}
	}
	walk(v, "", 0)
	return parts
}

// WithoutPods returns a text without the pods and events in YAML in it: what they say has its own reader, and is no
// person's word.
func WithoutPods(text string) string {
	if !strings.Contains(text, "apiVersion: v1") {
		return text
	}
	parts, _ := Split(text)
	for _, p := range parts {
		if whole := strings.Join(p.Lines, "\n"); p.Kind == YAML && len(parts) > 1 && podAtLeft.MatchString(whole) {
			text = strings.Replace(text, whole, "", 1)
		}
	}
	return text
}

// podAtLeft matches the kind of an object that has its own reader.
var podAtLeft = regexp.MustCompile(`(?m)^kind: (?:Pod|Event|Node|(?:Pod|Event|Node)?List)$`)
