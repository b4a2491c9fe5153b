// Package column finds values in tables by the header of their column: as kubectl, database clients and CSV files print
// them.
//
// It knows what tables look like, not which names are secrets. It imports only the standard library, and does no I/O.
package column

import (
	"regexp"
	"slices"
	"strings"
)

// Span is a part of a text.
type Span struct{ From, To int }

// longest is the maximum length of a header.
const longest = 512

// Beside reports whether the text from from to to may be a whole cell of a header: the check is cheap, and most names
// are none.
func Beside(s string, from, to int) bool {
	before := strings.TrimRight(s[max(0, from-4):from], "\\\"'`")
	behind := strings.TrimLeft(s[to:min(len(s), to+8)], "\\\"'`")
	if before != "" && !strings.HasSuffix(before, "┃") && !strings.HasSuffix(before, "│") &&
		strings.IndexByte(" \t,;|\nnt([:=_", before[len(before)-1]) < 0 {
		return false
	}
	return behind == "" || strings.IndexByte(" \t,;|\r\nnt", behind[0]) >= 0 ||
		strings.HasPrefix(behind, "┃") || strings.HasPrefix(behind, "│")
}

// Find reads the line at a place as the header of a table. It passes to found, for each row below, the cells of the
// columns that named accepts, and whether only single blanks separate them (words). It returns where the table ends
// and, if the next row may follow after the text, the header.
func Find(s string, at int, named func(Span) bool, found func(head, cell Span, words bool)) (end int, open string) {
	t := table{s: s, end: len(s)}
	head, ok := t.headAt(at)
	if !ok {
		return at, ""
	}
	end = t.next(head)
	for _, k := range kinds {
		cells := t.cells(head, k)
		if !t.names(cells, k) {
			continue
		}
		columns := make([]int, 0, len(cells))
		for i, c := range cells {
			if named(t.bare(c)) {
				columns = append(columns, i)
			}
		}
		if len(columns) == 0 {
			continue
		}
		for end < t.end {
			row := t.line(end)
			if !t.row(head, row, k, cells, columns, found) {
				return end, ""
			}
			end = t.next(row)
		}
		if t.end == len(s) {
			open = s[head.From:head.To]
		}
		return end, open
	}
	return end, ""
}

// kind is the separator of the cells of a row.
type kind int

const (
	bars kind = iota
	tabs
	commas
	semicolons
	gaps  // two blanks or more
	words // single ones, under a header in capitals
)

var kinds = []kind{bars, tabs, commas, semicolons, gaps, words}

// table is a table in a text that ends with the text, or with the quotes around the table.
type table struct {
	s   string
	end int
}

// opener matches what precedes a table on its first line.
var opener = regexp.MustCompile(`[=:] ?(\\*)"|[:>] `)

// headAt returns the line at a place, from where a table may begin in it.
func (t *table) headAt(at int) (Span, bool) {
	low := max(0, at-longest)
	from := low
	for i := at; i > low; i-- {
		if t.s[i-1] == '\n' || t.s[i-1] == 'n' && i > low+1 && t.s[i-2] == '\\' {
			from = i
			break
		}
	}
	if from == low && low > 0 {
		return Span{}, false
	}
	if all := opener.FindAllStringSubmatchIndex(t.s[from:at], -1); all != nil {
		last := all[len(all)-1]
		from += last[1]
		if last[2] >= 0 {
			t.quotes(from, last[3]-last[2])
			if t.end < at { // of the first cell
				from, t.end = from-1-(last[3]-last[2]), len(t.s)
			}
		}
	}
	for from < at && strings.IndexByte("([{", t.s[from]) >= 0 {
		from++
	}
	whole := t.end
	t.end = min(t.end, from+longest+1) // a longer line is no header
	head := t.line(from)
	t.end = whole
	return head, head.To > at && head.To-head.From <= longest
}

// quotes ends the table at a quote with that many backslashes before it.
func (t *table) quotes(from, slashes int) {
	for i := from; i < len(t.s); i++ {
		if t.s[i] != '"' {
			continue
		}
		n := 0
		for i-n > from && t.s[i-n-1] == '\\' {
			n++
		}
		if n == slashes {
			t.end = i - n
			return
		}
	}
}

// line returns the line that begins at from; its line break may be escaped.
func (t *table) line(from int) Span {
	for i := from; i < t.end; i++ {
		switch {
		case t.s[i] == '\n', t.s[i] == '\r':
			return Span{from, i}
		case t.s[i] == '\\' && i+1 < t.end && (t.s[i+1] == 'n' || t.s[i+1] == 'r'):
			for to := i; ; to-- {
				if to == from || t.s[to-1] != '\\' {
					return Span{from, to}
				}
			}
		}
	}
	return Span{from, t.end}
}

// next returns where the line after another one begins.
func (t *table) next(line Span) int {
	i := line.To
	for i < t.end && t.s[i] == '\\' {
		i++
	}
	for seen := false; i < t.end; i++ {
		switch c := t.s[i]; {
		case c == '\r', c == 'r' && t.s[i-1] == '\\', c == '\\' && !seen && i > line.To && t.s[i-1] == 'r':
			continue
		case !seen && (c == '\n' || c == 'n' && t.s[i-1] == '\\'):
			seen = true
		default:
			return i
		}
	}
	return t.end
}

// parts returns the length of the separator of that kind at i, 0 for none.
func (t *table) parts(i int, k kind) int {
	rest := t.s[i:t.end]
	switch k {
	case bars:
		for _, bar := range []string{"|", "│", "┃"} {
			if strings.HasPrefix(rest, bar) {
				return len(bar)
			}
		}
	case tabs:
		for _, tab := range []string{"\t", `\t`} {
			if strings.HasPrefix(rest, tab) {
				return len(tab)
			}
		}
	case commas, semicolons:
		if rest[0] == ',' && k == commas || rest[0] == ';' && k == semicolons {
			return 1
		}
	case gaps, words:
		n := len(rest) - len(strings.TrimLeft(rest, " "))
		if n > 1 || n == 1 && k == words {
			return n
		}
	}
	return 0
}

// cells splits a line into its cells. The signs before the first one and after the last one are its frame.
func (t *table) cells(line Span, k kind) (out []Span) {
	from := line.From
	for i := from; i < line.To; {
		if n := t.parts(i, k); n > 0 {
			if i > line.From || k < bars || k > bars && k < gaps {
				out = append(out, Span{from, i})
			}
			i += n
			from = i
			continue
		}
		i = max(i+1, t.behindQuotes(i, from, line.To, k))
	}
	if k == bars || k >= gaps {
		if strings.TrimSpace(t.s[from:line.To]) == "" {
			return out
		}
	}
	return append(out, Span{from, line.To})
}

// behindQuotes returns where a cell continues that begins with a quoted text.
func (t *table) behindQuotes(i, from, limit int, k kind) int {
	if k == words || k == gaps || strings.TrimLeft(t.s[from:i], " ") != "" {
		return i
	}
	quote := i
	for quote < limit && t.s[quote] == '\\' {
		quote++
	}
	if quote == limit || t.s[quote] != '"' && t.s[quote] != '\'' {
		return i
	}
	mark := t.s[i : quote+1]
	if n := strings.Index(t.s[quote+1:limit], mark); n >= 0 {
		return quote + 1 + n + len(mark)
	}
	return i
}

var title = regexp.MustCompile(`^[A-Za-z_][\w .()/#%-]{0,38}$`)

// names reports whether a line is a header: each of its cells is the name of a column.
func (t *table) names(cells []Span, k kind) bool {
	if len(cells) < 2 && (k != words || len(cells) == 0) {
		return false
	}
	for i, c := range cells {
		c = t.bare(c)
		if name := t.s[c.From:c.To]; !title.MatchString(name) && (i > 0 || name != "#") ||
			k == words && strings.ToUpper(name) != name || strings.Count(name, " ") > 2 {
			return false
		}
	}
	return true
}

// bare returns a cell without the blanks, quotes and brackets around it.
func (t *table) bare(c Span) Span {
	const around = " \t\"'`\\([{)]}"
	s := t.s[c.From:c.To]
	c.From += len(s) - len(strings.TrimLeft(s, around))
	return Span{c.From, max(c.From, c.To-(len(s)-len(strings.TrimRight(s, around))))}
}

// row passes on the cells of a row, and returns false if the line is none.
func (t *table) row(head, line Span, k kind, names []Span, columns []int,
	found func(head, cell Span, words bool)) bool {
	if text := strings.TrimSpace(t.s[line.From:line.To]); text == "" {
		return line.To == t.end
	} else if strings.Trim(text, "-+=|: ─┼├┤┌┐└┘┬┴━╋│┃╪╞╡═") == "" {
		return true // between header and rows
	}
	cells := t.cells(line, k)
	byPlace := k == gaps && len(cells) != len(names)
	more := len(cells) - len(names) // a cell may contain separators, and a row may be short
	if more != 0 && !byPlace && (k == words || len(cells) < 2 || more > len(names)) {
		return false
	}
	for _, i := range columns {
		c := Span{line.From, line.From}
		if !byPlace {
			if i >= len(cells) {
				continue
			}
			c = Span{cells[i].From, cells[i+max(0, more)].To}
		} else if c = t.below(head, line, names, i); c.From == c.To {
			continue
		}
		s := t.s[c.From:c.To]
		c.From += len(s) - len(strings.TrimLeft(s, " \t"))
		if c.To -= len(s) - len(strings.TrimRight(s, " \t")); c.From < c.To {
			found(t.bare(names[i]), c, k == words && !t.usual(names))
		}
	}
	return true
}

// usual reports whether a header is no sentence in capitals: one of its cells is common in tables.
func (t *table) usual(names []Span) bool {
	return len(names) == 1 || slices.ContainsFunc(names, func(c Span) bool { return titles[t.s[c.From:c.To]] })
}

var titles = map[string]bool{"NAME": true, "NAMESPACE": true, "USER": true, "USERNAME": true, "ID": true, "UID": true,
	"AGE": true, "HOST": true, "EMAIL": true, "LOGIN": true, "TYPE": true, "STATUS": true, "KEY": true, "VALUE": true,
	"EXPIRES": true, "EXPIRY": true, "TTL": true, "CREATED": true, "ROLE": true, "DATABASE": true, "DB": true,
	"PORT":    true,
	"ADDRESS": true, "URL": true, "DESCRIPTION": true, "USAGES": true}

// below returns what a row has under a cell of the header, if one of its cells is empty or contains blanks.
func (t *table) below(head, line Span, names []Span, i int) Span {
	from := line.From + names[i].From - head.From
	if from >= line.To || from > line.From && t.s[from-1] != ' ' || strings.Contains(t.s[line.From:from], "[redacted]") {
		return Span{}
	}
	to := line.To
	if i+1 < len(names) {
		to = min(to, line.From+names[i+1].From-head.From)
	}
	return Span{from, to}
}
