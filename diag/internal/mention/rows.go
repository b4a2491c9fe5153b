package mention

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file reads lists and tables that anybody made of pods: kubectl's columns of a person's choice, a spreadsheet, a
// table of a report. A column has the pod, and another says how it ended or how often.

// column is what a column has.
type column byte

const (
	ofOther column = iota
	ofPod
	ofThing // a name, of a pod if the table or the text is about containers
	ofNamespace
	ofContainer
	ofReason
	ofCode
	ofCount
	ofMessage
	ofKubectl // kubectl's table of pods has a reader of its own
)

// headings are the words above each.
var headings = []struct {
	says *regexp.Regexp
	has  column
}{
	{regexp.MustCompile(`^(?:ready|last seen|first seen|subobject)$`), ofKubectl}, // read as what it prints
	{regexp.MustCompile(`^(?:pods?|pod ?names?)$`), ofPod},
	{regexp.MustCompile(`^(?:name|instance|replica)$`), ofThing},
	{regexp.MustCompile(`^(?:name ?spaces?|ns|project)$`), ofNamespace},
	{regexp.MustCompile(`^(?:containers?|container ?names?)$`), ofContainer},
	{regexp.MustCompile(`^(?:messages?|msg|details?|description|notes?)$`), ofMessage},
	{regexp.MustCompile(`^(?:last )?(?:exit|exit ?codes?|code|rc)$`), ofCode},
	{regexp.MustCompile(`^(?:#|no\.? of |number of |total |container |pod )?(?:restarts?|restart ?counts?|count)$`), ofCount},
	{regexp.MustCompile(`^(?:container |pod |last |previous |termination |terminated |exit |restart )*(?:status )?(?:reasons?|state|status|why|cause|error)$`), ofReason},
}

// columnsOf are those of a table's head, nil for a line that is none: of a pod, and of how it ended. about tells a text
// about containers.
func columnsOf(line string, about bool) (columns []column) {
	lower := strings.ToLower(line)
	if len(line) > maxHead || !slices.ContainsFunc(things, func(s string) bool { return strings.Contains(lower, s) }) {
		return nil
	}
	var pods, ends int
	for _, cell := range naming.Cells(line) {
		cell = strings.ToLower(camel.ReplaceAllString(joined.Replace(cell), "$1 $2"))
		has := ofOther
		for _, h := range headings {
			if h.says.MatchString(cell) {
				has = h.has
				break
			}
		}
		switch has {
		case ofKubectl:
			return nil
		case ofPod, ofThing:
			pods++
		case ofReason, ofCode, ofCount:
			ends++
		}
		columns = append(columns, has)
	}
	ofPods := about || slices.Contains(columns, ofPod) || slices.Contains(columns, ofCount)
	if pods != 1 || ends == 0 || !ofPods {
		return nil
	}
	return columns
}

var (
	// things are the words of which one stands above the names.
	things = []string{"pod", "name", "instance", "replica"}
	// camel is where a word begins within one, joined what else stands between words.
	camel  = regexp.MustCompile(`([a-z])([A-Z])`)
	joined = strings.NewReplacer("_", " ", "-", " ")
)

// maxHead is how long the head of a table may be.
const maxHead = 400

var (
	// reason is what kubectl prints of an end, whatever stands above it.
	reason = regexp.MustCompile(`^(?:OOMKilled|Error|CrashLoopBackOff|Evicted|StartError|ContainerCannotRun|ContainerStatusUnknown)$`)
	// exited is a code beside a reason.
	exited = regexp.MustCompile(`(?i)\b(?:exit(?:ed)?|code|rc)(?: with)?(?: code| status)?[ :=]{1,2}(\d{1,3})\b`)
)

// nothing stands in a cell that has no value.
var nothing = regexp.MustCompile(`^(?:|-+|–|—|<none>|none|null|nil|n/?a|0)$`)

// table are the columns of a table that is open, nil for none.
type table []column

// next is the row that a line is, nil for none, and the table that is open behind it.
func (t table) next(text string, apart, about bool) (*row, table) {
	if head := columnsOf(text, about); head != nil {
		return nil, head
	}
	if t == nil || apart {
		return nil, nil
	}
	r, ok := rowOf(t, text)
	if !ok {
		return nil, nil
	}
	return r, t
}

// row is a line below such a head.
type row struct {
	naming.Names
	says     string // in the words of kubectl describe
	restarts bool
}

// rowOf is a line below such a head; false for one that is none.
func rowOf(columns []column, text string) (r *row, ok bool) {
	cells := naming.Cells(text)
	if len(cells) != len(columns) {
		return nil, strings.Trim(text, "-+|: \t") == ""
	}
	r = &row{}
	var says []string
	for i, cell := range cells {
		switch columns[i] {
		case ofPod, ofThing:
			r.Names = r.With('p', cell)
		case ofNamespace:
			r.Names = r.With('n', cell)
		case ofContainer:
			_, name, below := strings.Cut(cell, "/") // behind the UID of its pod
			if !below {
				name = cell
			}
			r.Names = r.With('c', name)
		}
		if nothing.MatchString(strings.ToLower(cell)) {
			continue
		}
		switch columns[i] {
		case ofOther:
			if reason.MatchString(cell) {
				says = append(says, "Reason: "+cell)
			}
		case ofMessage:
			says = append(says, cell)
		case ofReason:
			says = append(says, "Reason: "+cell)
			if m := exited.FindStringSubmatch(cell); m != nil {
				says = append(says, "Exit Code: "+m[1])
			}
		case ofCode:
			says = append(says, "Exit Code: "+cell)
		case ofCount:
			first, _, _ := strings.Cut(strings.TrimSpace(cell), " ") // "4 (2m ago)"
			count, err := strconv.Atoi(first)
			r.restarts = err == nil && count > 0 && !slices.Contains(columns, ofMessage) // else it counts events
		}
	}
	r.says = strings.Join(says, " ")
	return r, true
}

// end is what a row tells of one, nil for nothing.
func (r *row) end() *end {
	e := told(r.says, true, true)
	switch {
	case e == nil && strings.Contains(r.says, "Reason: Error"):
		return &end{ended: "Error"}
	case e == nil && r.restarts:
		return &end{ended: endsBare}
	case e == nil, e.code != nil && *e.code == 0 && !r.restarts: // it completed
		return nil
	}
	e.beside = false
	return e
}

// listed continues a list of names.
var listed = regexp.MustCompile("^[`\"'*]*(?:, ?(?:and )?|,? (?:and|&|und|y|et|e|и) |、|と)[`\"'*]*" +
	`([a-z][a-z0-9.]*[0-9-][a-z0-9.-]*[a-z0-9])`)

// listedBehind are further pods of a list that begins with one: what a line says of it, it says of them.
func listedBehind(line, pod string) (pods []string) {
	_, rest, found := strings.Cut(line, pod)
	for found && pod != "" {
		m := listed.FindStringSubmatch(rest)
		if m == nil || naming.In("pod "+m[1]).Pod != m[1] {
			break
		}
		pods, rest = append(pods, m[1]), rest[len(m[0]):]
	}
	return pods
}
