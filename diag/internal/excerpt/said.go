package excerpt

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// said are event messages that people quote without the rest of the row, each with its type and reason (kubelet
// pkg/kubelet/events, kuberuntime; the taint manager).
var said = []struct {
	message      *regexp.Regexp
	kind, reason string
}{
	{regexp.MustCompile(`^Back-?[Oo]ff (?:\S+ )?restarting failed container\b`), "Warning", "BackOff"},
	{regexp.MustCompile(`^Error: failed to (?:start|create) container "[^"]+": `), "Warning", "Failed"},
	{regexp.MustCompile(`^(?:Liveness|Startup) probe (?:failed(?::|\W*$)|errored\b)`), "Warning", "Unhealthy"},
	{regexp.MustCompile(`^Container \S+ (?:failed (?:liveness|startup) probe|definition changed), will be restarted`),
		"Normal", "Killing"},
	{regexp.MustCompile(`^Killing container with id \w+://`), "Normal", "Killing"},
	{regexp.MustCompile(`^Stopping container \S+$`), "Normal", "Killing"},
	{regexp.MustCompile(`^Pod sandbox changed, it will be killed and re-created\b`), "Normal", "SandboxChanged"},
	{regexp.MustCompile(`^Marking for deletion Pod \S+$`), "Normal", "TaintManagerEviction"},
	{regexp.MustCompile(`^Node \S+ has been rebooted, boot id: \S+$`), "Warning", "Rebooted"},
	{regexp.MustCompile(`^System OOM encountered, victim process: `), "Warning", "SystemOOM"},
}

// plainly returns a line without the marks that people put around quotes, and the time, type and reason before them.
func plainly(line string) string {
	text := beforeMessage.ReplaceAllString(strings.Trim(strings.TrimSpace(line), "*_`'> -•"), "")
	text = strings.TrimRight(text, "”’»") // no component writes these
	if strings.Count(text, `"`)%2 == 1 {
		text = strings.TrimSuffix(text, `"`) // the opening one went with what stood before it
	}
	return text
}

var beforeMessage = regexp.MustCompile(`^(?:[Ee]vents?: +)?(?:\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AP]M|Z)?\]?:? +)?` +
	`(?:(?:Normal|Warning):? +)?(?:(?:Killing|BackOff|Unhealthy|SandboxChanged|Rebooted)(?: *[:–—-])? +)?["'“„«‘]?`)

// backedOff is the same message about a container and its pod in a status, and in output of tools that print that: only
// at the beginning of a line, because a kubelet's log lines, in whatever a store put around them, contain it.
var backedOff = regexp.MustCompile(`^\s*(?:[-*] )?(?:Error: |[Mm]essage: *)?["']?back-off (?:\S+ )?restarting failed container=([a-z0-9-]{1,63}) ` +
	`pod=(\S{1,253}_[a-z0-9-]{1,63}\([^)\s]{1,64}\))`)

// rowSaid returns the row of a table of events whose message is this line, "" if there is none.
func rowSaid(line string) string {
	if !naming.AnyOf(line, " restarting failed ", "failed to ", " probe", "Killing ", "Stopping ", "Pod sandbox changed",
		"Marking ", " rebooted", "System OOM", "definition changed") {
		return "" // the expressions are slow, and almost no line has one of the words
	}
	if m := backedOff.FindStringSubmatch(line); m != nil {
		return "Warning   BackOff   0s   kubelet   Back-off restarting failed container " + m[1] + " in pod " + m[2]
	}
	text := strings.TrimRight(line, " |`")
	if at := strings.LastIndex(text, "| "); at >= 0 { // the last cell of a console's or a document's table
		text = text[at+2:]
	}
	text = apart.Split(plainly(text), 2)[0] // or the first, followed by when and how often
	for _, s := range said {
		if m := s.message.FindString(text); m != "" {
			if strings.HasSuffix(m, "will be restarted") {
				text = m // a store puts the object behind the message
			}
			return s.kind + "   " + s.reason + "   0s   kubelet   " + text
		}
	}
	return ""
}

// onlyEnd returns the end of a container that a text dates, zero for none or several: what is quoted of an event next
// to it, without its time, is about that end.
func onlyEnd(text string) (at time.Time) {
	for _, m := range finished.FindAllStringSubmatch(text, -1) {
		end, ok := field.Moment(m[1] + m[2])
		if !ok || !at.IsZero() && !end.Equal(at) {
			return time.Time{}
		}
		at = end
	}
	return at
}

// finished matches the end of a container in a status, and in a description.
var finished = regexp.MustCompile(`\bfinishedAt\\?"?: *\\?"?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)|` +
	`(?m:^\s*Finished:\s+(\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}))`)

// apart separates the cells of a copied console table.
var apart = regexp.MustCompile(`\t|\s{3,}`)

// ofProgram matches a line of a program's own log: a time, then a level.
var ofProgram = regexp.MustCompile(`^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d\S*\s+\W{0,2}` +
	`(?i:trace|debug|info|notice|warn|warning|error|fatal|panic|critical)\b`)

// besideLines is how many lines around a message tell whose text it stands in.
const besideLines = 3

// logged reports whether the current line stands within a program's own log: then the program wrote it, and not the
// kubelet.
func (s *splitter) logged() bool {
	beside := s.lines[max(s.at-besideLines, 0):min(s.at+besideLines+1, len(s.lines))]
	return slices.ContainsFunc(beside, ofProgram.MatchString)
}

// rowsSaid returns those of all lines.
func (p Part) rowsSaid(at describe.Place) (objects []json.RawMessage) {
	for _, line := range p.Lines {
		row, place := rowSaid(line), at
		if row == "" {
			continue
		}
		pod, namespace := namedIn(row)
		if pod == "" {
			pod, namespace = namedIn(line)
		}
		if pod != "" {
			place.Pod, place.Namespace = pod, cmp.Or(namespace, at.Namespace)
		}
		objects = append(objects, describe.ReadRows([]string{row}, place).Objects...)
	}
	return objects
}
