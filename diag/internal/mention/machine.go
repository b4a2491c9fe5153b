package mention

import (
	"strconv"

	"github.com/restartwhy/kubectl-restartwhy/diag/evidence"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// This file reads that a machine went down, and with it all its containers, where a text names none of them: a person
// says so beside the kernel's words of what machines die of, the kernel's report of its own fault is the last that it
// wrote, or a console shows the next boot.

// machine returns that end, with the kernel's line as its last words; nil for none. A person's word is enough where it
// is alone: the text tells of no other end.
func (t *Text) machine(alone bool) *end {
	if t.teaches {
		return nil
	}
	ails, dies, boots, said, itself, fence, ran := -1, -1, -1, -1, false, false, false
	for i := range t.lines {
		l := &t.lines[i]
		switch {
		case l.fence:
			fence = !fence
		case l.outside || l.wished:
		case oops.MatchString(l.text):
			dies = i
		case ran && comesUp.MatchString(l.text):
			boots = i
		case ailing.MatchString(l.text):
			ails = i
		}
		if up, ok := uptime(l.text); ok && up > 0 {
			ran = true
		}
		if said < 0 && !fence && !l.fence && !l.outside && !l.wished && !l.command && t.wentDown(l) {
			said, itself = i, byItself.MatchString(l.text) && !asPlanned.MatchString(l.text)
		}
	}
	switch {
	case dies >= 0 && !t.livesOn(dies):
	case boots >= 0:
		dies = boots
	case said >= 0 && ails < 0 && alone && itself:
		dies = said
	case said >= 0 && ails >= 0:
		dies = ails
	default:
		return nil
	}
	l := &t.lines[dies]
	return &end{Names: naming.Names{}.Whole(), ended: endsBare, line: l.text, own: l.text, ofNode: true,
		written: t.writtenAt(l.text)}
}

// nobodys reports whether an end is only a person's word that something ended or is not made, of a pod without a name.
func (e *end) nobodys() bool {
	other := *e
	if other.waits == "ContainerCreating" && other.code == nil { // what waits behind a machine that went down
		other.waits, other.ended, other.prose = "", "", true
	}
	return e.Pod == evidence.Unnamed && other.unexplained()
}

// wentDown reports whether a person says in a line that a machine went down or came up again.
func (t *Text) wentDown(l *line) bool {
	if textkind.Stamped(l.text) || sinceBoot.MatchString(l.text) || !l.prose && len(l.text) >= shortLine {
		return false
	}
	for _, s := range sentences(plainly(l.text)) {
		for _, at := range goesDown.FindAllStringIndex(s, 8) {
			if !denied(s, at[0], at[1]) && !byHand.MatchString(s) && !inGeneral.MatchString(s) && !asksHow(s) &&
				!where.MatchString(ofSome.ReplaceAllString(s[:at[0]], "")) {
				return true
			}
		}
	}
	return false
}

// livesOn reports whether the kernel writes of something else long after a line.
func (t *Text) livesOn(at int) bool {
	since, known := uptime(t.lines[at].text)
	written := t.writtenAt(t.lines[at].text)
	for i := range t.lines[at+1:] {
		line := t.lines[at+1+i].text
		if up, ok := uptime(line); ok && known && up > since+reporting {
			return true
		}
		if w := t.writtenAt(line); !w.IsZero() && !written.IsZero() && w.Sub(written).Seconds() > reporting {
			return true
		}
	}
	return false
}

// reporting is how many seconds a slow console takes for such a report.
const reporting = 60

func uptime(line string) (seconds float64, ok bool) {
	m := sinceBoot.FindStringSubmatch(line)
	if m == nil {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(m[1], 64)
	return seconds, err == nil
}
