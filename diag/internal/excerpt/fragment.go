package excerpt

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/dockerevent"
)

// object is a JSON object.
type object = map[string]any

// value parses a part of JSON or YAML.
func (p Part) value() (v any) {
	switch p.Kind {
	case JSON:
		if json.Unmarshal([]byte(p.Text()), &v) != nil {
			return nil
		}
	case YAML:
		text := dedented(p.Lines)
		if jsonPiece.MatchString(text) {
			text = closed(text)
		}
		if yaml.Unmarshal([]byte(text), &v) != nil {
			return describe.FlatPod(p.Lines)
		}
	}
	return v
}

// dedented returns a text without the indentation of its first line, up to the first line that is further left.
func dedented(lines []string) string {
	indent := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	var b strings.Builder
	for _, l := range lines {
		rest, ok := strings.CutPrefix(l, indent)
		if !ok && strings.TrimSpace(l) != "" {
			break
		}
		b.WriteString(rest + "\n")
	}
	return b.String()
}

// closed turns a piece from the middle of a JSON document into a document: it ends where something closes that was
// opened before it, and everything still open at the end is closed. (YAML tolerates the commas.)
func closed(text string) string {
	text, open := openIn(text)
	return "{" + text + open + "}"
}

// openIn returns a text up to where something closes that was not opened in it, and what closes everything open there.
func openIn(text string) (string, string) {
	var open []byte
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) == 0:
			return text[:i], ""
		case c == '}' || c == ']':
			open = open[:len(open)-1]
		}
	}
	if quoted {
		open = append(open, '"') // cut in the middle of a string
	}
	slices.Reverse(open)
	return text, string(open)
}

// finish completes objects whose end was cut off: those that only the end of a fence or of the text ends.
func finish(lines []string) {
	for i := 0; i < len(lines); i++ {
		if lines[i] != "{" && lines[i] != "[" {
			continue
		}
		end := i
		for end < len(lines) && !strings.HasPrefix(lines[end], "```") {
			end++
		}
		last := end - 1
		for last > i && strings.TrimSpace(lines[last]) == "" {
			last--
		}
		var value json.RawMessage
		text := strings.Join(lines[i:last+1], "\n")
		if err := json.NewDecoder(strings.NewReader(text)).Decode(&value); !errors.Is(err, io.ErrUnexpectedEOF) {
			return // whole, or no object: then its content is none either
		}
		text = strings.TrimRight(text, ", \t")
		if _, open := openIn(text); json.Valid([]byte(text + open)) {
			lines[last] = strings.TrimRight(lines[last], ", \t") + open
		}
		i = last
	}
}

// whole reports whether an object says what it is: then its own reader reads it.
func whole(v any) bool {
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	m, ok := v.(object)
	if !ok {
		return false
	}
	meta, _ := m["metadata"].(object)
	return m["kind"] != nil || meta["name"] != nil || record(m)
}

// record reports whether an object is a program's representation of a pod: it names the pod, as no piece of a status
// does.
func record(m object) bool {
	for _, key := range []string{"pod", "podName", "pod_name", "namespace"} {
		if name, ok := m[key].(string); ok && name != "" {
			return true
		}
	}
	return false
}

// placed returns the pod that a piece of JSON or YAML belongs to; nil if it belongs to none.
func placed(v any, path []string, of describe.Place) object {
	if flat, ok := v.(describe.Flat); ok {
		v = object(flat)
	}
	status := inStatus(v, path, of)
	var spec, meta object
	if m, ok := v.(object); ok && status == nil {
		status, _ = m["status"].(object)
		if status = known(status); status == nil {
			return nil
		}
		status = allNamed(status, of.Container)
		spec, _ = m["spec"].(object)
		meta, _ = m["metadata"].(object)
	}
	if status == nil {
		return nil
	}
	return asPod(object{"metadata": meta, "spec": spec}, status, of)
}

// asPod returns the pod with that status. It has no UID, and of provides a missing name.
func asPod(pod, status object, of describe.Place) object {
	meta, _ := pod["metadata"].(object)
	if meta == nil {
		meta = object{}
	}
	own := describe.PlaceOf(meta)
	own.Pod, own.Namespace = cmp.Or(own.Pod, of.Pod), cmp.Or(own.Namespace, of.Namespace)
	meta["name"], meta["namespace"], meta["uid"] = own.Pod, own.Namespace, own.UID()
	return object{"kind": "Pod", "apiVersion": "v1", "metadata": meta, "spec": pod["spec"], "status": status}
}

// known returns a status if it says anything about containers or the pod's end.
func known(status object) object {
	phase, _ := status["phase"].(string)
	if status["containerStatuses"] != nil || status["initContainerStatuses"] != nil || slices.Contains(phases, phase) {
		return status
	}
	return nil
}

// allNamed gives a container without a name in its status the name known from elsewhere, if it is the only one.
func allNamed(status object, name string) object {
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		all, _ := status[list].([]any)
		if len(all) != 1 {
			continue
		}
		if c, ok := all[0].(object); ok && c["name"] == nil {
			c["name"] = name
		}
	}
	return status
}

// phases are those of pods.
var phases = []string{"Pending", "Running", "Succeeded", "Failed", "Unknown"}

// inStatus returns the status around a value that is one, or is part of one.
func inStatus(v any, path []string, of describe.Place) object {
	if m, ok := v.(object); ok && m["metadata"] == nil && m["spec"] == nil && m["status"] == nil {
		if s := known(m); s != nil && m["exitCode"] == nil {
			return allNamed(s, of.Container)
		}
	}
	items, ok := v.([]any)
	if !ok {
		items = []any{v}
	}
	var statuses []any
	for _, item := range items {
		if c := containerStatus(item, path); c != nil {
			if c["name"] == nil {
				if len(statuses) > 0 {
					continue // nothing shows which of several it is
				}
				c["name"] = of.Container
			}
			statuses = append(statuses, c)
		}
	}
	if len(statuses) == 0 {
		return nil
	}
	list := "containerStatuses"
	if slices.Contains(path, "initContainerStatuses") {
		list = "initContainerStatuses"
	}
	return object{list: statuses}
}

// containerStatus returns a container's status, or the one around a state.
func containerStatus(v any, path []string) object {
	m, ok := v.(object)
	if !ok || m["msg"] != nil && m["ts"] != nil { // a line of a log tells of an exit, too
		return nil
	}
	if m["lastState"] != nil || m["restartCount"] != nil || isState(m["state"]) {
		for _, key := range []string{"lastState", "state"} { // jq may have removed the key above the exit
			if end, ok := m[key].(object); ok && !isState(end) && end["exitCode"] != nil {
				m[key] = object{"terminated": end}
			}
		}
		return m
	}
	d, ok := m["State"].(object)
	name, named := m["Name"].(string)
	if !ok && m["ExitCode"] != nil { // --format '{{json .State}}'
		d = m
	}
	if dockerevent.Ended(d) {
		m = object{"terminated": dockerevent.Terminated(d)}
	} else if m["exitCode"] != nil {
		m = object{"terminated": m}
	}
	if !isState(m) {
		return nil
	}
	c := object{"lastState": m}
	if slices.Contains(path, "state") || m["terminated"] == nil {
		c = object{"state": m}
	}
	if named && !strings.HasPrefix(name, "/k8s_") {
		c["name"] = strings.TrimPrefix(name, "/")
	}
	return c
}

func isState(v any) bool {
	m, ok := v.(object)
	return ok && (m["terminated"] != nil || m["waiting"] != nil || m["running"] != nil)
}
