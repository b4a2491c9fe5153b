package markup

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// between separates the texts of one value.
const between = "\n\n------------------------------\n"

// ofRecords are fields in which log stores keep a message, ofObjects fields of Kubernetes objects.
var (
	ofRecords = []string{"message", "MESSAGE", "msg", "log", "line", "_raw", "textPayload", "jsonPayload"}
	ofObjects = []string{"apiVersion", "metadata", "containerStatuses", "involvedObject"}
)

// Strings returns the text in the strings of a JSON value that has little else: an issue or a chat from an API, an
// agent's tool result. It returns false for records of a log store and for Kubernetes objects, which have their own
// readers.
func Strings(text string) (string, bool) {
	if text = strings.TrimSpace(text); text == "" || text[0] != '{' && text[0] != '[' {
		return "", false
	}
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
		return "", false
	}
	var found []string
	size := 0
	if !paragraphs(value, 0, func(s string) { found, size = append(found, s), size+len(s) }) || 2*size < len(text) {
		return "", false
	}
	return strings.Join(found, between) + "\n", true
}

// paragraphs passes on each string of several lines, and each sentence that is a top-level field, ordered by the names
// of the fields. It returns false if another reader knows the value.
func paragraphs(value any, depth int, give func(string)) bool {
	switch v := value.(type) {
	case string:
		if strings.Count(v, "\n") > 1 || depth == 1 && strings.Count(v, " ") > 4 {
			give(v)
		}
	case []any:
		for _, e := range v {
			if !paragraphs(e, depth+2, give) {
				return false
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if slices.Contains(ofRecords, name) || slices.Contains(ofObjects, name) || !paragraphs(v[name], depth+1, give) {
				return false
			}
		}
	}
	return true
}
