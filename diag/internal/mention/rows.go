package mention

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file reads lists and tables of pods from any source: kubectl's custom columns, a spreadsheet, a table in a
// report. One column has the pod, and another says how it ended or how often.

// column is the content of a column.
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
	ofImage      // a container has one
	ofTheCommand // a container of Docker has one
	ofPorts      // it may have some
	ofKubectl    // kubectl's table of pods has its own reader
	ofJob        // how many pods of a Job completed
)

// columnsOf returns the columns of a table's header, which has a pod or a container and how it ended; nil for another
// line. about means that the text is about containers.
func columnsOf(line string, about bool) (columns []column) {
	lower := strings.ToLower(line)
	if len(line) > maxHead || !naming.AnyOf(lower, things...) {
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
			return []column{} // it ends another
		case ofJob:
			about = true
		case ofPod, ofThing:
			pods++
		case ofReason, ofCode, ofCount:
			ends++
		}
		columns = append(columns, has)
	}
	if docker := slices.Contains(columns, ofTheCommand); docker && slices.Contains(columns, ofThing) {
		about = true // docker ps, and that of Compose
	} else if name := slices.Index(columns, ofThing); name >= 0 && slices.Contains(columns, ofImage) {
		columns[name] = ofContainer // a console's table of a pod's containers
	}
	ofPods := about || slices.Contains(columns, ofPod) || slices.Contains(columns, ofCount)
	if pods != 1 || ends == 0 || !ofPods {
		return nil
	}
	return columns
}

var (
	// things are words of which one must be above the names.
	things = []string{"pod", "name", "instance", "replica"}
	// camel matches where a word begins within a name; joined replaces other separators of words.
	camel  = regexp.MustCompile(`([a-z])([A-Z])`)
	joined = strings.NewReplacer("_", " ", "-", " ")
)

// maxHead is the maximum length of a table's header.
const maxHead = 400

var (
	// reason is a reason that kubectl prints, in any column.
	reason = regexp.MustCompile(`^(?:OOMKilled|Error|CrashLoopBackOff|Evicted|StartError|ContainerCannotRun|ContainerStatusUnknown)$`)
	// exited matches a code next to a reason.
	exited = regexp.MustCompile(`(?i)\b(?:exit(?:ed)?|code|rc)(?: with)?(?: code| status)?[ :=]{1,2}(\d{1,3})\b`)
)

// ofDashboard is what dashboards put before a reason.
var ofDashboard = regexp.MustCompile(`^(?:Terminated|Waiting): `)

// nothing matches a cell without a value.
var nothing = regexp.MustCompile(`^(?:|-+|–|—|<none>|none|null|nil|n/?a|0)$`)

// table holds the columns of the current table, nil for none.
type table []column

// next returns the row in a line, nil for none, and the table that continues after it.
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

// row is a line below such a header.
type row struct {
	naming.Names
	says     string // in the form of kubectl describe
	restarts bool
}

// rowOf parses a line below such a header; false if it is no row.
func rowOf(columns []column, text string) (r *row, ok bool) {
	cells, docker := naming.Cells(text), slices.Contains(columns, ofTheCommand)
	if ports := slices.Index(columns, ofPorts); docker && ports >= 0 && len(cells) == len(columns)-1 {
		cells = slices.Insert(cells, ports, "") // most have none
	}
	if len(cells) != len(columns) {
		return nil, strings.Trim(text, "-+|: \t") == ""
	}
	r = &row{}
	var says []string
	for i, cell := range cells {
		switch columns[i] {
		case ofPod, ofThing:
			if r.Names = r.With('p', cell); docker {
				if r.Names = naming.Docker(cell); r.Pod == "" { // a kubelet's, which another reader knows
					return r, true
				}
			}
		case ofNamespace:
			r.Names = r.With('n', cell)
		case ofContainer:
			_, name, below := strings.Cut(cell, "/") // after the UID of its pod
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
			says = append(says, "Reason: "+ofDashboard.ReplaceAllString(cell, ""))
			r.restarts = r.restarts || docker && strings.HasPrefix(strings.ToLower(cell), "restarting")
			if m := exited.FindStringSubmatch(cell); m != nil {
				says = append(says, "Exit Code: "+m[1])
			}
		case ofCode:
			says = append(says, "Exit Code: "+cell)
		case ofCount:
			first, _, _ := strings.Cut(strings.TrimSpace(cell), " ") // "4 (2m ago)"
			count, err := strconv.Atoi(first)
			r.restarts = err == nil && count > 0 && !slices.Contains(columns, ofMessage) // if not, it counts events
		}
	}
	if r.says = strings.Join(says, " "); slices.Contains(columns, ofJob) { // what is named there is no pod
		r.Names = naming.Names{}
		r.says = strings.Replace(r.says, "Reason: Failed", "Reason: Error", 1)
	}
	return r, true
}

// end returns what a row says about an end, nil for nothing.
func (r *row) end() *end {
	e := (&Text{about: true}).told(r.says, true)
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

// listed matches the next name in a list of names.
var listed = regexp.MustCompile("^[`\"'*]*(?:, ?(?:and )?|,? (?:and|&|und|y|et|e|и) |、|と)[`\"'*]*" +
	`([a-z][a-z0-9.]*[0-9-][a-z0-9.-]*[a-z0-9])`)

// listedBehind returns the further pods of a list that begins with one: the line is about all of them.
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
