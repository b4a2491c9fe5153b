package mention

import (
	"regexp"
	"strings"
)

// word is a form of words that reports an end, a program's or a person's.
type word struct {
	// any are strings of which a matching line has one; they are tried before the expression.
	any  []string
	says *regexp.Regexp
	// but matches lines in which the same words mean something else; with must match the sentence, or one beside it.
	but, with *regexp.Regexp
	// What the words become: the reason of an exit or of waiting, the reason of a failed pod, the reason of an event.
	// "$" is replaced by the expression's first group.
	ended, waits, failed, event string
	// as is the message of the event or the pod, if it is not the found text; "$" is replaced by that.
	as string
	// deleted: the words are about a pod that is being deleted.
	deleted bool
	// ofNode: the words are about a node, whose host precedes them.
	ofNode bool

	// Of a program's words:
	beside    bool // they only count next to others
	row       bool // they only count if the line names a pod
	about     bool // they only count in a text about containers
	ofProcess bool // they are a process's own, unless a journal has them from a unit
	alone     bool // the rest of such a line is not about the end
	trace     bool // they show that something ended, and not how

	// Of a person's words:
	own      bool // they count only for what ends by itself
	vague    bool // they count only where no others are said anywhere near
	sure     bool // they are a program's, whatever the sentence is about
	place    bool // behind a word for a place they are where it happened, and not who did it
	apart    bool // what was done must be other words than these: a drained node has taken no pod yet
	anywhere bool // what was done may be in the title
}

// refuses reports whether a program's words, which end at a place in a line, mean something else there. The code of a
// command behind them is another one.
func (w *word) refuses(line string, to int) bool {
	if w.but == ofCommand {
		m := ofCommand.FindStringIndex(line)
		return m != nil && m[0] < to
	}
	return w.but != nil && w.but.MatchString(line)
}

// end returns the end of a form whose expression found this text in a line.
func (w *word) end(found, line string) *end {
	fill := func(s string) string { return strings.ReplaceAll(s, "$", found) }
	e := &end{ended: fill(w.ended), waits: fill(w.waits), failed: fill(w.failed), ofNode: w.ofNode,
		deleted: w.deleted, trace: w.trace}
	if w.as != "" {
		found = fill(w.as)
		line = found
	}
	if w.failed != "" {
		e.said = line
		if w.failed != "$" {
			e.said = found
		}
	}
	if w.ended == endsWith {
		e.ended, e.code = "", new(int64)
	}
	if w.event != "" {
		e.events = []event{{w.event, strings.Trim(found, " \t-–:|\"")}}
	}
	return e
}
