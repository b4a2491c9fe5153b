package describe

import (
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// columns is the header of a table: the name of each column and where it begins.
type columns struct {
	names []string
	at    []int
}

// gaps separate columns: at least two blanks.
var gaps = regexp.MustCompile(`\s{2,}|\t+`)

// headOf parses the header of a table.
func headOf(line string) columns {
	var c columns
	rest, at := line, 0
	for rest != "" {
		trimmed := strings.TrimLeft(rest, " \t")
		at += len(rest) - len(trimmed)
		cell := trimmed
		if m := gaps.FindStringIndex(trimmed); m != nil {
			cell = trimmed[:m[0]]
		}
		if cell == "" {
			break
		}
		c.add(strings.ToUpper(strings.TrimSpace(cell)), at)
		at, rest = at+len(cell), trimmed[len(cell):]
	}
	if len(c.names) == 1 && heading(line) { // pasted with single blanks
		c = columns{}
		for _, name := range strings.Fields(twoWords.Replace(strings.ToUpper(line))) {
			c.names, c.at = append(c.names, strings.ReplaceAll(name, "_", " ")), append(c.at, len(line))
		}
	}
	c.usual()
	return c
}

// add adds a cell of a header, or several from k9s, which separates its columns with one blank.
func (c *columns) add(cell string, at int) {
	words := strings.Fields(cell)
	if len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !ofK9s[w] }) {
		for _, w := range words {
			c.names, c.at = append(c.names, w), append(c.at, at+strings.Index(cell, w))
		}
		return
	}
	c.names, c.at = append(c.names, cell), append(c.at, at)
}

// ofK9s are the one-word columns of k9s's screen of pods (derailed/k9s internal/render/pod.go).
var ofK9s = map[string]bool{"NAMESPACE": true, "NAME": true, "PF": true, "READY": true, "STATUS": true,
	"RESTARTS": true, "RS": true, "CPU": true, "MEM": true, "%CPU/R": true, "%CPU/L": true, "%MEM/R": true, "%MEM/L": true,
	"CPU/R:L": true, "MEM/R:L": true, "IP": true, "NODE": true, "QOS": true, "AGE": true, "VS": true}

var twoWords = strings.NewReplacer("LAST SEEN", "LAST_SEEN", "FIRST SEEN", "FIRST_SEEN", "NOMINATED NODE",
	"NOMINATED_NODE", "READINESS GATES", "READINESS_GATES")

// broken matches the rest of a header that a terminal broke: with the columns that may follow those of which a table of
// pods or events is known. Any other header is of another table, and this one had no rows.
var broken = regexp.MustCompile(
	`^\s*(?:AGE\s+IP|IP\s+NODE|NODE\s+NOMINATED NODE|NOMINATED NODE|READINESS GATES|FIRST SEEN\s+COUNT)\b`)

// below yields the rows of the tables of one kind, each with its table's header.
func below(lines []string, kind func(columns) bool) iter.Seq2[*columns, string] {
	return func(yield func(*columns, string) bool) {
		var head *columns
		begun := true // behind the header
		for _, l := range lines {
			if h := headOf(l); kind(h) {
				head, begun = &h, false
				continue
			}
			if heading(l) && !begun && broken.MatchString(l) {
				continue // the terminal broke the header
			}
			if begun = true; heading(l) {
				head = nil // another table begins
			}
			if head != nil && strings.TrimSpace(l) != "" && !yield(head, l) {
				return
			}
		}
	}
}

// pods reports whether it is the header of a table of pods.
func (c columns) pods() bool { return c.has("NAME", "READY", "STATUS", "RESTARTS") }

// events reports whether it is the header of a table of events, which has the objects that a description leaves out.
func (c columns) events() bool {
	return c.has("REASON", "MESSAGE", "LAST SEEN") && (c.has("OBJECT") || c.has("KIND") || c.has("NAME"))
}

// heading reports whether a line is a header: several words in capitals and nothing else.
func heading(line string) bool {
	words := strings.Fields(line)
	return len(words) > 2 && !strings.ContainsFunc(line, func(c rune) bool {
		return !(c >= 'A' && c <= 'Z') && c != ' ' && c != '\t' &&
			c != '-' && c != '_'
	})
}

// chosen maps names that people give to the columns of events (-o custom-columns) to those that kubectl uses.
var chosen = map[string]string{
	"LAST": "LAST SEEN", "LASTSEEN": "LAST SEEN", "LAST_SEEN": "LAST SEEN", "LASTTIMESTAMP": "LAST SEEN",
	"TIME": "LAST SEEN", "TIMESTAMP": "LAST SEEN", "EVENTTIME": "LAST SEEN", "DATE": "LAST SEEN",
	"FIRST": "FIRST SEEN", "FIRSTSEEN": "FIRST SEEN", "FIRST_SEEN": "FIRST SEEN", "FIRSTTIMESTAMP": "FIRST SEEN",
	"POD": "OBJECT", "INVOLVEDOBJECT": "OBJECT", "INVOLVED_OBJECT": "OBJECT", "OBJ": "OBJECT", "NS": "NAMESPACE",
	"MSG": "MESSAGE", "COMPONENT": "FROM",
	// the fields of an event in a store
	"@TIMESTAMP": "LAST SEEN", "INVOLVEDOBJECT.NAME": "OBJECT", "INVOLVEDOBJECT.NAMESPACE": "NAMESPACE",
	"SOURCE.COMPONENT": "FROM", "REPORTINGCOMPONENT": "FROM",
}

// usual gives the columns of a table of events their usual names.
func (c columns) usual() {
	if c.has("READY", "REASON", "RESTARTS") && !c.has("STATUS") { // kubectl before 1.0
		c.names[slices.Index(c.names, "REASON")] = "STATUS"
	}
	if c.has("NAME", "READY", "STATUS", "RS") { // k9s up to 0.26
		c.names[slices.Index(c.names, "RS")] = "RESTARTS"
	}
	if !c.has("REASON") || !c.has("MESSAGE") && !c.has("MSG") {
		return
	}
	for i, name := range c.names {
		if to := chosen[name]; to != "" && !c.has(to) {
			c.names[i] = to
		}
	}
}

// row splits a row: by position if its columns are aligned with the header's; if not, as in pasted text, by the blanks
// between them, with the rest in the last column.
func (c columns) row(line string) map[string]string {
	cells := map[string]string{}
	for i, at := range c.at {
		if at > len(line) || at > 0 && line[at-1] != ' ' && line[at-1] != '\t' ||
			at > 1 && line[at-1] == ' ' && line[at-2] != ' ' && c.whole(line) {
			return c.loose(line)
		}
		end := len(line)
		if i+1 < len(c.at) {
			end = min(c.at[i+1], end)
		}
		cell := strings.TrimSpace(line[at:end])
		if i+1 < len(c.at) && gaps.MatchString(cell) {
			return c.loose(line) // two cells in one: it is not aligned
		}
		cells[c.names[i]] = cell
	}
	return cells
}

// whole reports whether a row has a cell for each column, counting the blanks between them: cells that someone
// shortened, such as a name before publishing, are no longer aligned with the header.
func (c columns) whole(line string) bool {
	return len(gaps.FindAllString(strings.TrimSpace(line), -1)) == len(c.names)-1
}

func (c columns) loose(line string) map[string]string {
	cells := map[string]string{}
	if shaped := cellsOf(line); shaped != nil && !c.whole(line) &&
		(!gaps.MatchString(strings.TrimSpace(line)) || c.has(slices.Collect(maps.Keys(shaped))...)) {
		return shaped // its cells are separated by single blanks, or some of them are
	}
	parts := gaps.Split(strings.TrimSpace(line), len(c.names))
	shift := 0
	for i, p := range parts {
		p = strings.TrimSpace(p)
		name := c.names[min(i+shift, len(c.names)-1)]
		if p == "Normal" || p == "Warning" { // an empty cell before it was lost with the blanks
			if at := slices.Index(c.names, "TYPE"); at > i+shift && len(parts)+at-i <= len(c.names) {
				shift, name = at-i, "TYPE"
			}
		}
		cells[name] = p
	}
	return cells
}

func (c columns) has(names ...string) bool {
	for _, want := range names {
		found := false
		for _, name := range c.names {
			found = found || name == want
		}
		if !found {
			return false
		}
	}
	return true
}
