package causes

import (
	"regexp"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/analyzer/internal/finding"
)

// KnownMessage is what a message of a runtime, a kubelet or a controller says in plain words, and what to do about it.
// In Words and Advice, $1 is what the first group matched; NAMESPACE and NODE stand for the pod's.
type KnownMessage struct {
	Message       *regexp.Regexp
	Words, Advice string
	// Whole: the words say what failed, too.
	Whole bool
}

// ReadMessage returns the first of a table that fits a message, with its names filled in.
func ReadMessage(table []KnownMessage, message string, f *finding.Findings) (KnownMessage, bool) {
	names := strings.NewReplacer("NAMESPACE", f.R.Namespace, "nodeName=NODE", "nodeName="+OnNode(f),
		"node/NODE", "node/"+OnNode(f), "NODE_OPTIONS", "NODE_OPTIONS", "NODE", Node(f))
	for _, m := range table {
		at := m.Message.FindStringSubmatchIndex(message)
		if at == nil {
			continue
		}
		m.Words = string(m.Message.ExpandString(nil, names.Replace(m.Words), message, at))
		m.Advice = string(m.Message.ExpandString(nil, names.Replace(m.Advice), message, at))
		return m, true
	}
	return KnownMessage{}, false
}
