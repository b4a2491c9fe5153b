package unwrap

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// maxYAML limits one document: YAML needs many times its size in memory.
const maxYAML = 32 << 20

// separators are column separators, the most frequent first.
var separators = []rune{',', '\t', ';'}

// columnsOf parses a line as the header of a table that has a column for the message.
func columnsOf(line string) (columns []string, comma rune, ok bool) {
	for _, comma := range separators {
		if !strings.ContainsRune(line, comma) {
			continue
		}
		r := newTable(strings.NewReader(line), comma)
		row, err := r.Read()
		if err != nil || len(row) < 2 {
			continue
		}
		message := false
		for i, name := range row {
			row[i] = strings.ToLower(strings.TrimSpace(name))
			if row[i] == "" || len(row[i]) > 128 || strings.ContainsAny(row[i], "{}=") {
				message = false
				break
			}
			message = message || slices.Contains(messageNames, row[i]) || strings.HasSuffix(row[i], ".message")
		}
		if message && slices.ContainsFunc(row, func(name string) bool {
			return slices.Contains(timeNames, name) || slices.Contains(hostNames, name)
		}) {
			return row, comma, true
		}
	}
	return nil, 0, false
}

func newTable(r io.Reader, comma rune) *csv.Reader {
	c := csv.NewReader(r)
	c.Comma, c.LazyQuotes, c.FieldsPerRecord, c.ReuseRecord = comma, true, -1, true
	return c
}

// csv reads CSV with column names in the first row.
func (w *walker) csv(r *bufio.Reader) error {
	for {
		line, err := readLine(r)
		if columns, comma, ok := columnsOf(string(line)); ok {
			return w.csvRows(newTable(r, comma), columns)
		}
		if err != nil && !errors.Is(err, errLong) {
			return nil
		}
	}
}

func (w *walker) csvRows(c *csv.Reader, columns []string) error {
	for {
		row, err := c.Read()
		var bad *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &bad):
			w.broken("a row that is not CSV")
			continue
		case err != nil:
			return err
		case len(row) < len(columns):
			w.Cut = true // or a short row: the next one shows which
			continue
		}
		f := fields{}
		for i, name := range columns {
			if v := row[i]; v != "" && v != "-" {
				f[name] = v
			}
		}
		if payload := f["jsonpayload"]; strings.HasPrefix(payload, "{") {
			if inner, ok := fieldsOf([]byte(payload)); ok {
				for k, v := range inner {
					f["jsonpayload."+k] = v
				}
			}
		}
		if f.level(); len(f) > 0 {
			w.flat(f, Record{}, 0)
		}
	}
}

// yaml reads YAML documents, as gcloud prints records.
func (w *walker) yaml(r *bufio.Reader) error {
	var doc []byte
	flush := func() {
		if len(bytes.TrimSpace(doc)) > 0 {
			if raw, err := yaml.YAMLToJSON(doc); err != nil || !json.Valid(raw) {
				w.broken("a document that is not YAML")
			} else if string(raw) != "null" {
				w.value(raw, Record{}, 0)
			}
		}
		doc = doc[:0]
	}
	large := false
	for {
		line, err := readLine(r)
		item := bytes.HasPrefix(line, []byte("- ")) // an item of a top-level list counts as a document
		switch {
		case bytes.Equal(line, []byte("---")) || item && len(doc) > 0 && doc[0] == '-':
			flush()
			large = false
		case len(doc)+len(line) > maxYAML && !large:
			large = true
			w.broken("a document of more than 32 MiB")
			doc = doc[:0]
		}
		if !large && !bytes.Equal(line, []byte("---")) {
			doc = append(append(doc, line...), '\n')
		}
		if errors.Is(err, io.EOF) {
			flush()
			return nil
		}
		if err != nil && !errors.Is(err, errLong) {
			return err
		}
	}
}
