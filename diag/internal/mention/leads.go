package mention

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/restartwhy/kubectl-restartwhy/diag/internal/naming"
)

// This file reads why something ended, where a person says that it did and the words match no closer form: a verb of
// ending in a sentence, and in it, in the next ones or in the title what people name as the reason. Neither counts
// without the other.

// unexplained reports whether nothing is known of an end but a person's word for it, or that it is started again and
// again.
func (e *end) unexplained() bool {
	looped := *e
	if looped.waits == "CrashLoopBackOff" {
		looped.waits = ""
	}
	return looped.bare()
}

// explain adds to the ends of which nothing is known the reason that a person names, or what was printed last.
func (t *Text) explain(ends []*end) {
	if !slices.ContainsFunc(ends, (*end).unexplained) {
		return
	}
	said, _ := t.said()
	own := t.saidLast()
	for _, e := range ends {
		if !e.unexplained() {
			continue
		}
		var l *word
		for i := 0; l == nil && i < len(said); i++ {
			if strings.Contains(e.line, said[i]) {
				l = t.leadOf(said, i, e.Pod, own != "")
			}
		}
		if l != nil && (own == "" || !l.own) {
			l.add(e)
		} else if own != "" {
			e.ended, e.own = endsCrash, own // beside the words of a person
		}
	}
}

// saidLast returns what a program printed last, "" for nothing.
func (t *Text) saidLast() string { return cmp.Or(t.killed, ownError(t.all), t.lastPrinted()) }

// add adds a reason to an end.
func (w *word) add(e *end) {
	with := w.end("", "")
	if e.ended == "Error" && with.ended == "" {
		e.ended = "" // who says that something fails to start says no code
	}
	e.fill(with)
	e.asked = false
}

// said returns the sentences of a text and which of them are typed commands.
func (t *Text) said() (said []string, typed []bool) {
	for i := range t.lines {
		if line := t.lines[i].text; line != strings.ToUpper(line) && !t.lines[i].wished { // a table's header says nothing
			for _, s := range sentences(line) {
				if !t.request || i > 0 && reports(s) {
					said, typed = append(said, s), append(typed, t.typed(i))
				}
			}
		}
	}
	return said, typed
}

// leadOf returns the reason that is named for the end of a pod in one of some sentences: the one in that sentence, else
// in one beside it, else in the title. If a program printed an error, only the sentence itself counts. It returns nil
// for a sentence without such an end.
func (t *Text) leadOf(said []string, at int, pod string, printed bool) *word {
	s := plainly(said[at])
	if !happens(fallen, s) && !happens(gone, s) && !happens(oomed, s) || !t.tells(s, 0) ||
		expected(s) {
		return nil
	}
	places := []string{s}
	if !printed {
		places = append(places, t.around(said, at, cmp.Or(naming.In(said[at]).Pod, pod))...)
	}
	itself := slices.ContainsFunc(places, func(place string) bool {
		return happens(fallen, place) && !ofMachine.MatchString(place)
	})
	for _, vague := range []bool{false, true} {
		for _, place := range places {
			for i := range leads {
				l := &leads[i]
				if l.vague == vague && (!l.own || itself) && happens(l.says, place) &&
					(l.with == nil || happens(l.with, place)) && (l.but == nil || !l.but.MatchString(place)) {
					return l
				}
			}
		}
	}
	return nil
}

// around returns the sentences near one, and the title, without those that are about another pod.
func (t *Text) around(said []string, at int, pod string) (places []string) {
	next := beside(said, at, 1)
	near := []int{next, beside(said, at, -1), beside(said, next, 1)}
	if titled(said, 0, t.all) {
		near = append(near, 0)
	}
	others := false
	for n, i := range near {
		if i < 0 || i == at {
			continue
		}
		other := cmp.Or(naming.In(said[i]).Pod, pod)
		if other != pod && !naming.DrawnOf(other, pod) && !naming.DrawnOf(pod, other) {
			others = others || n == 0
			continue
		}
		if n != 2 || !others { // behind a sentence about another pod the text goes on about that one
			places = append(places, plainly(said[i]))
		}
	}
	return places
}

// plainly returns a sentence in the words that the forms know.
func plainly(s string) string {
	return compound.ReplaceAllString(spaced(naming.Plain(glossary.Replace(s))), "it")
}

// compound matches a program's name that begins with a word for a machine: node-exporter.
var compound = regexp.MustCompile(`(?i)\b(?:node|server|worker|host|machine|instance)-` +
	`(?:exporter|agent|problem|local|driver|feature|termination|deployment|app|service|controller|manager)[\w-]*`)

// beside returns the next of a person's sentences behind or before one, -1 for none near it: a heading may lie between.
func beside(said []string, at, step int) int {
	for i := at + step; at >= 0 && i >= 0 && i < len(said) && (i-at)*step <= 3; i += step {
		if naming.Prose(said[i]) {
			return i
		}
	}
	return -1
}

// titled reports whether a sentence is a text's title, of a person who says what is wrong.
func titled(said []string, at int, all string) bool {
	return at == 0 && strings.HasPrefix(strings.TrimSpace(all), "# ")
}

// calls reports whether a sentence has one of the names that a person gives to what ends.
func (t *Text) calls(s string) bool {
	return slices.ContainsFunc(t.called, func(name string) bool { return strings.Contains(s, name) })
}
