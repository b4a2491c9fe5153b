package causes

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
	"github.com/restartwhy/kubectl-restartwhy/analyzer/report"
)

// KnownMessage is what a message of a runtime, a kubelet or a controller says in plain words, and what to do about it.
// In Words and Advice, $1 is what the first group matched; NAMESPACE and NODE stand for the pod's.
type KnownMessage struct {
	Message       *regexp.Regexp
	Words, Advice string
	// Prose: it is looked for outside of images, addresses and hosts.
	Prose bool
	// Whole: the words say what failed, too.
	Whole bool
}

// ReadMessage returns the first of a table that fits a message, with its names filled in.
func ReadMessage(table []KnownMessage, message string, f *finding.Findings) (KnownMessage, bool) {
	literal := func(name string) string { return strings.ReplaceAll(name, "$", "$$") }
	return read(table, message, func(text string) string {
		space, node := f.R.Namespace, literal(OnNode(f))
		in := "in namespace " + literal(space)
		if space == "" {
			in = "in the pod's namespace"
		}
		return strings.NewReplacer("-n NAMESPACE", "-n "+literal(report.Quote(space)),
			"in namespace NAMESPACE", in,
			"NAMESPACE", literal(space), "nodeName=NODE", "nodeName="+node, "node/NODE", "node/"+node,
			"NODE_OPTIONS", "NODE_OPTIONS", "NODE", literal(Node(f))).Replace(text)
	})
}

// Reads returns what a message that the rule knows says, whichever pod it is about: its names stay placeholders.
func (r *Rule) Reads(message string) (KnownMessage, bool) {
	return read(r.Messages, message, func(s string) string { return s })
}

// named matches references of images, addresses, paths and hosts: their words are names that somebody chose.
var named = regexp.MustCompile(`[^\s"'(]*/[^\s"')]*|\b[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\b`)

func read(table []KnownMessage, message string, fill func(string) string) (KnownMessage, bool) {
	whole, prose := message, ""
	for _, m := range table {
		message := whole
		if m.Prose {
			if prose == "" {
				prose = named.ReplaceAllString(whole, "")
			}
			message = prose
		}
		at := m.Message.FindStringSubmatchIndex(message)
		if at == nil {
			continue
		}
		m.Words = string(m.Message.ExpandString(nil, fill(m.Words), message, at))
		m.Advice = string(m.Message.ExpandString(nil, fill(m.Advice), message, at))
		return m, true
	}
	return KnownMessage{}, false
}
