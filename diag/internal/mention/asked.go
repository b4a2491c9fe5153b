package mention

import (
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
	"github.com/restartwhy/kubectl-restartwhy/diag/internal/textkind"
)

// asked returns an end of which nothing is known except that the text asks why: for a text about containers whose words
// match no form. It returns nil for another text. The result only says that the cause is unknown, and what would show
// it.
//
// If more can be read of the text, only a person can ask.
func (t *Text) asked(around naming.Names, strange bool) *end {
	if t.teaches {
		return nil
	}
	said, typed := t.said()
	byName := strange && t.only.Pod != "" && (len(said) <= fewSaid || t.about)
	if !byName && !t.about {
		return nil
	}
	own := t.saidLast()
	for i, whole := range said {
		if typed[i] {
			continue
		}
		s := spaced(noPrevious.ReplaceAllString(glossary.Replace(whole), ""))
		l := t.leadOf(said, i, t.only.Beside(around).Pod, own != "")
		at := trouble(s)
		if at == nil || !strange && !naming.Prose(s) && !stuck.MatchString(s) ||
			asMeant.MatchString(notMeant.ReplaceAllString(s, "")) || defined.MatchString(s) ||
			ofCommand.MatchString(s) || asksHow(s) || well(s) || expected(s) || remedied(s) ||
			t.explains(s, at[0], at[1]) && (!textkind.Asks(s) || inGeneral.MatchString(s)) {
			continue
		}
		beside := strings.Join(said[max(0, i-1):min(len(said), i+2)], " ")
		if restarted.MatchString(beside) {
			continue
		}
		if byName || ofContainers.MatchString(beside) || textkind.Asks(s) || naming.In(s).Pod != "" || t.calls(s) ||
			titled(said, i, t.all) {
			e := &end{Names: t.whole(t.only.Beside(around), false), ended: endsBare, line: s, asked: true}
			if own != "" && (l == nil || l.own) {
				e.ended, e.line, e.asked = endsCrash, own, false
			} else if l != nil {
				l.add(e)
			}
			return e
		}
	}
	return nil
}

// trouble returns where a sentence says that something ended or does not run, nil if it denies it, or only says what it
// is to do or how a thing is called that ended.
func trouble(s string) []int {
	s = noTrouble.ReplaceAllStringFunc(s, func(l string) string { return strings.Repeat("_", len(l)) })
	for _, at := range troubled.FindAllStringIndex(s, 16) {
		begin, _ := clauseBounds(s, at[0], at[1])
		if !notSo.MatchString(undenying.ReplaceAllString(s[begin:at[0]], "")) && !toDo.MatchString(s[:at[0]]) &&
			!calledEnded.MatchString(s[at[0]:]) {
			return at
		}
	}
	return nil
}

// typed reports whether a line is a command, which contains what it searches for, or the remark that explains one.
func (t *Text) typed(i int) bool {
	remark := t.lines[i].remark && !textkind.Asks(t.lines[i].text) && !textkind.OfWriter(t.lines[i].text)
	for remark && i+1 < len(t.lines) && t.lines[i+1].blanks == 0 && t.lines[i].remark {
		i++
	}
	return t.lines[i].command
}

// isCommand reports whether a line is a command and no sentence about what one says.
func isCommand(line string) bool { return command.MatchString(line) && !saysOf.MatchString(line) }

// ownError returns the last such line of a container's output next to the question, "" for none: what a program
// complains about before it exits is the likeliest cause if nothing rules it out.
func ownError(text string) (last string) {
	for line := range strings.Lines(text) {
		line = naming.Clean(line[:min(len(line), maxLine)])
		if textkind.Error(line) && (!naming.Prose(line) || strings.HasPrefix(line, "Traceback (")) &&
			!ofUnit.MatchString(line) && !caught.MatchString(line) && !ofClient.MatchString(line) {
			last = line
		}
	}
	return last
}

// fewSaid is the maximum number of sentences for which the name of what ends is enough to know that they are about
// containers.
const fewSaid = 3

// sentences splits a line.
func sentences(line string) (list []string) {
	from := 0
	for _, m := range stop.FindAllStringIndex(line, -1) {
		list, from = append(list, line[from:m[1]]), m[1]
	}
	return append(list, line[from:])
}
