package excerpt

import (
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// mayBeRow reports whether a table may begin with a row: not within text from anyone.
func (s *splitter) mayBeRow() bool {
	switch s.now.Kind {
	case Other:
		return true
	case YAML, Piece, Table, Events:
		return s.blank
	}
	return false
}

// rows of crictl ps, crictl pods and docker ps, with their headers.
var runtimeRows = []struct {
	row  *regexp.Regexp
	head string
}{
	{regexp.MustCompile(`^[0-9a-f]{12,64}\s+\S+\s.*\sago\s+(?:Up|Exited|Created|Dead|Restarting)\b.*\sk8s_\S+\s*$`),
		"CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES"},
	{regexp.MustCompile(`^[0-9a-f]{12,64}\s(?:.*\s)?(?:Up \S+|Exited \(\d+\)|Dead|Restarting \(\d+\))\s.*\bk8s_\S+\s*$`),
		"CONTAINER ID   STATUS   NAMES"}, // --format without table
	{regexp.MustCompile(
		`^[0-9a-f]{12,64}\s+\S+\s.*\sago\s+(?:Running|Exited|Created|Unknown)\s+\S+\s+\d+\s+[0-9a-f]{12,64}\b`),
		"CONTAINER   IMAGE   CREATED   STATE   NAME   ATTEMPT   POD ID   POD"},
	{regexp.MustCompile(`^[0-9a-f]{12,64}\s.*\sago\s+(?:Ready|NotReady)\s+\S+\s+\S+\s+\d+\b`),
		"POD ID   CREATED   STATE   NAME   NAMESPACE   ATTEMPT   RUNTIME"},
}

// rowOf returns the kind of table that a line is a row of, and the table's header; Other if it is none.
func rowOf(line string) (Kind, string) {
	for _, r := range runtimeRows {
		if r.row.MatchString(line) {
			return Table, r.head
		}
	}
	switch head := describe.HeadOf(line); {
	case head == "":
		return Other, ""
	case describe.IsEventRow(line):
		return Events, head
	default:
		return Table, head
	}
}
