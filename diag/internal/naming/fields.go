package naming

import (
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
)

// tags and frames are what HTML and Markdown put around the fields of a table, and people around a word.
var (
	tags   = regexp.MustCompile(`</?[a-zA-Z][^<>]{0,200}>`)
	frames = strings.NewReplacer("|", "  ", "│", "  ", "**", "", "__", "", "`", "")
)

// Plain returns a line without the marks of HTML and Markdown: the parts that they separate are two blanks apart.
func Plain(line string) string {
	if strings.Contains(line, "</") || strings.Contains(line, "/>") {
		line = tags.ReplaceAllString(line, "  ")
	}
	if strings.ContainsAny(line, "|│*_`") {
		line = frames.Replace(line)
	}
	return strings.TrimSpace(line)
}

// cellsApart separates the fields of a line; kept matches a field with its value.
var (
	cellsApart = regexp.MustCompile(`\s{2,}|\t+|\s/\s|[,;]\s*|[{}()\[\]]`)
	kept       = regexp.MustCompile(`^["']?([A-Za-z][\w.:/ -]{0,60}?)["']?\s*(?:[:=]|=>|→|\s)\s*["']?([a-z0-9][a-z0-9./-]*[a-z0-9])["']?[.,;]?$`)
	aValue     = regexp.MustCompile(`^["']?([a-z0-9][a-z0-9./-]*[a-z0-9])["']?[.,;]?$`)
)

// keys are the words for each kind of name: 'p' for a pod, 'n' for a namespace, 'c' for a container.
var keys = []struct {
	kind byte
	says *regexp.Regexp
}{
	{'p', regexp.MustCompile(`^(?i:(?:[\w./:-]*[._/:-])?pod(?:[ _.-]?names?)?)$`)},
	{'n', regexp.MustCompile(`^(?i:(?:[\w./:-]*[._/:-])?(?:name ?space(?:[ _.-]?name)?|ns))$`)},
	{'c', regexp.MustCompile(`^(?i:(?:[\w./:-]*[._/:-])?container(?:[ _.-]?names?)?)$`)},
}

func keyOf(word string) byte {
	for _, k := range keys {
		if k.says.MatchString(word) {
			return k.kind
		}
	}
	return 0
}

// mayBeFields are parts of the words for a key.
var mayBeFields = []string{"pod", "Pod", "POD", "amespace", "AMESPACE", "ontainer", "ONTAINER", "ns", "NS"}

// inFields returns the names in a line that are values of fields, whatever separates a field from its value.
func inFields(line string) (n Names) {
	if !AnyOf(line, mayBeFields...) {
		return n
	}
	return fieldsOf(line)
}

// AnyOf reports whether a text has one of the words.
func AnyOf(text string, words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// fieldsOf returns the values of such fields.
func fieldsOf(line string) (n Names) {
	cells := cellsApart.Split(Plain(line), maxCells)
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		key, value := cell, ""
		if m := kept.FindStringSubmatch(cell); m != nil {
			key, value = strings.TrimSpace(m[1]), m[2]
		} else if i+1 < len(cells) && len(cells) <= 3 { // a row of two fields
			if v := aValue.FindStringSubmatch(strings.TrimSpace(cells[i+1])); v != nil {
				key, value = strings.Trim(strings.TrimRight(cell, ":= "), `"'`), v[1]
			}
		}
		kind := keyOf(strings.TrimRight(key, ". "))
		if value == "" || kind == 0 {
			continue
		}
		n = n.withValue(kind, value)
	}
	return n
}

// maxCells is how many fields of a line are checked.
const maxCells = 64

// withValue adds the value of a field: a pod may have its namespace in front. A plain word after "pod" or a similar key
// may be the next word of a sentence.
func (n Names) withValue(kind byte, value string) Names {
	if space, name, ok := strings.Cut(value, "/"); ok {
		if kind != 'p' || strings.Contains(name, "/") {
			return n
		}
		return n.of("np", []string{space, name})
	}
	if kind != 'p' && strings.Contains(value, ".") {
		return n
	}
	return n.of(string(kind), []string{value})
}

// With adds a cell of a table as a pod (p), a namespace (n) or a container (c), if it can be such a name.
func (n Names) With(kind byte, cell string) Names {
	if v := aValue.FindStringSubmatch(cell); v != nil {
		return n.withValue(kind, v[1])
	}
	return n
}

// aKind and itsName are the columns of a table of objects of many kinds.
const aKind, itsName = 'K', 'N'

// ofPods matches columns that kubectl prints only for pods.
var ofPods = regexp.MustCompile(`(?i)\b(?:READY|STATUS)\b.*\bRESTARTS\b`)

// headOf returns the kinds of a table's columns from its header; nil for another line: a header names at least two
// kinds.
func headOf(line string) (columns []byte) {
	if !AnyOf(line, mayBeFields...) {
		return nil
	}
	named := 0
	for _, cell := range Cells(line) {
		kind := keyOf(cell)
		switch strings.ToLower(cell) {
		case "kind", "involvedobject.kind":
			kind = aKind
		case "name", "involvedobject.name":
			kind = itsName
		}
		if kind != 0 {
			named++
		}
		columns = append(columns, kind)
	}
	if i := slices.Index(columns, itsName); i >= 0 && !slices.Contains(columns, aKind) {
		if !ofPods.MatchString(line) {
			return nil // only the command says of what
		}
		columns[i] = 'p'
	}
	if named < 2 {
		return nil
	}
	return columns
}

// Cells splits a row into its fields: of CSV, of Markdown, of a table with blanks.
func Cells(line string) []string {
	var cells []string
	switch trimmed := strings.Trim(strings.TrimSpace(line), "|"); {
	case strings.Contains(trimmed, "|"):
		cells = strings.Split(trimmed, "|")
	case strings.Contains(trimmed, "\t"):
		cells = strings.Split(trimmed, "\t")
	case strings.Count(trimmed, ",") > 1 && !strings.Contains(trimmed, "  "):
		cells = commasApart(trimmed, ',')
	case strings.Count(trimmed, ";") > 1 && !strings.ContainsAny(trimmed, ". "):
		cells = commasApart(trimmed, ';')
	default:
		cells = columnsApart.Split(trimmed, maxCells)
	}
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "\"'*`")
	}
	return cells
}

// commasApart splits a row of CSV, which has semicolons where commas are in numbers.
func commasApart(line string, comma rune) []string {
	r := csv.NewReader(strings.NewReader(line))
	r.LazyQuotes, r.Comma = true, comma
	cells, err := r.Read()
	if err != nil {
		return strings.Split(line, string(comma))
	}
	return cells
}

var columnsApart = regexp.MustCompile(`\s{2,}`)

// inRow returns the names in a row below such a header, or false if it is not a row.
func inRow(columns []byte, line string) (n Names, ok bool) {
	cells := Cells(line)
	if len(cells) != len(columns) {
		return n, strings.Trim(line, "-+|: \t") == "" && strings.TrimSpace(line) != ""
	}
	isPod := slices.ContainsFunc(cells, func(c string) bool { return c == "Pod" || c == "pod" })
	for i, kind := range columns {
		switch {
		case kind == aKind, kind == itsName && !isPod:
			continue
		case kind == itsName:
			kind = 'p'
		}
		if kind != 0 {
			n = n.With(kind, cells[i])
		}
	}
	return n, true
}
