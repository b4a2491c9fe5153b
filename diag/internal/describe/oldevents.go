package describe

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// oldEvent is a row of a description of kubectl up to 1.1: times, a count, who, the container, reason and message, with
// tabs between them.
var oldEvent = regexp.MustCompile(`^\s*([A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4})\s+` +
	`([A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4})\s+(\d{1,7})\s+\{(\w+) ([\w.-]*)\s*\}\s+` +
	`(spec\.containers\{[\w-]+\})?\s*([a-z]\w*)\s+(\S.*)$`)

// IsOldEvent reports whether a line is such a row.
func IsOldEvent(line string) bool { return strings.Contains(line, "{") && oldEvent.MatchString(line) }

// OldEvents returns such rows as events.
func OldEvents(lines []string, at Place) (events []json.RawMessage) {
	for _, line := range lines {
		m := oldEvent.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		first, err1 := time.Parse(time.RFC1123Z, m[1])
		last, err2 := time.Parse(time.RFC1123Z, m[2])
		if err1 != nil || err2 != nil {
			continue
		}
		involved := object{"kind": "Pod", "namespace": at.Namespace, "name": at.Pod, "uid": at.UID()}
		if m[6] != "" {
			involved["fieldPath"] = m[6]
		}
		events = podrecord.Append(events, object{"kind": "Event", "apiVersion": "v1", "type": "Normal",
			"involvedObject": involved,
			"metadata":       object{"name": at.Pod + "." + m[7], "namespace": at.Namespace},
			"reason":         strings.ToUpper(m[7][:1]) + m[7][1:], "message": m[8], "count": json.Number(m[3]),
			"firstTimestamp": first.UTC().Format(time.RFC3339), "lastTimestamp": last.UTC().Format(time.RFC3339),
			"source": object{"component": m[4], "host": m[5]}})
	}
	return events
}
