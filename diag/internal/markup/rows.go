package markup

import (
	"regexp"
	"strings"
)

// Rows turns rows in Markdown, and those of a table of pods as CSV, into rows as kubectl prints them: tables with one
// of its headers, and rows as code within a sentence, which stay there, too. head and row report whether a line is one
// of kubectl's.
func Rows(lines []string, head, row func(line string) bool) (out []string) {
	within, comma := false, ""
	for _, line := range lines {
		cells := cellsOf(line)
		if cells == nil {
			cells, comma = separated(line, comma)
		}
		names := strings.ToUpper(strings.Join(cells, columns))
		switch {
		case len(cells) < leastCells:
			within = false
			out = append(out, line)
			for _, m := range inCode.FindAllStringSubmatch(line, mostInCode) {
				if text := strings.TrimSpace(m[1]); row(text) && len(text)+2 < len(strings.TrimSpace(line)) {
					out = append(out, text)
				}
			}
		case head(names):
			out, within = append(out, names), true
		case !within:
			out = append(out, line)
		case strings.Trim(line, "|:- ") != "":
			out = append(out, strings.Join(cells, columns))
		}
	}
	return out
}

const (
	leastCells = 3     // of a table of pods or events
	columns    = "   " // between the columns that kubectl prints
	mostInCode = 50    // pieces of code in a line
)

// cellsOf returns the cells of a table's row in Markdown, nil for another line. An empty cell gets kubectl's word.
func cellsOf(line string) (cells []string) {
	text := strings.TrimSpace(line)
	if len(text) < leastCells || text[0] != '|' || text[len(text)-1] != '|' {
		return nil
	}
	for cell := range strings.SplitSeq(text[1:len(text)-1], "|") {
		if cell = strings.Trim(strings.TrimSpace(cell), "`*"); cell == "" {
			cell = "<none>"
		}
		cells = append(cells, cell)
	}
	return cells
}

// separated returns the cells of a line of CSV and what separates them, by the header of a table of pods if that is not
// known. None of its cells needs quotes.
func separated(line, comma string) ([]string, string) {
	if comma == "" {
		m := csvHead.FindStringSubmatch(line)
		if m == nil {
			return nil, ""
		}
		comma = m[1]
	}
	cells := strings.Split(strings.ReplaceAll(line, `"`, ""), comma)
	if len(cells) < leastCells {
		return nil, ""
	}
	return cells, comma
}

var csvHead = regexp.MustCompile(`^"?(?i:NAMESPACE"?[,;]"?)?(?i:NAME)"?([,;])"?(?i:READY)"?[,;]`)

// inCode matches a piece of code in a line.
var inCode = regexp.MustCompile("`([^`]+)`")
