package eventrecord

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/field"
)

// Datadog's agent names the object in an event's title. The text is the message of one event, whose reason the title
// has, too, or has a line for each event of the object (datadog-agent pkg/collector/corechecks/cluster/
// kubernetesapiserver kubernetes_eventbundle.go, unbundled_events.go).
var (
	title = regexp.MustCompile(
		`^(?:Events from the )?(Pod|Node) (?:([a-z0-9-]{1,63})/)?([a-z0-9.-]{1,253})(?:: ([A-Z][A-Za-z]+))?$`)
	entry = regexp.MustCompile(`(?m)^[ \t]*(\d{1,6}) \*\*([A-Z][A-Za-z]+)\*\*: (.+)$`)
	seen  = regexp.MustCompile(`_Events emitted by the (\S+) seen at (.{19,40}?) since `)
)

// titled returns the events of a record whose title names their object.
func titled(f field.Fields, at time.Time) (all [][]byte) {
	object := title.FindStringSubmatch(f["title"])
	if object == nil || f.Container() != "" {
		return nil
	}
	text, _ := f.First([]string{"text", "message"})
	e := event{kind: object[1], namespace: object[2], name: object[3], host: f.Host(), at: at}
	if reason := object[4]; reason != "" {
		e.reason, e.message = reason, text
		return append(all, e.json())
	}
	if m := seen.FindStringSubmatch(text); m != nil {
		e.sender = m[1]
		if t, ok := field.Moment(m[2]); ok {
			e.at = t
		}
	}
	for _, m := range entry.FindAllStringSubmatch(text, field.Max) {
		e.count, _ = strconv.Atoi(m[1])
		e.reason, e.message = m[2], strings.ReplaceAll(m[3], `\~`, "~")
		all = append(all, e.json())
	}
	return all
}

// event is what a record says about an event.
type event struct {
	kind, namespace, name, part string // what it is about
	reason, message             string
	sender, host                string
	count                       int
	at                          time.Time
}

// json returns an event as the API has it, without UIDs.
func (e *event) json() []byte {
	o := map[string]any{
		"kind": "Event", "apiVersion": "v1", "reason": e.reason, "message": strings.TrimSpace(e.message), "count": e.count,
		"metadata": map[string]any{"name": e.name + "." + strings.ToLower(e.reason), "namespace": e.namespace},
		"involvedObject": map[string]any{"kind": e.kind, "name": e.name, "namespace": e.namespace,
			"fieldPath": e.part},
		"source": map[string]any{"component": e.sender, "host": e.host},
	}
	if !e.at.IsZero() {
		o["lastTimestamp"] = e.at.UTC().Format(time.RFC3339)
	}
	raw, err := json.Marshal(o)
	if err != nil {
		return nil // never: it has only texts and a number
	}
	return raw
}
