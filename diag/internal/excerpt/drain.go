package excerpt

import (
	"cmp"
	"encoding/json"
	"regexp"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/podrecord"
)

// drained is a line of kubectl drain about a pod: "evicting pod shop/web-0", "pod/web-0 evicted", `pod "web-0" evicted`
// (kubectl up to 1.1x quotes only the name).
var drained = regexp.MustCompile(`^(?:evicting pod (?:([a-z0-9-]{1,63})/)?"?([a-z0-9][a-z0-9.-]{0,251})"?|` +
	`pod(?:/| )"?([a-z0-9][a-z0-9.-]{0,251})"? evicted)\s*$`)

// drains returns the pods that kubectl drain evicted, as events of an eviction. Nothing shows when, except that it was
// before the text was printed. Its warnings, and evictions that it tries again, cut a drain's output into several
// parts: text is all of it.
func drains(parts []Part, text string, at describe.Place) (events []json.RawMessage) {
	seen := map[string]bool{}
	for _, name := range naming.Refused(text) {
		seen[name] = true
	}
	for _, line := range linesOf(parts, Drain) {
		m := drained.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name, namespace := m[2]+m[3], m[1]
		if seen[name] {
			continue
		}
		seen[name] = true
		namespace = cmp.Or(namespace, evidence.UsualNamespace(name))
		event := object{"kind": "Event", "apiVersion": "v1", "type": "Normal", "reason": "Evicted", "message": line,
			"metadata":       object{"name": name + ".drained", "namespace": namespace},
			"involvedObject": object{"kind": "Pod", "namespace": namespace, "name": name},
			"source":         object{"component": "kubectl-drain"}}
		if !at.Printed.IsZero() {
			event["lastTimestamp"] = at.Printed.UTC().Format(time.RFC3339)
		}
		events = podrecord.Append(events, event)
	}
	return events
}

// linesOf returns the lines of all parts of a kind.
func linesOf(parts []Part, kind Kind) (lines []string) {
	for _, p := range parts {
		if p.Kind == kind {
			lines = append(lines, p.Lines...)
		}
	}
	return lines
}
