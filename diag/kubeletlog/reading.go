package kubeletlog

import (
	"fmt"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/safetext"
)

// Reading is what one message says by itself, without the lines around it.
type Reading struct {
	header Header
	msg    string
	text   string
	json   bool
	rule   *rule // nil for a line that no rule knows
	obs    []evidence.Observation
}

// Read reads one message (blocks joined). Its observations are appended to room,
// which may be nil. Read is safe for concurrent use, and allocates nothing for a
// line that no rule knows.
func Read(message string, room []evidence.Observation) Reading {
	l, interesting := split(message)
	r := Reading{header: l.header, msg: l.msg, text: l.text, json: l.json}
	if interesting {
		r.rule = l.rule
		r.obs = observe(l, room)
	}
	return r
}

// Glance tells what is to be known of a message before it is worth a Read: its
// header, and whether it is plain: it has a header, and no rule knows it.
func Glance(message string) (h Header, plain bool) {
	l, interesting := glance(message)
	return l.header, !interesting && l.header.PID != 0
}

// OnlyKubelet tells whether a source file, as a Header names it, is one that no
// other component has.
func OnlyKubelet(file string) bool { return kubeletFiles[file] }

// Said are the observations, with Subject, Fact and Text. Source, and with few
// exceptions time, are the envelope's to know.
func (r *Reading) Said() []evidence.Observation { return r.obs }

// proves tells whether only a kubelet can have written the line.
func (r *Reading) proves() bool {
	return kubeletFiles[r.header.File] || r.msg == "Kubelet version" || strings.HasPrefix(r.msg, "Started kubelet")
}

// Parse reads one message (blocks joined) into its header and statements. The
// observations have a Subject, a Fact and a Text, but neither time nor source:
// the envelope knows those. Most lines have no statement.
func Parse(message string) (Header, []evidence.Observation) {
	r := Read(message, nil)
	return r.header, r.obs
}

// observe applies the rule that knows the line. The line is a copy, because it
// escapes here: lines that say nothing must not cost an allocation.
func observe(l line, out []evidence.Observation) []evidence.Observation {
	first := len(out)
	l.rule.read(&l, func(sub evidence.Subject, f evidence.Fact) {
		out = append(out, evidence.Observation{Subject: sub, Fact: f})
	})
	said := out[first:]
	text := safetext.Clean(l.text)
	for i := range said {
		said[i].Text, said[i].Time = text, l.at
		// The first sync loop line after a start lists every pod of the node: quoting
		// it whole for each of them would cost the square of their number.
		if c, is := said[i].Fact.(evidence.PodConfig); is && len(said) > 1 {
			said[i].Text = safetext.Clean(fmt.Sprintf("SyncLoop %s, %q: %s/%s (%d of %d)", c.Op, c.Origin, said[i].Subject.Namespace, said[i].Subject.Pod, i+1, len(said)))
		}
	}
	return out[first:]
}
