package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"sigs.k8s.io/yaml"
)

// document is one YAML document; line is the number of lines of the file before it.
type document struct {
	text []byte
	line int
}

// split cuts a stream at its separators: "---", with or without text after it, and "...".
func split(data []byte) []document {
	var all []document
	current := document{}
	number := 0
	for line := range bytes.Lines(data) {
		rest, starts := bytes.CutPrefix(line, []byte("---"))
		starts = starts && (len(bytes.TrimSpace(rest)) == 0 || rest[0] == ' ' || rest[0] == '\t')
		ends := bytes.Equal(bytes.TrimRight(line, " \t\r\n"), []byte("..."))
		if starts || ends {
			all = append(all, current)
			current = document{line: number}
			if ends {
				rest = []byte("\n")
			}
			line = append([]byte("   "), rest...)
		}
		current.text = append(current.text, line...)
		number++
	}
	return append(all, current)
}

var errSyntax = errors.New("not readable as YAML or JSON")

// decode returns the document as maps, lists, texts, numbers (json.Number) and booleans; nil when it is empty.
func decode(d document) (any, error) {
	text := d.text
	if bytes.IndexByte(text, '\t') >= 0 && json.Valid(text) {
		// JSON allows tabs between its parts, YAML does not; inside a JSON string a tab is always escaped.
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
	}
	raw, err := yaml.YAMLToJSONStrict(text)
	if err != nil {
		return nil, syntaxError(d.line, err)
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, errSyntax
	}
	return value, nil
}

var (
	lineNumber = regexp.MustCompile(`line (\d{1,9}): `)
	duplicate  = regexp.MustCompile(`key "(\w{1,63})" already set in map`)
)

// syntaxError says where the text is invalid. The library's own message may quote the text, so it is left out.
func syntaxError(before int, err error) error {
	where, what := "", ""
	if m := lineNumber.FindStringSubmatch(err.Error()); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			where = fmt.Sprintf("line %d: ", before+n)
		}
	}
	if m := duplicate.FindStringSubmatch(err.Error()); m != nil {
		what = ": the field " + m[1] + " appears twice"
	}
	return fmt.Errorf("%s%w%s", where, errSyntax, what)
}
