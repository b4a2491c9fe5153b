package excerpt

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
)

// object is a JSON object.
type object = map[string]any

// value reads a part of JSON or YAML.
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

// dedented is a text without the indent of its first line, up to the first line that stands further left.
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

// closed is a piece out of the middle of a JSON document as a document: what was open before it ends it, and what is
// still open at its end is closed. (YAML forgives the commas.)
func closed(text string) string {
	text, open := openIn(text)
	return "{" + text + open + "}"
}

// openIn is a text up to where something ends that did not begin in it, and what closes all that is open there.
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
	slices.Reverse(open)
	return text, string(open)
}

// finish closes objects of which the end was cut off: those that nothing but the end of a fence or of the text ends.
func finish(lines []string) bool {
	changed := false
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
			return changed // whole, or no object: what stands in it is none either
		}
		text = strings.TrimRight(text, ", \t")
		if _, open := openIn(text); json.Valid([]byte(text + open)) {
			lines[last], changed = strings.TrimRight(lines[last], ", \t")+open, true
		}
		i = last
	}
	return changed
}

// whole tells objects that say what they are: their own reader reads them.
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

// record reports whether an object is what a program made of a pod: it names that, as no piece of a status does.
func record(m object) bool {
	for _, key := range []string{"pod", "podName", "pod_name", "namespace"} {
		if name, ok := m[key].(string); ok && name != "" {
			return true
		}
	}
	return false
}

// placed is the pod that a piece of JSON or YAML is of; nil where it is none of a pod.
func placed(v any, path []string, of describe.Place) object {
	if flat, ok := v.(describe.Flat); ok {
		v = object(flat)
	}
	status := inStatus(v, path, of)
	spec := object{}
	meta := object{}
	if m, ok := v.(object); ok && status == nil {
		status, _ = m["status"].(object)
		if status = known(status); status == nil {
			return nil
		}
		status = allNamed(status, of.Container)
		if s, ok := m["spec"].(object); ok {
			spec = s
		}
		if s, ok := m["metadata"].(object); ok {
			meta = s
		}
	}
	if status == nil {
		return nil
	}
	return asPod(object{"metadata": meta, "spec": spec}, status, of)
}

// asPod is the pod with that status. It has no UID, and of a name that it lacks the place tells.
func asPod(pod, status object, of describe.Place) object {
	meta, _ := pod["metadata"].(object)
	if meta == nil {
		meta = object{}
	}
	for key, value := range map[string]string{"name": of.Pod, "namespace": of.Namespace} {
		if s, _ := meta[key].(string); s == "" {
			meta[key] = value
		}
	}
	meta["uid"] = describe.Place{Namespace: meta["namespace"].(string), Pod: meta["name"].(string)}.UID()
	withoutCodes(status)
	return object{"kind": "Pod", "apiVersion": "v1", "metadata": meta, "spec": pod["spec"], "status": status}
}

// withoutCodes marks the ends whose exit code is not told: a missing number would be 0.
func withoutCodes(in any) {
	switch v := in.(type) {
	case []any:
		for _, item := range v {
			withoutCodes(item)
		}
	case object:
		for key, below := range v {
			if end, ok := below.(object); ok && key == "terminated" && end["exitCode"] == nil {
				end["exitCode"] = evidence.NoExitCode
			}
			withoutCodes(below)
		}
	}
}

// known is a status with anything in it that tells of containers or of the pod's end.
func known(status object) object {
	phase, _ := status["phase"].(string)
	if status["containerStatuses"] != nil || status["initContainerStatuses"] != nil || slices.Contains(phases, phase) {
		return status
	}
	return nil
}

// allNamed gives a container whose name was cut out of its status the one that is known from elsewhere, where it is
// the only one.
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

// inStatus is the status around a value that is one, or stands in one.
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
					continue // which of several it is, nothing tells
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

// containerStatus is a status of a container, or that around a state of one.
func containerStatus(v any, path []string) object {
	m, ok := v.(object)
	if !ok {
		return nil
	}
	if m["lastState"] != nil || m["restartCount"] != nil || isState(m["state"]) {
		for _, key := range []string{"lastState", "state"} { // jq may have left the end without its key
			if end, ok := m[key].(object); ok && !isState(end) && end["exitCode"] != nil {
				m[key] = object{"terminated": end}
			}
		}
		return m
	}
	if d, ok := m["State"].(object); ok && d["FinishedAt"] != nil {
		m = ofDocker(d)
	} else if m["FinishedAt"] != nil && m["ExitCode"] != nil { // --format '{{json .State}}'
		m = ofDocker(m)
	}
	if m["exitCode"] != nil {
		m = object{"terminated": m}
	}
	if !isState(m) {
		return nil
	}
	if slices.Contains(path, "state") || m["terminated"] == nil {
		return object{"state": m}
	}
	return object{"lastState": m}
}

// ofDocker is a state of docker inspect as the API has it.
func ofDocker(d object) object {
	reason := "Error"
	if d["OOMKilled"] == true {
		reason = "OOMKilled"
	}
	return object{"exitCode": d["ExitCode"], "reason": reason, "message": d["Error"],
		"startedAt": d["StartedAt"], "finishedAt": d["FinishedAt"]}
}

func isState(v any) bool {
	m, ok := v.(object)
	return ok && (m["terminated"] != nil || m["waiting"] != nil || m["running"] != nil)
}
