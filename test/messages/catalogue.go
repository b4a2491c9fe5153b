package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/kubelet"
)

// first and last are the minor versions of Kubernetes 1 in the table.
const first, last = 5, kubelet.NewestMinor

// messages.tsv lists the log calls of the kubelet, read from the last patch release of every minor version, v1.5 to the
// newest. Rows of v1.24 and later are generated (make generate), except for their last column: a new message has "?"
// there until someone says what it becomes. Columns: minors ("19-20", "21-"); severity and verbosity ("IV2"); f for
// printed, S for structured, H for HandleError; the file; the message or format; the keys; and the statement that it
// becomes: "-" for none, "=" for a line that only says something about its kubelet.
//
//go:embed messages.tsv
var table string

// message is one row.
type message struct {
	since, until int // until is the last minor of the table for an open end
	severity     byte
	level        int
	style        byte // f, S, H
	file, text   string
	keys         []string
	statement    string
}

func read(table string) ([]message, error) {
	var out []message
	for n, row := range strings.Split(strings.TrimSuffix(table, "\n"), "\n") {
		c := strings.Split(row, "\t")
		if len(c) != 7 {
			return nil, fmt.Errorf("read messages: row %d has %d columns, not 7", n+1, len(c))
		}
		m := message{severity: c[1][0], style: c[2][0], file: c[3], text: c[4], statement: c[6], until: last}
		since, until, _ := strings.Cut(c[0], "-")
		var err error
		if m.since, err = strconv.Atoi(since); err == nil && until != "" {
			m.until, err = strconv.Atoi(until)
		}
		if _, level, verbose := strings.Cut(c[1], "V"); err == nil && verbose {
			m.level, err = strconv.Atoi(level)
		}
		if err != nil {
			return nil, fmt.Errorf("read messages: row %d: %w", n+1, err)
		}
		if c[5] != "" {
			m.keys = strings.Split(c[5], ",")
		}
		out = append(out, m)
	}
	return out, nil
}

func (m message) in(minor int) bool { return m.since <= minor && minor <= m.until }

func (m message) String() string {
	return fmt.Sprintf("%s %q", m.file, m.text)
}
