package naming

import (
	"regexp"
	"strings"
)

// This file leaves out what a container gets as its environment and its arguments: a value there may be a secret, and
// says nothing about an end, whatever it looks like.

var (
	// given matches a heading above such values in a description or in YAML, with its indent.
	given = regexp.MustCompile(`^([\s>|]*(?:- )?)(?:Environment|Args|Command|env|args|command):(?:\s*|\s+(?:\[.*|[|>][-+]?\s*))$`)
	// ofPodItself matches a variable that a description shows with what it stands for.
	ofPodItself = regexp.MustCompile(`^\s+\S+:\s+[a-z0-9.-]+ \(v1:metadata\.name(?:space)?\)\s*$`)
	// givenInJSON matches the beginning of such values in JSON, which may be a string of another text, and of a template.
	givenInJSON = regexp.MustCompile(`(\\?)"(?i:env|args|command|cmd|entrypoint|(?:job)?template)(?:\\?)":\s*[\[{]`)
)

// Gives reports whether a line is such a heading, or such a key.
func Gives(line string) bool {
	return given.MatchString(strings.TrimRight(line, "\r\n")) || givenInJSON.MatchString(line)
}

// ofExporter matches labels of an alert about a Job that are of what measured it.
var ofExporter = regexp.MustCompile(`\b(?:pod|container)\W{1,5}[a-z0-9-]*kube-state-metrics[a-z0-9-]*`)

var (
	// ofAnother matches the name in the description of a node or a volume, and what only these have below it.
	ofAnother = regexp.MustCompile(`(?m)^Name:[ \t]+\S+[ \t]*\r?\n((?:Roles?:|(?:Namespace:.*\n)?StorageClass:))`)
	// onNode matches a described node's table of its pods.
	onNode = regexp.MustCompile(`(?m)^Non-terminated Pods:.*\n(?:[ \t]+.*\n)+`)
)

// WithoutValues returns a text without them, without the labels of a Job's alert that are not the Job's, and without
// the names of described nodes, of the pods on them, and of volumes.
func WithoutValues(text string) string {
	if strings.Contains(text, "Name:") {
		text = onNode.ReplaceAllString(ofAnother.ReplaceAllString(text, "$1"), "")
	}
	if text = withoutJSON(text); strings.Contains(text, "job_name") {
		text = ofExporter.ReplaceAllString(text, "")
	}
	if !AnyOf(text, "nvironment:", "rgs:", "ommand:", "env:") {
		return text
	}
	var out strings.Builder
	within, lowest := -1, false // the indent of the heading above; its list may have the same
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(line, " \t>|")
		indent, blank := len(line)-len(rest), strings.TrimSpace(rest) == ""
		item := lowest && indent == within && strings.HasPrefix(rest, "-")
		if within >= 0 && (indent > within || item || blank && within > 0) {
			if ofPodItself.MatchString(line) {
				out.WriteString(line)
			}
			continue
		}
		within = -1
		if m := given.FindStringSubmatch(strings.TrimRight(line, "\r\n")); m != nil {
			within, lowest = len(m[1]), !strings.HasPrefix(line[len(m[1]):], "E")
			line = line[:strings.IndexByte(line, ':')+1] + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// withoutJSON leaves out the values in JSON.
func withoutJSON(text string) string {
	all := givenInJSON.FindAllStringSubmatchIndex(text, -1)
	if all == nil {
		return text
	}
	var out strings.Builder
	from := 0
	for _, m := range all {
		if m[0] >= from {
			out.WriteString(text[from:m[1]])
			from = m[1] + closes(text[m[1]:], m[2] < m[3])
		}
	}
	return out.String() + text[from:]
}

// closes returns where the bracket before a text of JSON closes, or where it ends. oneLine: it is within a string.
func closes(text string, oneLine bool) int {
	depth, quoted := 1, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '\n' && oneLine:
			return i
		case quoted:
		case c == '[', c == '{':
			depth++
		case c == ']', c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
