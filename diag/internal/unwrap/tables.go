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

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
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
			message = message || slices.Contains(field.MessageNames, row[i]) || strings.HasSuffix(row[i], ".message")
		}
		if message && slices.ContainsFunc(row, func(name string) bool {
			return slices.Contains(field.TimeNames, name) || slices.Contains(field.HostNames, name)
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
		if series, ok := seriesOf(string(line)); ok {
			return w.csvSeries(newTable(r, ','), series)
		}
		if err != nil && !errors.Is(err, errLong) {
			return nil
		}
	}
}

// seriesOf parses the header of a table that has a time and then a column for each series of a metric, named by its
// labels, as Grafana exports a panel: Time,"{container=""api"", pod=""web-0""}".
func seriesOf(line string) (series []field.Fields, ok bool) {
	row, err := newTable(strings.NewReader(line), ',').Read()
	if err != nil || len(row) < 2 || !slices.Contains(field.TimeNames, strings.ToLower(strings.TrimSpace(row[0]))) {
		return nil, false
	}
	for _, column := range row[1:] {
		name, rest, _ := strings.Cut(column, "{")
		labels, _, labelled := leadingLabels("{" + rest)
		if !labelled || len(labels) == 0 || strings.ContainsAny(name, " ,") {
			return nil, false
		}
		if name != "" {
			labels["__name__"] = name
		}
		series = append(series, labels)
	}
	return series, true
}

// csvSeries reads the last value of each series that is not zero.
func (w *walker) csvSeries(c *csv.Reader, series []field.Fields) error {
	last := make([]string, len(series))
	for {
		row, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			w.broken("a row that is not CSV")
			continue
		}
		for i := range min(len(series), len(row)-1) {
			if v := strings.TrimSpace(row[i+1]); strings.Trim(v, "0.") != "" {
				last[i] = v
			}
		}
	}
	for i, labels := range series {
		w.series(labels, last[i])
	}
	return nil
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
		f := field.Fields{}
		for i, name := range columns {
			if v := row[i]; v != "" && v != "-" {
				f[name] = v
			}
		}
		if payload := f["jsonpayload"]; strings.HasPrefix(payload, "{") {
			if inner, ok := field.Parse([]byte(payload)); ok {
				for k, v := range inner {
					f["jsonpayload."+k] = v
				}
			}
		}
		if f.Level(); len(f) > 0 {
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
