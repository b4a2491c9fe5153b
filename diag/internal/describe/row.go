package describe

import (
	"regexp"
	"slices"
	"strings"
)

// This file recognizes rows of kubectl's tables by their shape: grep removes a table's header.

const (
	anAge  = `(?:<invalid>|<unknown>|(?:\d+[smhdy])+)`
	aName  = `[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?`
	aKind  = `(?:Normal|Warning)`
	aCount = `(?: \(x\d+ over ` + anAge + `\))?`
	aTime  = `[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}`
)

// shape is a known row, each column with its name.
type shape struct {
	row  *regexp.Regexp
	head []string
}

// ofDescription is how many of the shapes, the first ones, are those of a description's events.
const ofDescription = 3

// shapes are all of them.
var shapes = []shape{
	{regexp.MustCompile(`^\s*(` + aKind + `)\s+([A-Z]\w+)\s+(` + anAge + aCount + `)\s+([^\s,]+(?:, \S+)?)\s+(\S.*)$`),
		[]string{"Type", "Reason", "Age", "From", "Message"}},
	{regexp.MustCompile(`^\s*(` + anAge + `)\s+(` + anAge + `)\s+(\d+)\s+(\{[^}]*\}|[a-z][^\s,]*(?:, \S+)?)\s+` +
		`(spec\.\S+\{\S+\}|)\s*(` + aKind + `)\s+([A-Z]\w+)\s+(\S.*)$`), // the same of kubectl 1.2 to 1.6
		[]string{"FirstSeen", "LastSeen", "Count", "From", "SubObjectPath", "Type", "Reason", "Message"}},
	{regexp.MustCompile(`^\s*(` + aTime + `)\s+(` + aTime + `)\s+(\d{1,7})\s+(\{\w+ [\w.-]*\s*\})\s+` +
		`(spec\.containers\{[\w-]+\}|)\s*([a-z]\w*)\s+(\S.*)$`), // of kubectl up to 1.1, with tabs between them
		[]string{"FIRST SEEN", "LAST SEEN", "COUNT", "FROM", "SUBOBJECT", "REASON", "MESSAGE"}},
	{regexp.MustCompile(`^` + wide), wideHead},
	{regexp.MustCompile(`^(` + aName + `)\s{2,}` + wide), slices.Concat([]string{"NAMESPACE"}, wideHead)},
	{regexp.MustCompile(`^` + listed), listedHead},
	{regexp.MustCompile(`^(` + aName + `)\s{2,}` + listed), slices.Concat([]string{"NAMESPACE"}, listedHead)},
	{regexp.MustCompile(`^(` + anAge + `)\s+(` + anAge + `)\s+(\d+)\s+(` + aName + `)\s+([A-Z]\w+)\s+(\S+\{\S+\}|)\s+(` +
		aKind + `)\s+([A-Z]\w+)\s+(\{.*?\}|[^\s,]+(?:, \S+)?)\s+(\S.*)$`), // kubectl up to 1.9
		[]string{"LASTSEEN", "FIRSTSEEN", "COUNT", "NAME", "KIND", "SUBOBJECT", "TYPE", "REASON", "SOURCE", "MESSAGE"}},
	{regexp.MustCompile(`^` + aPod), podHead},
	{regexp.MustCompile(`^(` + aName + `)\s+` + aPod), slices.Concat([]string{"NAMESPACE"}, podHead)},
}

const (
	wide = `(` + anAge + aCount + `)\s+(` + aKind + `)\s+([A-Z]\w+)\s+([a-z]+/` + aName + `)\s{2,}((?:\S+\{\S+\})?)\s+` +
		`([a-z][\w-]*(?:, \S+)?)\s{2,}(\S.*?)\s{2,}(` + anAge + `)\s+(\d+)\s+(` + aName + `\.[0-9a-f]{8,17})\s*$`
	listed = `(` + anAge + aCount + `)\s+(` + aKind + `)\s+([A-Z]\w+)\s+([a-z]+/` + aName + `)\s+(\S.*)$`
	aPod   = `((?:pod/)?` + aName + `)\s+(\d+/\d+)\s+([A-Z][\w:/.-]+)\s+(\d+(?: \(` + anAge + ` ago\))?)\s+(` +
		anAge + `)` + aWide
)

var (
	wideHead = []string{"LAST SEEN", "TYPE", "REASON", "OBJECT", "SUBOBJECT", "SOURCE", "MESSAGE", "FIRST SEEN",
		"COUNT", "NAME"}
	listedHead = []string{"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"}
	podHead    = []string{"NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE", "NOMINATED NODE"}
)

// aWide matches the columns that -o wide adds, or none of them.
const aWide = `(?:\s+(\S+)\s+(` + aName + `|<none>)(?:\s{2,}(\S.*))?)?\s*$`

// HeadOf returns the header that a row lost, each name where its column begins in the row; "" for a line that is no
// row. A row of a description's events has no object.
func HeadOf(row string) string {
	row = strings.TrimRight(row, "\r")
	for _, s := range shapes {
		m := s.row.FindStringSubmatchIndex(row)
		if m == nil {
			continue
		}
		var b strings.Builder
		for i, name := range s.head {
			if m[2*i+2] < 0 {
				break
			}
			if gap := m[2*i+2] - b.Len(); i > 0 && gap < 2 {
				return strings.Join(s.head, "   ") // too narrow for the names: split by the blanks between
			} else {
				b.WriteString(strings.Repeat(" ", gap))
			}
			b.WriteString(name)
		}
		return b.String()
	}
	return ""
}

// cellsOf returns the cells of a row that is recognized by its shape, nil for none.
func cellsOf(row string) map[string]string {
	for _, s := range shapes {
		if m := s.row.FindStringSubmatch(row); m != nil {
			cells := map[string]string{}
			for i, name := range s.head {
				if cell := strings.TrimSpace(m[i+1]); cell != "" {
					cells[name] = cell
				}
			}
			return cells
		}
	}
	return nil
}

// IsEventRow reports whether a line is a row of a description's events.
func IsEventRow(line string) bool {
	line = strings.TrimRight(line, "\r")
	return slices.ContainsFunc(shapes[:ofDescription], func(s shape) bool { return s.row.MatchString(line) })
}

// ofNode are reasons of events that only nodes have; their messages begin with the node.
var ofNode = []string{"Rebooted", "NodeReady", "NodeNotReady", "NodeHasSufficientMemory", "NodeHasNoDiskPressure",
	"NodeHasSufficientPID", "NodeHasInsufficientMemory", "NodeHasDiskPressure", "NodeSchedulable", "NodeNotSchedulable",
	"SystemOOM", "OOMKilling", "InvalidDiskCapacity", "NodeAllocatableEnforced", "EvictionThresholdMet", "ImageGCFailed",
	"ContainerGCFailed", "FreeDiskSpaceFailed", "TaskHung", "KernelOops", "Shutdown"}

var nodeNamed = regexp.MustCompile(`^Node (` + aName + `) (?:has been rebooted|status is now)`)

// nodeOf returns the node of a description's events, from their messages; "" if none names it.
func nodeOf(rows []event) string {
	for _, e := range rows {
		if m := nodeNamed.FindStringSubmatch(e.message); m != nil && slices.Contains(ofNode, e.reason) {
			return m[1]
		}
	}
	return ""
}
