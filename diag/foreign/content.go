package foreign

import (
	"bytes"
	"encoding/json"
	"regexp"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/cri"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/describe"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/unwrap"
	"github.com/restartwhy/kubectl-restartwhy/diag/textlog"
)

// content is a file's content, judged by its first bytes.
type content int

const (
	contentOther content = iota
	contentLog
	contentJournal
	contentJSON // objects of Kubernetes
	contentYAML
	contentCRI // what crictl or docker print about containers
)

var (
	kindJSON   = regexp.MustCompile(`"kind"\s*:\s*"(List|PodList|EventList|NodeList|Pod|Event|Node)"`)
	beginsYAML = regexp.MustCompile(`^(?:apiVersion|(?:kind|items|metadata):(?s:.*?)\n[ -]*apiVersion):`)
	kindYAML   = regexp.MustCompile(`(?m)^[ -]*kind:\s*"?(List|PodList|EventList|NodeList|Pod|Event|Node)"?\s*$`)
	// Keys that only records of a runtime have: crictl ps, pods, inspect, inspectp; docker inspect of a container that
	// a kubelet created.
	recordKeys = regexp.MustCompile(
		`"(podSandboxId|sandboxID|sandboxId|runtimeSpec|runtimeHandler|io\.kubernetes\.pod\.(name|uid|namespace))"\s*:|` +
			`"state"\s*:\s*"(?:SANDBOX|CONTAINER)_[A-Z]+"|"Name"\s*:\s*"/k8s_`)
)

// around matches the beginning of what is put around an object (a watch's event, an exporter's line), and of an object
// without its own kind: the kind in it is its owner's.
var around = regexp.MustCompile(`^\{\s*"(type|object|verb|event|old_event|eventType|date|metadata|spec|status)"\s*:`)

// ofStore matches a record of a log store, which may contain an object, and of an audit log, which says that it is an
// Event.
var ofStore = regexp.MustCompile(
	`"(jsonPayload|textPayload|protoPayload|_source|@timestamp|auditID|container_name|pod_name)"\s*:`)

// manyLines reports whether objects are on one line each: package unwrap reads any number of them.
func manyLines(text []byte) bool {
	line, rest, more := bytes.Cut(text, []byte("\n"))
	second, _, whole := bytes.Cut(rest, []byte("\n"))
	return more && bytes.HasPrefix(rest, []byte("{")) && json.Valid(line) && (!whole || json.Valid(second))
}

// contentOf returns the content of a file.
func contentOf(head []byte) content {
	if bytes.HasPrefix(head, []byte("LPKSHHRH")) {
		return contentJournal
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	text = text[len(beforeObject.Find(text)):]
	switch {
	case len(text) == 0:
		return contentOther
	case text[0] == '{' && bytes.Contains(text, []byte(`"apiVersion"`)) &&
		kindJSON.Match(text) && !around.Match(text) && !ofStore.Match(text) && !manyLines(text):
		return contentJSON
	case (text[0] == '{' || text[0] == '[') && records(text):
		return contentCRI
	case cri.IsTable(text), cri.IsYAML(text):
		return contentCRI
	case beginsYAML.Match(text) && kindYAML.Match(text) && !unwrap.Unnested.Match(text):
		return contentYAML
	}
	if format := textlog.Sniff(head); format == textlog.FormatBinary || format == textlog.FormatUnknown &&
		shapeOf(head) == unwrap.None && printedFor(head) == describe.None && !sectioned(head) {
		return contentOther
	}
	return contentLog
}

// beforeObject matches what may be before an object in YAML: comments, and the mark of a document.
var beforeObject = regexp.MustCompile(`^(?:(?:#.*|---.*)\n|\s+|---\s)*`)

// records distinguishes records of a runtime from a log with JSON lines: they are printed over many lines.
func records(text []byte) bool {
	line, _, more := bytes.Cut(text, []byte("\n"))
	return recordKeys.Match(text) && (len(bytes.TrimSpace(line)) < 3 || !more)
}
